"""Pictures of pages beside a sheet, with a frame around the place that is rated."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from ocrjury.errors import InputError
from ocrjury.frontends.sheets.assigned_rows import AssignedRow
from ocrjury.frontends.sheets.signatures import image_name
from ocrjury.pages.page_images import find_image, image_hash, jpeg_bytes, open_page, whole_page
from ocrjury.store.documents import SampledItem
from ocrjury.store.shown_images import ShownImage
from ocrjury.whole_files import write_whole

IMAGES = "images"
LONGEST_SIDE = 1800


def copy_pictures(
    rows: Iterable[AssignedRow], folder: Path, *, sources: Sequence[Path], key: bytes
) -> tuple[dict[str, str], list[ShownImage]]:
    """Write the page of every row that has one, with a frame around the place that is rated.

    Returns links to the pictures by the key of a row, and what is shown of each. `sources` are the
    folders that image names are relative to; nothing outside is read.
    """
    links: dict[str, str] = {}
    shown: list[ShownImage] = []
    for row in rows:
        path, item = find_image(sources, row.item.image_uri), row.item
        if path is None:
            if item.image_uri is not None:
                shown.append(ShownImage(item.doc_id, item.image_sha256, None))
            continue
        now, drawn = (
            image_hash(path),
            repr((row.item.box, row.item.masks) if row.item.masks else row.item.box),
        )
        name = f"{image_name(key, str(path), drawn, str(now))}.jpg"
        copy = folder / IMAGES / name
        copied = copy.exists() or _write(copy, path, item)
        shown.append(ShownImage(item.doc_id, item.image_sha256, now if copied else None))
        if copied:
            links[row.key] = f"{IMAGES}/{name}"
    return links, shown


def _write(copy: Path, path: Path, item: SampledItem) -> bool:
    """Write the picture of an item; return whether there is one."""
    try:
        page = open_page(path, masks=item.masks, enough=LONGEST_SIDE)
        picture = whole_page(page, item.box, longest=LONGEST_SIDE)
    except InputError:
        return False
    copy.parent.mkdir(parents=True, exist_ok=True)
    write_whole(copy, jpeg_bytes(picture))
    return True
