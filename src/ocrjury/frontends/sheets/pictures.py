"""Pictures beside a sheet: decoded and encoded anew, under names that tell nothing."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ocrjury.errors import InputError
from ocrjury.frontends.sheets.assigned import AssignedRow
from ocrjury.frontends.sheets.signatures import image_name
from ocrjury.pages.page_images import find_image, jpeg_bytes, open_page, whole_page
from ocrjury.store.documents import SampledItem

FOLDER = "images"
LONGEST_SIDE = 1800


class Pictures(NamedTuple):
    """Links to pictures by the key of a row, and how many items have none that can be shown."""

    links: dict[str, str]
    missing: int


def copy_pictures(
    rows: Iterable[AssignedRow], folder: Path, *, sources: Sequence[Path], key: bytes
) -> Pictures:
    """Write the page of every row that has one, with a frame around the place that is rated.

    Parameters
    ----------
    folder
        Where the sheet will lie; the pictures get a folder of their own in it.
    sources
        Folders that image names are relative to; nothing outside them is read.
    """
    links: dict[str, str] = {}
    missing = 0
    for row in rows:
        path = find_image(sources, row.item.image_uri)
        if path is None:
            missing += row.item.image_uri is not None
            continue
        drawn = repr((row.item.box, row.item.masks) if row.item.masks else row.item.box)
        name = f"{image_name(key, str(path), drawn)}.jpg"
        there = folder / FOLDER / name
        if not there.exists() and not _write(there, path, row.item):
            missing += 1
            continue
        links[row.key] = f"{FOLDER}/{name}"
    return Pictures(links, missing)


def _write(there: Path, path: Path, item: SampledItem) -> bool:
    """Write the picture of an item; return whether there is one."""
    try:
        page = open_page(path, masks=item.masks, enough=LONGEST_SIDE)
        picture = whole_page(page, item.box, longest=LONGEST_SIDE)
    except InputError:
        return False
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_bytes(jpeg_bytes(picture))
    return True
