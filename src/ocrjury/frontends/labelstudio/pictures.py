"""What raters see of a page: the place that is rated, drawn anew, or the address of the page."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Pictures:
    """Where page images are.

    Attributes
    ----------
    folder
        The folder that names of images are relative to, or its URL.
    address
        Below which the raters' browsers find them; None: each picture goes with its task.
    """

    folder: str
    address: str | None = None

    def of(
        self,
        name: str | None,
        box: Sequence[float] | None,
        masks: Sequence[Sequence[float]] | None = None,
    ) -> str:
        """Image field of a task: an address, or the picture as a data URI.

        Parameters
        ----------
        masks
            Places of the page that are painted over, as relative boxes.

        Raises
        ------
        InputError
            If the image is not in the folder, or is none, or too large; or if it has masks and
            raters' browsers would fetch it from elsewhere, unmasked.
        """
        if not name:
            return NOTHING
        if masks and ("://" in name or self._elsewhere is not None):
            raise InputError(
                f"the image {name!r} has masks, but raters would fetch it from elsewhere as it is. "
                "Leave rounds.labelstudio.images out and give pool.images as a folder, so that "
                "masked pictures go with the tasks; or mask the files there and remove the masks."
            )
        if "://" in name:
            return name
        base = self._elsewhere
        if base is not None:
            return f"{base.rstrip('/')}/{quote(name)}"
        jpeg = _jpeg(_inside(Path(self.folder), name), box, masks)
        return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"

    @property
    def _elsewhere(self) -> str | None:
        """Address that browsers fetch pictures from; None if they go with the tasks."""
        return self.address or (self.folder if "://" in self.folder else None)


def _inside(folder: Path, name: str) -> Path:
    """Path of an image that lies in the folder."""
    path = find_image([folder], name)
    if path is None:
        raise InputError(
            f"there is no image {name!r} in {folder}. Fix pool.images, or set "
            "rounds.labelstudio.images to an address where raters find them."
        )
    return path


def _jpeg(
    path: Path, box: Sequence[float] | None, masks: Sequence[Sequence[float]] | None
) -> bytes:
    """Place with its surroundings, or the whole page."""
    picture = open_page(path, masks=masks)
    piece = cut_out(picture, [0, 0, 1, 1] if box is None else box, margin=_MARGIN)
    piece.thumbnail((WIDTH, HEIGHT))
    return jpeg_bytes(piece, quality=80)
