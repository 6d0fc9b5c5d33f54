import base64
import io

import pytest
from PIL import Image

from ocrjury.errors import InputError
from ocrjury.frontends.labelstudio.pictures import NOTHING, picture_of


@pytest.fixture
def folder(tmp_path):
    picture = Image.new("RGB", (400, 200), "white")
    picture.paste("black", (200, 100, 400, 200))
    (tmp_path / "pages").mkdir()
    picture.save(tmp_path / "pages" / "p 1.png", pnginfo=None)
    return tmp_path


def decoded(text):
    head, _, body = text.partition(",")
    assert head == "data:image/jpeg;base64"
    return Image.open(io.BytesIO(base64.b64decode(body)))


def test_the_place_is_cut_out_with_its_surroundings(folder):
    picture = decoded(picture_of("pages/p 1.png", [0.5, 0.5, 1.0, 0.6], folder=str(folder)))

    assert picture.size == (216, 52)


def test_without_a_place_the_whole_page_is_shown_at_most_so_large(folder):
    Image.new("L", (3000, 3000)).save(folder / "large.png")

    assert decoded(picture_of("pages/p 1.png", None, folder=str(folder))).size == (400, 200)
    assert decoded(picture_of("large.png", None, folder=str(folder))).size == (1200, 1200)


def test_what_the_file_holds_beside_the_picture_stays_behind(folder):
    exif = Image.Exif()
    exif[0x010E] = "patient Kim"
    Image.new("RGB", (40, 40)).save(folder / "x.jpg", exif=exif)

    text = picture_of("x.jpg", None, folder=str(folder))

    assert b"patient" not in base64.b64decode(text.partition(",")[2])


def test_an_item_without_an_image_gets_a_picture_of_nothing(folder):
    assert picture_of(None, None, folder=str(folder)) == NOTHING
    picture = Image.open(io.BytesIO(base64.b64decode(NOTHING.partition(",")[2])))
    assert (picture.size, picture.getextrema()) == ((600, 12), (255, 255))


@pytest.mark.parametrize(
    ("places", "name", "expected"),
    [
        (
            {"folder": "/x", "address": "https://img.lan/a/"},
            "p 1.png",
            "https://img.lan/a/p%201.png",
        ),
        (
            {"folder": "https://img.lan/a"},
            "페이지.png",
            "https://img.lan/a/%ED%8E%98%EC%9D%B4%EC%A7%80.png",
        ),
        ({"folder": "/x"}, "https://other.lan/p.png", "https://other.lan/p.png"),
    ],
)
def test_images_with_an_address_are_named_by_it(places, name, expected):
    assert picture_of(name, None, **places) == expected


@pytest.mark.parametrize("name", ["../../../../etc/passwd", "/etc/passwd", "pages", "absent.png"])
def test_nothing_outside_of_the_folder_is_read(folder, name):
    with pytest.raises(InputError, match="there is no image"):
        picture_of(name, None, folder=str(folder))


def test_a_file_that_is_no_image_is_named(folder):
    (folder / "x.svg").write_text("<svg/>")

    with pytest.raises(InputError, match=r"x\.svg cannot be shown"):
        picture_of("x.svg", None, folder=str(folder))


def test_an_image_too_large_to_decode_is_refused(folder, monkeypatch):
    monkeypatch.setattr("ocrjury.pages.page_images.PIXELS", 1000)

    with pytest.raises(InputError, match="400 x 200 pixels, more than 1,000"):
        picture_of("pages/p 1.png", None, folder=str(folder))
