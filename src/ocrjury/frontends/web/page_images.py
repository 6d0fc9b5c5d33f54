"""Images as raters see them: small enough for a page, and their memory given back."""

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PIL import Image

from ocrjury.errors import InputError
from ocrjury.pages import page_images as drawn

LONGEST_SIDE = 2200
CROP_WIDTH = 1600
FLATTEST = 0.3
"""The least height of a crop, as a share of its width."""
Masks = Sequence[Sequence[float]] | None
"""Places of the page that nobody sees, as relative boxes."""
M_MMAP_THRESHOLD, LARGE = -3, 500_000


class NoImage(Exception):  # noqa: N818  # an item without a picture is no error
    """There is no picture that may be shown."""


def give_back_pictures() -> None:
    """Let the memory of a picture go back to the system at once (glibc).

    Otherwise it learns from the first picture to keep such memory, in pieces between the rest.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)


def find_image(folders: Sequence[Path], name: str | None) -> Path:
    """File of an image inside one of the folders.

    Raises
    ------
    NoImage
        If there is none, or its name leads out of the folders.
    """
    path = drawn.find_image(folders, name)
    if path is None:
        raise NoImage
    return path


def page_jpeg(path: Path, box: Sequence[float] | None, masks: Masks) -> bytes:
    """Whole scanned page, with a frame around the place that is rated.

    Raises
    ------
    NoImage
        If it is none, or has more pixels than this process should take.
    """
    return drawn.jpeg_bytes(drawn.whole_page(_opened(path, masks), box, longest=LONGEST_SIDE))


def crop_jpeg(
    path: Path, box: Sequence[float] | None, masks: Masks, *, margin: float = 0.8
) -> bytes:
    """Place that is rated with its surroundings; without a place, the whole scanned page.

    Raises
    ------
    NoImage
        If it is none, or has more pixels than this process should take.
    """
    if box is None:
        return page_jpeg(path, None, masks)
    piece = drawn.cut_out(_opened(path, masks), box, margin=margin, flattest=FLATTEST, framed=True)
    piece.thumbnail((CROP_WIDTH, CROP_WIDTH))
    return drawn.jpeg_bytes(piece)


def _opened(path: Path, masks: Masks) -> Image.Image:
    """Picture, decoded at a reduced size where it is a large JPEG."""
    try:
        return drawn.open_page(path, masks=masks, enough=LONGEST_SIDE)
    except InputError as error:
        raise NoImage from error
