import io
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from benchmarks.worst_files import jpeg_of_scans
from ocrjury.errors import InputError
from ocrjury.pages import page_images
from ocrjury.pages.page_images import (
    cut_out,
    find_image,
    jpeg_bytes,
    open_page,
    whole_page,
)

MARK = (15, 118, 110)


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.png"
    Image.new("RGB", (400, 200), "white").save(path)
    return path


@pytest.mark.parametrize(
    "name", [None, "", "../page.png", "/etc/passwd", "absent.png", ".", "sub/../../page.png"]
)
def test_only_what_lies_in_the_folder_is_found(page, name):
    folder = page.parent / "sub"
    folder.mkdir()

    assert find_image([folder], name) is None


def test_the_first_folder_that_has_an_image_counts(page):
    other = page.parent / "sub"
    other.mkdir()

    assert find_image([other, page.parent], "page.png") == page


def test_a_link_that_leads_out_of_the_folder_is_not_followed(page):
    folder = page.parent / "sub"
    folder.mkdir()
    (folder / "page.png").symlink_to(page)

    assert find_image([folder], "page.png") is None


def test_a_progressive_jpeg_is_drawn_pass_by_pass_up_to_a_limit(tmp_path, monkeypatch):
    path = tmp_path / "page.jpg"
    path.write_bytes(jpeg_of_scans(64, 44))  # after the six that there are
    monkeypatch.setattr(page_images, "_PIECE", 7)  # so that marks lie across pieces

    assert open_page(path, masks=None).size == (64, 64)
    path.write_bytes(jpeg_of_scans(64, 45))
    with pytest.raises(InputError, match=r"page\.jpg is a JPEG of 51 scans, more than 50"):
        open_page(path, masks=None)


def test_remarks_in_a_file_stay_behind(tmp_path):
    exif = Image.Exif()
    exif[0x010E] = "patient Kim"
    Image.new("RGB", (40, 40)).save(tmp_path / "x.jpg", exif=exif, comment="patient Lee")

    picture = open_page(tmp_path / "x.jpg", masks=None)

    for made in (whole_page(picture, longest=40), cut_out(picture, [0, 0, 1, 1], margin=0)):
        assert b"patient" not in jpeg_bytes(made)


def test_a_page_that_lies_on_its_side_is_set_upright(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (40, 20)).save(tmp_path / "x.jpg", exif=exif)

    assert open_page(tmp_path / "x.jpg", masks=None).size == (20, 40)


def test_a_large_jpeg_is_read_no_larger_than_needed(tmp_path):
    Image.new("RGB", (4000, 3000)).save(tmp_path / "x.jpg")

    assert open_page(tmp_path / "x.jpg", enough=900, masks=None).size == (2000, 1500)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "CMYK", "I;16"])
def test_pages_of_any_colours_become_pictures(tmp_path, mode):
    path = tmp_path / ("x.tif" if mode in {"CMYK", "I;16"} else "x.png")
    Image.new(mode, (40, 20)).save(path)

    picture = open_page(path, masks=None)

    assert cut_out(picture, [0, 0, 0.5, 0.5], margin=0).size == (20, 10)
    made = whole_page(picture, [0.1, 0.1, 0.5, 0.5], longest=20)
    assert Image.open(io.BytesIO(jpeg_bytes(made))).size == (20, 10)


def test_the_frame_is_around_the_place_on_the_page_and_in_the_piece(page):
    framed = whole_page(open_page(page, masks=None), [0.25, 0.25, 0.75, 0.75], longest=400)
    piece = cut_out(open_page(page, masks=None), [0.25, 0.25, 0.75, 0.75], margin=0.5, framed=True)

    assert framed.getpixel((97, 100)) == MARK
    assert framed.getpixel((100, 100)) == (255, 255, 255)
    assert piece.size == (300, 200)
    assert piece.getpixel((47, 100)) == MARK


def test_a_line_of_text_is_shown_with_what_stands_above_and_below(page):
    picture = open_page(page, masks=None)

    assert cut_out(picture, [0, 0.5, 1, 0.55], margin=0, flattest=0.3).size == (400, 120)


@settings(max_examples=50)
@given(st.lists(st.floats(-2, 3), min_size=4, max_size=4), st.sampled_from([0.0, 0.3]))
def test_any_box_gives_a_picture_inside_the_page(box, flattest):
    piece = cut_out(Image.new("L", (90, 70)), box, margin=0.8, flattest=flattest, framed=True)

    assert 1 <= piece.width <= 90
    assert 1 <= piece.height <= 70


@pytest.mark.parametrize("content", [b"", b"no image", b"<svg/>", b"GIF89a"])
def test_what_is_no_image_is_named(page, content):
    page.write_bytes(content)

    with pytest.raises(InputError, match=r"page\.png cannot be shown"):
        open_page(page, masks=None)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_what_is_masked_is_black_in_every_picture(tmp_path, mode):
    path = tmp_path / ("x.tif" if mode in {"CMYK", "I;16"} else "x.png")
    Image.effect_noise((400, 200), 90).convert(mode).save(path)
    masks = [[0.25, 0.25, 0.5, 0.75], [0.8, 0.0, 1.0, 0.1]]

    whole = whole_page(open_page(path, masks=masks), longest=400).convert("L")
    piece = cut_out(open_page(path, masks=masks), [0.2, 0.2, 0.6, 0.8], margin=0).convert("L")

    assert whole.crop((100, 50, 200, 150)).getextrema() == (0, 0)
    assert whole.crop((320, 0, 400, 20)).getextrema() == (0, 0)
    assert piece.crop((20, 10, 120, 110)).getextrema() == (0, 0)
    if mode != "I;16":
        assert whole.crop((210, 50, 300, 150)).getextrema()[1] > 0


def test_a_mask_hides_the_whole_place_on_a_page_made_smaller(tmp_path):
    page = Image.new("L", (4000, 3000), 0)
    page.paste(255, (1003, 1003, 1007, 1007))
    page.save(tmp_path / "x.jpg", quality=100)
    hidden = [1003 / 4000, 1003 / 3000, 1007 / 4000, 1007 / 3000]

    for enough, longest in ((None, 4000), (900, 900), (None, 333)):
        opened = open_page(tmp_path / "x.jpg", masks=[hidden], enough=enough)
        assert whole_page(opened, longest=longest).convert("L").getextrema()[1] < 8


def test_a_mask_lies_on_the_page_as_people_see_it(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("L", (400, 200), 255).save(tmp_path / "x.png", exif=exif)

    page = open_page(tmp_path / "x.png", masks=[[0, 0, 1, 0.1]])

    assert page.size == (200, 400)
    assert page.crop((0, 0, 200, 40)).getextrema() == (0, 0)
    assert page.crop((0, 45, 200, 400)).getextrema() == (255, 255)


def test_an_image_too_large_to_decode_is_refused(tmp_path):
    Image.new("1", (7000, 6000)).save(tmp_path / "large.png")

    with pytest.raises(InputError, match="7000 x 6000 pixels, more than 40,000,000"):
        open_page(tmp_path / "large.png", masks=None)


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif", "bmp"])
def test_a_page_makes_pillow_load_no_format_of_others(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    Image.new("RGB", (9, 9)).save(path)
    command = (
        "import sys; from ocrjury.pages.page_images import open_page;"
        " open_page(sys.argv[1], masks=None); print('PIL.DdsImagePlugin' in sys.modules)"
    )

    said = subprocess.run(
        [sys.executable, "-c", command, path], capture_output=True, check=True, timeout=60
    )

    assert said.stdout.strip() == b"False"
