"""Images of items at the desk: as raters see them, with the masks of the campaign."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ocrjury.errors import InputError
from ocrjury.frontends.web.access.leads import Lead, OnPage
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.bodies import NO_NUL
from ocrjury.frontends.web.desk.evaluation_view import standing_of
from ocrjury.frontends.web.image_pages import View, draw_jpeg
from ocrjury.pages.page_images import find_image, image_folders, image_hash
from ocrjury.store.database import reading, writing
from ocrjury.store.item_images import ItemImage, list_images

ImageState = Literal["none", "drawn", "changed", "gone"]
"""State of an item's image: none, as at the draw, changed since, or gone."""
router = APIRouter(include_in_schema=False)


class Pictured(NamedTuple):
    """Image of an item and its file."""

    image: ItemImage
    path: Path


def image_states(lead: Lead, evaluation: str, names: Sequence[str]) -> dict[str, ImageState]:
    """State of the image of each of some items that has one."""
    folders = image_folders(lead.site.campaign(evaluation))
    with reading(lead.site.store.engine) as connection:
        images = list_images(connection, evaluation, names)
    return {image.item: _state(image, find_image(folders, image.uri)) for image in images}


def _state(image: ItemImage, path: Path | None) -> ImageState:
    """State of an image whose file is found here, or not."""
    digest = image_hash(path)
    if digest is None:
        return "gone"
    return "drawn" if image.sha256 in {None, digest} else "changed"


def find_item_image(
    name: str,
    lead: OnPage,
    *,
    item: Annotated[str, Query(max_length=512, pattern=NO_NUL)] = "",
    view: View = "crop",
) -> Pictured:
    """Find the image of an item; who looks at a whole page is written down.

    The place that is rated belongs to the list of items, whose view is noted already.
    """
    evaluation = standing_of(lead, name).evaluation.evaluation
    engine = lead.site.store.engine
    with reading(engine) as connection:
        images = list_images(connection, evaluation, [item])
    path = find_image(
        image_folders(lead.site.campaign(evaluation)), images[0].uri if images else ""
    )
    if path is None:
        raise HTTPException(404)
    if view == "page" or images[0].box is None:
        with writing(engine) as connection:
            note(connection, lead, "view page", target=f"{evaluation} {item}")
    return Pictured(images[0], path)


@router.get("/desk/{name}/image")
async def show_item_image(
    pictured: Annotated[Pictured, Depends(find_item_image)], view: View = "crop"
) -> Response:
    """Show the place that raters rated, or its whole page, as JPEG."""
    try:
        body = await draw_jpeg(
            view, pictured.path, box=pictured.image.box, masks=pictured.image.masks
        )
    except InputError as error:
        raise HTTPException(404) from error
    return Response(body, media_type="image/jpeg")
