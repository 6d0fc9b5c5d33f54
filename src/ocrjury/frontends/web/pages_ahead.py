"""Rating pages that are sent before their turn, and items that are put off until the end."""

from datetime import timedelta
from typing import Annotated, Final

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response
from pydantic import Field

from ocrjury.frontends.web.access.forms import Fields
from ocrjury.frontends.web.access.guests import Checked, Guest, Visitor
from ocrjury.frontends.web.access.people import check_form, note
from ocrjury.frontends.web.bodies import Body, Milliseconds
from ocrjury.frontends.web.image_pages import note_image
from ocrjury.frontends.web.item_page import AHEAD, IN_TURN, item_page, pace_of
from ocrjury.frontends.web.places import find_place, visit_of
from ocrjury.store.database import writing
from ocrjury.store.queue import postpone, task_after
from ocrjury.store.visits import show_visit

NOTHING: Final = 204
router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", include_in_schema=False)


class ShownBody(Body):
    """Notice that a page sent ahead is seen; `held_ms` is how long the browser kept it."""

    held_ms: Milliseconds = 0


class LaterBody(Body):
    """Notice that an item is put off."""

    event_id: Annotated[str, Field(max_length=64)] = ""


@router.get("/rate/ahead")
def show_ahead(visitor: Visitor, after: str) -> Response:
    """Send the page of the item that follows another one; nobody has seen it yet."""
    with writing(visitor.site.store.engine) as connection:
        pace = pace_of(connection, visitor)
        before = find_place(connection, visitor, after)
        names = [task.assignment for task in before.tasks]
        task = task_after(connection, visitor.link, names)
        if pace.must_rest or task is None or task.round_kind not in AHEAD:
            return Response(status_code=NOTHING)
        visit = visit_of(connection, visitor, task.assignment, ahead=True)
        place = find_place(connection, visitor, visit)
        printed = item_page(connection, visitor, place, pace=pace, ahead=True)
    return printed()


@api.post("/shown/{visit}")
def note_shown_page(visit: str, body: ShownBody, guest: Checked) -> dict[str, str]:
    """Note that a page which was sent ahead is seen now: its time and its traces begin."""
    at = guest.site.now() - timedelta(milliseconds=body.held_ms)
    with writing(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        seen = [
            task
            for task in place.tasks
            if show_visit(
                connection, visit_of(connection, guest, task.assignment, ahead=True), at=at
            )
        ]
        for task in seen:
            note(connection, guest, "view", target=task.assignment)
            if task.image_uri is not None and task.box is None:
                note(connection, guest, "view page", target=task.assignment)
    for task in seen:
        note_image(guest, task)
    return {}


@api.post("/later/{visit}")
def put_off(visit: str, body: LaterBody, guest: Checked) -> dict[str, str]:  # noqa: ARG001
    """Put an item off to the end of the queue, where it stays in every later session."""
    _put_off(guest, visit)
    return {"next": f"{guest.at}/rate"}


@router.post("/later/{visit}")
def put_off_by_form(visit: str, fields: Fields, visitor: Visitor) -> Response:
    """Put an item off from a browser without scripts."""
    check_form(visitor, fields)
    _put_off(visitor, visit)
    return RedirectResponse(f"{visitor.at}/rate", status_code=303)


def _put_off(guest: Guest, visit: str) -> None:
    with writing(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        if place.task.round_kind in IN_TURN:
            names = [task.assignment for task in place.tasks]
            postpone(connection, names, now=guest.site.now())
            note(connection, guest, "postpone", target=place.task.assignment)
