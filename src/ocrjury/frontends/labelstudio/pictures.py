"""Pictures of pages for raters: the rated region, drawn anew, or the address of the page."""

import base64
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from ocrjury.errors import InputError
from ocrjury.pages.page_images import cut_out, find_image, jpeg_bytes, open_page

NOTHING = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAlgAAAAMCAAAAACbjZzIAAAAMUlEQVR42u3SMREAAAjEMMC/58cE"
    "A0MioddOwb2RAGNhLIwFxsJYGAuMhbEwFhiL7xZ+xAEXqAAsvQAAAABJRU5ErkJggg=="
)
"""A picture of nothing, as flat as can be: Label Studio wants one in every task."""
WIDTH, HEIGHT = 1200, 1600
_MARGIN = 0.8


def picture_of(
    name: str | None,
    box: Sequence[float] | None,
    masks: Sequence[Sequence[float]] | None = None,
    *,
    folder: str,
    address: str | None = None,
) -> str:
    """Image field of a task: an address, or the picture as a data URI.

    Parameters
    ----------
    masks
        Places of the page that are painted over, as relative boxes.
    folder
        The folder that names of images are relative to, or its URL.
    address
        Below which the raters' browsers find them; None: each picture goes with its task.

    Raises
    ------
    InputError
        If the image is not in the folder, or is none, or too large; or if it has masks and
        raters' browsers would fetch it from elsewhere, unmasked.
    """
    if not name:
        return NOTHING
    elsewhere = address or (folder if "://" in folder else None)
    if masks and ("://" in name or elsewhere is not None):
        raise InputError(
            f"the image {name!r} has masks, but raters would fetch it from elsewhere as it is. "
            "Leave rounds.labelstudio.images out and give pool.images as a folder, so that "
            "masked pictures go with the tasks; or mask the files there and remove the masks."
        )
    if "://" in name:
        return name
    if elsewhere is not None:
        return f"{elsewhere.rstrip('/')}/{quote(name)}"
    path = find_image([Path(folder)], name)
    if path is None:
        raise InputError(
            f"there is no image {name!r} in {Path(folder)}. Fix pool.images, or set "
            "rounds.labelstudio.images to an address where raters find them."
        )
    # The place with its surroundings, or the whole page.
    page = open_page(path, masks=masks)
    piece = cut_out(page, [0, 0, 1, 1] if box is None else box, margin=_MARGIN)
    piece.thumbnail((WIDTH, HEIGHT))
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg_bytes(piece, quality=80)).decode()}"
