"""Items that a rater handed in lately, with their values, and the way back to change them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import Response

from ocrjury.campaign.flags import CANNOT_JUDGE
from ocrjury.campaign.guideline import guideline
from ocrjury.frontends.web.access.guests import Guest, Visitor
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.item_page import guest_page, pace_of
from ocrjury.frontends.web.places import first_of_each, visit_of
from ocrjury.frontends.web.rating_pages import answers_to, changeable
from ocrjury.scales import Scale
from ocrjury.store.database import Connection, writing
from ocrjury.store.item_ratings import LatestAnswer, answers_of
from ocrjury.store.queue import last_done, read_task
from ocrjury.store.visits import last_submitted

MOST: Final = 50
router = APIRouter(include_in_schema=False)


class OwnItem(NamedTuple):
    """An item that was handed in; `visit` leads back to it, None if it may not be changed."""

    position: int
    at: datetime | None
    answers: Sequence[tuple[str, str]]
    visit: str | None


@router.get("/mine")
def show_own_items(
    visitor: Visitor, number: Annotated[int, Query(alias="page", ge=1, le=10_000)] = 1
) -> Response:
    """Show what a rater handed in, the newest first, some at a time."""
    with writing(visitor.site.store.engine) as connection:
        start = (number - 1) * MOST
        listed = last_done(connection, visitor.link, limit=MOST + 1, offset=start)
        names, further = listed[:MOST], len(listed) > MOST
        open_to_change = {*changeable(connection, visitor)}
        open_to_change &= {*first_of_each(connection, visitor, names)}
        answers = answers_of(connection, names)
        items = [
            _own_item(connection, visitor, name, answer=answer, changes=name in open_to_change)
            for name in names
            if (answer := answers.get(name)) is not None
        ]
        note(connection, visitor, "list own items", target=visitor.link.evaluation)
        pace, replies = pace_of(connection, visitor), answers_to(connection, visitor)
    return guest_page(
        "mine", visitor, pace, items=items, answers=replies, number=number, further=further
    )


def _own_item(
    connection: Connection, guest: Guest, name: str, *, answer: LatestAnswer, changes: bool
) -> OwnItem:
    """An item with the answers that count."""
    task = read_task(connection, guest.link, name)
    rubric = guest.campaign.rubric
    named = {given: _level(rubric.scales[given], value) for given, value in answer.values.items()}
    named |= {given: _reason(guest, reason) for given, reason in answer.flags.items()}
    names = [dimension.name for dimension in rubric.dimensions if dimension.name in named]
    dimensions = guideline(rubric, names, language=guest.language).dimensions
    return OwnItem(
        task.position if task else 0,
        last_submitted(connection, name),
        [(dimension.title, named[dimension.name]) for dimension in dimensions],
        visit_of(connection, guest, name, ahead=True) if changes else None,
    )


def _level(scale: Scale, value: float) -> str:
    """Name of a level, or a number of a continuous scale."""
    names = dict(zip(scale.numbers, scale.categories, strict=True))
    return str(names.get(value, f"{value:g}"))


def _reason(guest: Guest, reason: str) -> str:
    """Reason why there is no level, in the rater's language."""
    return guest.say(reason if reason == CANNOT_JUDGE else f"flag_{reason}")
