"""Images of items: a crop of the place that is rated, and the whole page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import anyio.to_thread
from fastapi import APIRouter, Depends
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ocrjury.frontends.web.access.people import Visitor, note
from ocrjury.frontends.web.page_images import Masks, NoImage, crop_jpeg, find_image, page_jpeg
from ocrjury.frontends.web.places import find_task
from ocrjury.pages.page_images import image_folders
from ocrjury.store.database import reading, writing

router = APIRouter(include_in_schema=False)
_ONE_AT_A_TIME = anyio.CapacityLimiter(1)
"""A page takes much memory; those who wait for one must not keep others from handing in."""


class Picture(NamedTuple):
    """The file of a picture, the place in it that is rated, and those that nobody sees."""

    path: Path
    box: Sequence[float] | None
    masks: Masks


def find_picture(visit: str, view: Literal["crop", "page"], visitor: Visitor) -> Picture:
    """Find the picture of a visit; who looks at a whole page is written down.

    The place that is rated belongs to the item, whose view is noted already.
    """
    engine = visitor.site.store.engine
    with writing(engine) if view == "page" else reading(engine) as connection:
        _, task = find_task(connection, visitor, visit)
        if view == "page":
            note(connection, visitor, "view page", target=task.assignment)
    try:
        path = find_image(image_folders(visitor.campaign), task.image_uri)
        return Picture(path, task.box, task.masks)
    except NoImage as error:
        raise HTTPException(404) from error


@router.get("/images/{visit}/{view}")
async def show_image(
    view: Literal["crop", "page"], picture: Annotated[Picture, Depends(find_picture)]
) -> Response:
    """Show a picture of an item that this rater has, as JPEG."""
    make = crop_jpeg if view == "crop" else page_jpeg
    try:
        body = await anyio.to_thread.run_sync(make, *picture, limiter=_ONE_AT_A_TIME)
    except NoImage as error:
        raise HTTPException(404) from error
    return Response(body, media_type="image/jpeg")
