import base64
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from ocrjury.errors import InputError
from ocrjury.report.crops import BYTES, crop_images


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "page.png"
    image = Image.effect_noise((900, 700), 90).convert("RGB")
    image.paste((200, 0, 0), (450, 350, 900, 700))
    image.save(path)
    return path


def crop_image(path, box=None):
    return next(crop_images(path, [box]))


def opened(uri):
    head, _, body = uri.partition(",")
    assert head == "data:image/jpeg;base64"
    return Image.open(io.BytesIO(base64.b64decode(body)))


def test_the_place_is_cut_out_with_its_surroundings(page):
    image = opened(crop_image(page, [0.6, 0.6, 0.9, 0.7]))

    assert image.size == ((270 + 2 * 42), (70 + 2 * 42))
    red = image.getpixel((image.width // 2, image.height // 2))
    assert red[0] > 150
    assert red[1] < 60


def test_the_place_has_a_frame_and_a_whole_page_none(tmp_path):
    path = tmp_path / "page.png"
    Image.new("L", (900, 700), 250).save(path)

    framed, whole = (
        np.asarray(opened(uri).convert("RGB")).astype(int)
        for uri in (crop_image(path, [0.6, 0.6, 0.9, 0.7]), crop_image(path))
    )

    assert np.ptp(framed, axis=2).max() > 40
    assert np.ptp(whole, axis=2).max() < 10


@settings(max_examples=30)
@given(st.lists(st.floats(-2, 3), min_size=4, max_size=4))
def test_any_box_gives_a_small_picture(page, box):
    uri = crop_image(page, box)

    image = opened(uri)
    assert 1 <= image.width <= 720
    assert 1 <= image.height <= 480
    assert len(uri) < BYTES * 4 / 3 + 100


def test_without_a_box_the_whole_page_is_shown(tmp_path):
    path = tmp_path / "page.webp"
    Image.new("L", (900, 700), 250).save(path)

    assert opened(crop_image(path)).size == (617, 480)


def test_the_file_is_encoded_anew(tmp_path):
    path = tmp_path / "page.png"
    info = Image.new("RGB", (40, 40))
    info.save(path)
    path.write_bytes(path.read_bytes() + b"<script>SECRET</script>")

    assert b"SECRET" not in base64.b64decode(crop_image(path).partition(",")[2])


@pytest.mark.parametrize(
    "content", [b"", b"no image", b"<svg xmlns='http://www.w3.org/2000/svg'/>"]
)
def test_what_is_no_image_is_named(tmp_path, content):
    path = tmp_path / "page.png"
    path.write_bytes(content)

    with pytest.raises(InputError, match=r"page\.png cannot be shown"):
        crop_image(path)


def test_an_absent_image_is_named(tmp_path):
    with pytest.raises(InputError, match=r"absent\.png cannot be shown"):
        crop_image(tmp_path / "absent.png")


def test_a_bomb_is_not_opened(tmp_path):
    path = tmp_path / "bomb.png"
    Image.new("1", (9000, 9000)).save(path)

    with pytest.raises(InputError, match=r"9000 x 9000|cannot be shown"):
        crop_image(path)
