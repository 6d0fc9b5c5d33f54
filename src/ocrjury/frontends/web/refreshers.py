"""An item of practice, once more, for a rater who comes back after a pause; it is no rating.

The page says how the answer compares with the first one and with what was expected. The rater was
told that in the pilot, so that nothing is learnt of hidden gold. The answer stays with the visit.
"""

from datetime import timedelta
from secrets import token_urlsafe
from typing import Final

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.ingest import value_problems
from ocrjury.frontends.web.access.forms import Fields
from ocrjury.frontends.web.access.guests import Guest, Visitor
from ocrjury.frontends.web.access.people import check_form, note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import RatingBody, body_of
from ocrjury.frontends.web.item_page import (
    UNPROCESSABLE,
    Pace,
    Unprinted,
    guest_page,
    pace_of,
)
from ocrjury.frontends.web.item_view import Chosen, view_item
from ocrjury.frontends.web.places import Place, find_practised, visit_of
from ocrjury.store.database import Connection, reading, writing
from ocrjury.store.item_ratings import latest_answer
from ocrjury.store.practice import AGAIN, last_work, next_practised, practised_again
from ocrjury.store.queue import RatingTask, known_ratings
from ocrjury.store.sessions import touch_session
from ocrjury.store.visits import close_visit, name_work

COUNTED: Final = ("main", "adaptive")
"""Rounds whose ratings count together, so that drift would matter."""
router = APIRouter(include_in_schema=False)


def due(connection: Connection, guest: Guest, task: RatingTask) -> Place | None:
    """Practised item that comes before a task, None without one.

    It comes after a pause as long as a session of this campaign: a rater who only takes a break
    within one goes on where they were.
    """
    last = last_work(connection, guest.link)
    pause = timedelta(minutes=guest.campaign.raters.session_minutes)
    if task.round_kind not in COUNTED or last is None or guest.site.now() - last < pause:
        return None
    assignment = next_practised(connection, guest.link, task.dimensions)
    if assignment is None:
        return None
    return find_practised(connection, guest, visit_of(connection, guest, assignment))


def refresher_page(
    connection: Connection,
    guest: Guest,
    place: Place,
    *,
    pace: Pace,
    chosen: Chosen | None = None,
    problem: str | None = None,
) -> Unprinted:
    """Page of a practised item, to be rated again."""
    task = place.task
    note(connection, guest, "view", target=task.assignment, reason="practise again")
    facts = {
        "work": name_work(connection, task.assignment),
        "in_turn": False,
        "follows": False,
        "ahead": False,
        "again": True,
        "event": token_urlsafe(16),
        "kind": "pilot",
        "changing": False,
        "others": None,
        "problem": problem,
    }

    def printed() -> Response:
        item = view_item(
            place, chosen or Chosen(), campaign=guest.campaign, language=guest.language
        )
        status = UNPROCESSABLE if problem else 200
        return guest_page("item", guest, pace, status=status, item=item, **facts)

    return printed


def keep_again(guest: Guest, visit: str, body: RatingBody) -> None:
    """Keep an answer with its visit, once; `Trouble` if it is incomplete or off the scale."""
    now = guest.site.now()
    with writing(guest.site.store.engine) as connection:
        place = find_practised(connection, guest, visit)
        if place.visit.submitted_at is not None:
            return
        unrated = {name for name in place.task.dimensions if name not in body.values}
        wrong = value_problems(
            body.values,
            dimensions=place.task.dimensions,
            scale=guest.campaign.rubric.scales,
            flagged=unrated if body.flag is not None else body.flags,
        )
        if wrong:
            raise Trouble(UNPROCESSABLE, "incomplete", guest.say("incomplete"))
        seen_until = max(now - timedelta(milliseconds=body.held_ms), place.visit.first_open)
        close_visit(
            connection,
            place.visit,
            active_ms=body.active_ms if body.conditions.script else None,
            conditions=body.conditions.model_dump() | {"hasty": False, AGAIN: body.values},
            now=seen_until,
        )
        touch_session(connection, guest.session, now=now)
        note(connection, guest, "practise again", target=place.task.assignment)


@router.post("/again/{visit}")
def take_form(visit: str, fields: Fields, visitor: Visitor) -> Response:
    """Take the same from a browser without scripts."""
    check_form(visitor, fields)
    try:
        body = RatingBody.model_validate(body_of(fields))
    except ValueError:
        return RedirectResponse(f"{visitor.at}/rate", status_code=303)
    try:
        keep_again(visitor, visit, body)
    except Trouble as trouble:
        if trouble.status != UNPROCESSABLE:
            raise
        chosen = Chosen.of_draft(0, body.draft())
        with writing(visitor.site.store.engine) as connection:
            printed = refresher_page(
                connection,
                visitor,
                find_practised(connection, visitor, visit),
                pace=pace_of(connection, visitor),
                chosen=chosen,
                problem=trouble.sentence,
            )
        return printed()
    return RedirectResponse(f"{visitor.at}/again/{visit}", status_code=303)


@router.get("/again/{visit}")
def show_comparison(visit: str, visitor: Visitor) -> Response:
    """Show how an answer compares with the first one and with what was expected."""
    with reading(visitor.site.store.engine) as connection:
        place = find_practised(connection, visitor, visit)
        values = practised_again(connection, visit)
        if values is None:
            return RedirectResponse(f"{visitor.at}/rate", status_code=303)
        known = known_ratings(connection, place.task.evaluation, place.task.item)
        before = latest_answer(connection, place.task.assignment).values
        pace = pace_of(connection, visitor)
    chosen = Chosen(values=values)
    return guest_page(
        "practice",
        visitor,
        pace,
        kind="pilot",
        item=view_item(place, chosen, campaign=visitor.campaign, language=visitor.language),
        known={rating.dimension: rating for rating in known},
        before=before,
    )
