"""Images of pages as people see them: found in the campaign's folders only, drawn anew.

Decoded and encoded again, whatever else a file holds stays behind. A page takes much memory, so
nothing here makes a second one of it.
"""

import hashlib
import io
import math
import os
import warnings
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from PIL import (
    BmpImagePlugin,
    Image,
    ImageDraw,
    ImageOps,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    UnidentifiedImageError,
    WebPImagePlugin,
)

from ocrjury.campaign.config import Campaign
from ocrjury.errors import InputError
from ocrjury.readers.file_sets import root_of

PIXELS = 40_000_000
SCANS = 50
"""Passes in which a progressive JPEG may refine a picture; programs write about ten."""
FORMATS = tuple(
    plugin.format
    for plugin in (
        PngImagePlugin.PngImageFile,
        JpegImagePlugin.JpegImageFile,
        WebPImagePlugin.WebPImageFile,
        TiffImagePlugin.TiffImageFile,
        BmpImagePlugin.BmpImageFile,
    )
)
"""Image formats that are read; Pillow loads all it knows to look for one that is not loaded."""
_SCAN, _PIECE = b"\xff\xda", 1 << 20
_MARK = (15, 118, 110)
_MORE = 1
"""Pixels around a mask: a picture made smaller mixes those at its edge."""
_SMOOTH = ("RGB", "L")
"""Kinds of pixels that can be made smaller as they are."""


def image_folders(campaign: Campaign) -> list[Path]:
    """Folders on this machine that hold images: the pool's, and that of its gold."""
    places = [campaign.images_location]
    if campaign.gold_pool_location is not None:
        places.append(root_of(campaign.gold_pool_location))
    return [Path(place) for place in places if "://" not in place]


def find_image(folders: Sequence[Path], name: str | None) -> Path | None:
    """File of an image inside one of the folders, None if there is none."""
    for folder in folders if name else ():
        path = (folder / str(name)).resolve()
        if path.is_relative_to(folder.resolve()) and path.is_file():
            return path
    return None


def image_hash(path: Path | None) -> str | None:
    """SHA-256 of the file of an image as it is now; None without one."""
    try:
        return None if path is None else _hash(path, path.stat())
    except OSError:
        return None


def _hash(path: Path, status: os.stat_result) -> str:
    # A file that was written, replaced or dated back since has another inode or time of change.
    return _hash_of(path, (status.st_ino, status.st_ctime_ns, status.st_size))


