"""The place of a page image that an item was read from, small and safe to embed.

The picture is decoded and encoded anew: whatever else the file held does not reach the report.
"""

import base64
import io
import warnings
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from ocrjury.errors import InputError

PIXELS = 50_000_000
WIDTH = 720
HEIGHT = 480
BYTES = 60_000


def crop_image(path: str | Path, box: Sequence[float] | None = None, *, margin: float = 0.6) -> str:
    """Return the place as a data URI (JPEG of at most 60 kB, 720 by 480 pixels).

    Parameters
    ----------
    path
        The page image.
    box
        Left, top, right and bottom relative to the image, 0 to 1; None takes the whole page.
    margin
        Surroundings to show, as a share of the box's height on every side.

    Raises
    ------
    InputError
        If there is no such image, or it is none, or larger than 50 million pixels.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                _check_size(image, path)
                picture = image.crop(_pixels(image, box, margin)).convert("RGB")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombWarning, ValueError) as error:
        raise InputError(
            f"{path} cannot be shown: {error}. Give a PNG, JPEG or WebP file."
        ) from error
    picture.thumbnail((WIDTH, HEIGHT))
    return "data:image/jpeg;base64," + base64.b64encode(_encoded(picture)).decode()


def _check_size(image: Image.Image, path: str | Path) -> None:
    """Raise if the image would take too much memory."""
    if image.width * image.height > PIXELS:
        raise InputError(
            f"{path} has {image.width} x {image.height} pixels, more than {PIXELS:,}. "
            "Scale it down."
        )


def _pixels(
    image: Image.Image, box: Sequence[float] | None, margin: float
) -> tuple[int, int, int, int]:
    """Return the box in pixels, with its surroundings, inside the image and never empty."""
    if box is None:
        return 0, 0, image.width, image.height
    left, top, right, bottom = (min(max(float(edge), 0.0), 1.0) for edge in box)
    around = margin * (bottom - top) * image.height
    x0 = min(int(max(left * image.width - around, 0)), image.width - 1)
    y0 = min(int(max(top * image.height - around, 0)), image.height - 1)
    x1 = min(round(right * image.width + around), image.width)
    y1 = min(round(bottom * image.height + around), image.height)
    return x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)


def _encoded(picture: Image.Image) -> bytes:
    """Return the JPEG: first coarser, then smaller, until it takes little enough room."""
    for scale, quality in ((1.0, 85), (1.0, 65), (0.75, 60), (0.5, 55), (0.25, 50)):
        jpeg = _jpeg(picture, scale=scale, quality=quality)
        if len(jpeg) <= BYTES:
            return jpeg
    return _jpeg(picture, scale=0.1, quality=50)


def _jpeg(picture: Image.Image, *, scale: float, quality: int) -> bytes:
    """Return the picture in a size and quality."""
    buffer = io.BytesIO()
    size = max(round(picture.width * scale), 1), max(round(picture.height * scale), 1)
    picture.resize(size).save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()
