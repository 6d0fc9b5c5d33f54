"""Places of page images, as pictures that a report holds."""

import base64
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image

from ocrjury.pages.page_images import cut_out, jpeg_bytes, open_page

WIDTH = 720
HEIGHT = 480
BYTES = 60_000
_WHOLE = (0.0, 0.0, 1.0, 1.0)
_MARGIN = 0.6
"""Surroundings to show, as a share of the box's height on every side."""


def crop_images(
    path: str | Path,
    boxes: Sequence[Sequence[float] | None],
    *,
    masks: Sequence[Sequence[float]] | None = None,
) -> Iterator[str]:
    """Places of a page image, in frames, as data URIs (JPEG of at most 60 kB, 720 by 480 pixels).

    The picture is decoded and encoded anew: whatever else the file held does not reach the report.
    Decoding takes most of the time, so a page is decoded once for all of its places.

    Parameters
    ----------
    path
        The page image.
    boxes
        Left, top, right and bottom of each place relative to the image, 0 to 1; None takes the
        whole page.
    masks
        Places of the page that are painted over, as relative boxes.

    Raises
    ------
    InputError
        If there is no such image, or it is none, or larger than 40 million pixels.
    """
    page = open_page(path, masks=masks)
    for box in boxes:
        picture = cut_out(page, box or _WHOLE, margin=_MARGIN, framed=box is not None)
        picture.thumbnail((WIDTH, HEIGHT))
        yield "data:image/jpeg;base64," + base64.b64encode(_encoded(picture)).decode()


def _encoded(picture: Image.Image) -> bytes:
    """JPEG: first coarser, then smaller, until it takes little enough room."""
    for scale, quality in ((1.0, 85), (1.0, 65), (0.75, 60), (0.5, 55), (0.25, 50)):
        jpeg = _jpeg(picture, scale=scale, quality=quality)
        if len(jpeg) <= BYTES:
            return jpeg
    return _jpeg(picture, scale=0.1, quality=50)


def _jpeg(picture: Image.Image, *, scale: float, quality: int) -> bytes:
    size = max(round(picture.width * scale), 1), max(round(picture.height * scale), 1)
    scaled = picture if size == picture.size else picture.resize(size)
    return jpeg_bytes(scaled, quality=quality)