@lru_cache(maxsize=4096)
def _hash_of(path: Path, _status: tuple[int, int, int]) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def open_page(
    path: str | Path, *, masks: Sequence[Sequence[float]] | None, enough: int | None = None
) -> Image.Image:
    """A picture upright, in the colours of its file, with what nobody sees painted over.

    Everything that leaves a store comes through here, so nobody can leave the masks out.

    Parameters
    ----------
    masks
        Left, top, right and bottom of each place relative to the upright page, 0 to 1; None: none.
    enough
        The pixels that are wanted: a JPEG may come smaller than it is, no side below this.

    Raises
    ------
    InputError
        If it is no image, or has more pixels or passes than a process should take.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path, formats=FORMATS) as image:
                _check_size(image, path)
                _check_scans(image, path)
                if enough is not None:
                    image.draft("RGB", (enough, enough))
                image.load()
                ImageOps.exif_transpose(image, in_place=True)
                image.info.clear()  # remarks, among others, would go into the new file
                return _masked(image, masks)
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError, ValueError) as error:
        raise InputError(
            f"{path} cannot be shown: {error}. Give a PNG, JPEG, WebP, TIFF or BMP file."
        ) from error


def whole_page(
    picture: Image.Image, box: Sequence[float] | None = None, *, longest: int
) -> Image.Image:
    """A page at most so large, with a frame around the place that is rated, if any."""
    page = picture if picture.mode in _SMOOTH else picture.convert("RGB")
    page.thumbnail((longest, longest))
    page = page if page.mode == "RGB" else page.convert("RGB")
    if box is not None:
        _frame(page, box, of=page.size)
    return page


def cut_out(
    picture: Image.Image,
    box: Sequence[float],
    *,
    margin: float,
    flattest: float = 0.0,
    label: float = 0.0,
    framed: bool = False,
) -> Image.Image:
    """A place with its surroundings, inside the page and never empty.

    Parameters
    ----------
    box
        Left, top, right and bottom relative to the page, 0 to 1; what lies beyond is cut off.
    margin
        Surroundings on every side, as a share of the box's height.
    flattest
        The least height, as a share of the width.
    label
        Room for what the place is called, as a share of the page's width: on its left, or above
        it where the page leaves less than half of that on the left.
    framed
        Whether a frame goes around the place.
    """
    shown = _with_label(box, room=label)
    place = _around(picture.size, shown, margin * _height(picture, box), flattest=flattest)
    piece = picture.crop(place).convert("RGB")
    if framed:
        _frame(piece, box, of=picture.size, at=place[:2])
    return piece


def jpeg_bytes(picture: Image.Image, *, quality: int = 82) -> bytes:
    """A picture as JPEG."""
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def _masked(picture: Image.Image, masks: Sequence[Sequence[float]] | None) -> Image.Image:
    """A picture with black boxes over some places, rounded to whole pixels outwards."""
    if not masks:
        return picture
    page = picture if picture.mode in _SMOOTH else picture.convert("RGB")
    brush = ImageDraw.Draw(page)
    for mask in masks:
        left, top, right, bottom = _pixels(page.size, mask)
        corner = (math.floor(left) - _MORE, math.floor(top) - _MORE)
        brush.rectangle((corner, (math.ceil(right) + _MORE, math.ceil(bottom) + _MORE)), fill=0)
    return page


def _check_size(image: Image.Image, path: str | Path) -> None:
    """Raise if a picture would take too much memory."""
    if image.width * image.height > PIXELS:
        raise InputError(
            f"{path} has {image.width} x {image.height} pixels, more than {PIXELS:,}. "
            "Scale it down."
        )


def _check_scans(image: Image.Image, path: str | Path) -> None:
    """Raise if every pixel of a JPEG would be computed over and over."""
    if image.format not in {"JPEG", "MPO"}:
        return
    scans, end = 0, b""
    with Path(path).open("rb") as file:
        while piece := file.read(_PIECE):
            scans += (end + piece).count(_SCAN)
            end = piece[-1:]
    if scans > SCANS:
        raise InputError(
            f"{path} is a JPEG of {scans:,} scans, more than {SCANS}. Save it again in a program."
        )


def _pixels(of: tuple[int, int], box: Sequence[float]) -> tuple[float, float, float, float]:
    """A relative box in pixels of a page."""
    left, top, right, bottom = (min(max(float(edge), 0.0), 1.0) for edge in box)
    return left * of[0], top * of[1], right * of[0], bottom * of[1]


def _with_label(box: Sequence[float], *, room: float) -> tuple[float, float, float, float]:
    """A relative box with room for its label.

    Examples
    --------
    >>> _with_label((0.5, 0.2, 0.75, 0.25), room=0.125), _with_label((0, 0.25, 1, 0.5), room=0.125)
    ((0.375, 0.2, 0.75, 0.25), (0, 0.0, 1, 0.5))
    """
    left, top, right, bottom = box
    if left >= room / 2:
        return max(left - room, 0), top, right, bottom
    return left, max(top - (bottom - top), 0), right, bottom


def _height(picture: Image.Image, box: Sequence[float]) -> float:
    """Height of a place in pixels."""
    _, top, _, bottom = _pixels(picture.size, box)
    return bottom - top


def _around(
    of: tuple[int, int], box: Sequence[float], more: float, *, flattest: float
) -> tuple[int, int, int, int]:
    """A box with so many pixels around it."""
    left, top, right, bottom = _pixels(of, box)
    # A line of text alone is hard to place: some of what stands above and below is shown.
    low = (
        max(flattest * (right - left + 2 * more) - (bottom - top + 2 * more), 0) if flattest else 0
    )
    top, bottom = top - low / 2, bottom + low / 2
    x0 = min(int(max(left - more, 0)), of[0] - 1)
    y0 = min(int(max(top - more, 0)), of[1] - 1)
    x1, y1 = min(round(right + more), of[0]), min(round(bottom + more), of[1])
    return x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)


def _frame(
    picture: Image.Image,
    box: Sequence[float],
    *,
    of: tuple[int, int],
    at: tuple[int, int] = (0, 0),
) -> None:
    """Draw a frame a little outside the place; the picture begins `at` a point `of` its page."""
    left, top, right, bottom = _pixels(of, box)
    if right <= left or bottom <= top:
        return
    line = max(of[0] // 400, 2)
    corner = (left - 2 * line - at[0], top - 2 * line - at[1])
    opposite = (right + 2 * line - at[0], bottom + 2 * line - at[1])
    ImageDraw.Draw(picture).rectangle((corner, opposite), outline=_MARK, width=line)
