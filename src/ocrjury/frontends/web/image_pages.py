"""Images of items as raters see them: a crop of the place that is rated, and the whole page."""

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import anyio.to_thread
from fastapi import APIRouter, Depends
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ocrjury.errors import InputError
from ocrjury.frontends.web.access.guests import Guest, Visitor
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.places import find_seen
from ocrjury.pages.page_images import (
    cut_out,
    find_image,
    image_folders,
    image_hash,
    jpeg_bytes,
    open_page,
    whole_page,
)
from ocrjury.store.database import reading, writing
from ocrjury.store.queue import RatingTask
from ocrjury.store.shown_images import ShownImage, note_shown

LONGEST_SIDE, CROP_WIDTH, MARGIN = 2200, 1600, 0.8
FLATTEST = 0.3
"""The least height of a crop, as a share of its width."""
LABEL = 0.16
"""Room in a crop for the label of a field, as a share of the page's width."""
M_MMAP_THRESHOLD, LARGE = -3, 500_000
_ONE_AT_A_TIME = anyio.CapacityLimiter(1)
"""A page takes much memory; those who wait for one must not keep others from handing in."""
Masks = Sequence[Sequence[float]] | None
View = Literal["crop", "page"]
router = APIRouter(include_in_schema=False)


class Picture(NamedTuple):
    """The file of a picture, and the task that it belongs to."""

    path: Path
    task: RatingTask
    visitor: Visitor
    seen: bool

    def note(self, shown: str | None) -> None:
        """Keep what is shown if it is not what was drawn; None: nothing."""
        if self.seen:
            _note(self.visitor, self.task, shown)


def note_image(visitor: Guest, task: RatingTask) -> None:
    """Keep which image is shown on a page that was sent ahead, once it is seen."""
    if task.image_uri is not None:
        path = find_image(image_folders(visitor.campaign), task.image_uri)
        _note(visitor, task, image_hash(path))


def _note(visitor: Guest, task: RatingTask, shown: str | None) -> None:
    image = ShownImage(task.doc_id, task.image_sha256, shown)
    note_shown(visitor.site.store.engine, task.evaluation, [image], now=visitor.site.now())


def give_back_pictures() -> None:
    """Let the memory of a picture go back to the system at once (glibc).

    Otherwise it learns from the first picture to keep such memory, in pieces between the rest.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)


def find_picture(visit: str, view: View, visitor: Visitor) -> Picture:
    """Find the picture of a visit; who looks at a whole page is written down.

    The place that is rated belongs to the item, whose view is noted already. Of a page that was
    sent ahead nothing is noted before it is seen.
    """
    engine = visitor.site.store.engine
    with writing(engine) if view == "page" else reading(engine) as connection:
        row, task = find_seen(connection, visitor, visit)
        seen = row.sent_ahead is None
        if view == "page" and seen:
            note(connection, visitor, "view page", target=task.assignment)
    path = find_image(image_folders(visitor.campaign), task.image_uri)
    if task.image_uri is not None and seen:
        _note(visitor, task, image_hash(path))
    if path is None:
        raise HTTPException(404)
    return Picture(path, task, visitor, seen)


@router.get("/images/{visit}/{view}")
async def show_image(view: View, picture: Annotated[Picture, Depends(find_picture)]) -> Response:
    """Show a picture of an item that this rater has, as JPEG."""
    try:
        body = await draw_jpeg(view, picture.path, box=picture.task.box, masks=picture.task.masks)
    except InputError as error:  # it is none, or has more pixels than this process should take
        await anyio.to_thread.run_sync(picture.note, None)
        raise HTTPException(404) from error
    return Response(body, media_type="image/jpeg")


async def draw_jpeg(view: View, path: Path, *, box: Sequence[float] | None, masks: Masks) -> bytes:
    """Picture as JPEG, as raters and leads see it; one is drawn at a time.

    `InputError` if it is none, or has more pixels than this process should take.
    """
    draw = crop_jpeg if view == "crop" else page_jpeg
    return await anyio.to_thread.run_sync(draw, path, box, masks, limiter=_ONE_AT_A_TIME)


def page_jpeg(path: Path, box: Sequence[float] | None, masks: Masks) -> bytes:
    """Whole scanned page, with a frame around the place that is rated."""
    picture = open_page(path, masks=masks, enough=LONGEST_SIDE)
    return jpeg_bytes(whole_page(picture, box, longest=LONGEST_SIDE))


def crop_jpeg(path: Path, box: Sequence[float] | None, masks: Masks) -> bytes:
    """Place that is rated with its surroundings; without a place, the whole scanned page."""
    if box is None:
        return page_jpeg(path, None, masks)
    picture = open_page(path, masks=masks, enough=LONGEST_SIDE)
    piece = cut_out(picture, box, margin=MARGIN, flattest=FLATTEST, label=LABEL, framed=True)
    piece.thumbnail((CROP_WIDTH, CROP_WIDTH))
    return jpeg_bytes(piece)
