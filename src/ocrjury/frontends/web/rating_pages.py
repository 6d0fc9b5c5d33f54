"""The addresses of a rater: the next item, an earlier one, a break, what practice taught."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import MappingProxyType
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.access.forms import Fields
from ocrjury.frontends.web.access.guests import Guest, Visitor
from ocrjury.frontends.web.access.people import check_form, note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import RatingBody, body_of, judgement_of
from ocrjury.frontends.web.handing_in import HandedIn, hand_in_form
from ocrjury.frontends.web.item_page import (
    UNPROCESSABLE,
    Pace,
    Retry,
    Unprinted,
    guest_page,
    item_page,
    pace_of,
)
from ocrjury.frontends.web.item_view import Chosen, view_item
from ocrjury.frontends.web.places import find_place, first_of_each, visit_of
from ocrjury.frontends.web.practice import lessons_of
from ocrjury.frontends.web.refreshers import due, refresher_page
from ocrjury.frontends.web.rubric_news import rubric_news, version_word
from ocrjury.store.database import Connection, reading, writing
from ocrjury.store.draft_content import Judgement
from ocrjury.store.inbox import OwnAnswer, list_own_answers
from ocrjury.store.item_ratings import latest_answer, list_locked
from ocrjury.store.queue import known_ratings, last_done, next_task
from ocrjury.store.sessions import touch_session
from ocrjury.store.visits import find_visit, show_visit

router = APIRouter(include_in_schema=False)


@router.get("/")
def show_start(visitor: Visitor) -> Response:
    """Lead to the next item."""
    return RedirectResponse(f"{visitor.at}/rate", status_code=303)


@router.get("/rate")
def show_next(visitor: Visitor, guide: Annotated[str, Query(max_length=64)] = "") -> Response:
    """Show the next item, a break that is due, what changed in the guide, or the end.

    `guide` names the version of which the rater was told.
    """
    with writing(visitor.site.store.engine) as connection:
        printed = _next_page(connection, visitor, guide=guide)
    return printed()


def _next_page(connection: Connection, visitor: Guest, *, guide: str) -> Unprinted:
    pace = pace_of(connection, visitor)
    if pace.must_rest:
        return _rest(connection, visitor, pace)
    touch_session(connection, visitor.session, now=visitor.site.now())
    task = next_task(connection, visitor.link)
    if task is None:
        return _end(connection, visitor, pace)
    if pace.done == 0 and guide != version_word(visitor):
        news = rubric_news(connection, visitor, task.dimensions)
        if news is not None:
            return partial(guest_page, "news", visitor, pace, news=news)
    if (again := due(connection, visitor, task)) is not None:
        return refresher_page(connection, visitor, again, pace=pace)
    note(connection, visitor, "view", target=task.assignment)
    place = find_place(connection, visitor, visit_of(connection, visitor, task.assignment))
    return item_page(connection, visitor, place, pace=pace)


def _rest(connection: Connection, guest: Guest, pace: Pace) -> Unprinted:
    lessons, answers = lessons_of(connection, guest), answers_to(connection, guest)
    return partial(guest_page, "rest", guest, pace, lessons=lessons, answers=answers)


def _end(connection: Connection, guest: Guest, pace: Pace) -> Unprinted:
    return partial(
        guest_page,
        "end",
        guest,
        pace,
        talks=len(list_locked(connection, guest.link)),
        lessons=lessons_of(connection, guest),
        back=bool(changeable(connection, guest)),
        answers=answers_to(connection, guest),
    )


@router.get("/rate/{visit}")
def show_again(visit: str, visitor: Visitor) -> Response:
    """Show an item that may still be changed."""
    with writing(visitor.site.store.engine) as connection:
        place = find_place(connection, visitor, visit)
        task = place.task
        if task.state == "done" and task.assignment not in changeable(connection, visitor):
            raise Trouble(409, "closed", visitor.say("trouble_too_late"))
        show_visit(connection, visit, at=visitor.site.now())
        note(connection, visitor, "view", target=task.assignment, reason="again")
        touch_session(connection, visitor.session, now=visitor.site.now())
        printed = item_page(connection, visitor, place, pace=pace_of(connection, visitor))
    return printed()


@router.get("/previous")
def show_previous(visitor: Visitor, before: str = "") -> Response:
    """Lead to the item before this one, as long as it may be changed."""
    with writing(visitor.site.store.engine) as connection:
        this = find_visit(connection, visitor.link, before) if before else None
        assignment = _before(connection, visitor, this.assignment if this else "")
        if assignment is None:
            return RedirectResponse(f"{visitor.at}/rate", status_code=303)
        note(connection, visitor, "view", target=assignment)
        visit = visit_of(connection, visitor, assignment)
    return RedirectResponse(f"{visitor.at}/rate/{visit}", status_code=303)


@router.post("/rate/{visit}")
def take_form(visit: str, fields: Fields, visitor: Visitor) -> Response:
    """Take ratings from a browser without scripts; show again what cannot be taken."""
    check_form(visitor, fields)
    try:
        done = hand_in_form(visitor, visit, RatingBody.model_validate(body_of(fields)))
    except ValueError:
        alone = fields.get("outputs", "1") == "1"
        problem = visitor.say("incomplete" if alone else "outputs_incomplete")
        return _again(visitor, visit, fields, problem=problem)
    except Trouble as trouble:
        if trouble.status != UNPROCESSABLE:
            raise
        return _again(
            visitor, visit, fields, problem=trouble.sentence, notes=trouble.more.get("notes", {})
        )
    return RedirectResponse(after(visitor, visit, done), status_code=303)


@router.get("/pause")
def show_pause(visitor: Visitor) -> Response:
    """Show the page of a break that somebody takes."""
    with writing(visitor.site.store.engine) as connection:
        note(connection, visitor, "break", target=visitor.link.evaluation)
        printed = _rest(connection, visitor, pace_of(connection, visitor))
    return printed()


@router.get("/practice/{visit}")
def show_practice(visit: str, visitor: Visitor) -> Response:
    """Show what is known of a practice item, after its rating."""
    with writing(visitor.site.store.engine) as connection:
        place = find_place(connection, visitor, visit)
        task = place.task
        if task.round_kind != "pilot" or task.state != "done":
            raise Trouble(404, "unknown", visitor.say("trouble_unknown"))
        answer = latest_answer(connection, task.assignment)
        known = known_ratings(connection, task.evaluation, task.item)
        note(connection, visitor, "view", target=task.assignment, reason="after practice")
        pace = pace_of(connection, visitor)
    chosen = Chosen(values=answer.values, flags=answer.flags)
    return guest_page(
        "practice",
        visitor,
        pace,
        kind=task.round_kind,
        item=view_item(place, chosen, campaign=visitor.campaign, language=visitor.language),
        known={rating.dimension: rating for rating in known},
    )


def after(guest: Guest, visit: str, done: HandedIn) -> str:
    """Address to which a rater goes after an item."""
    if done.task.round_kind == "pilot":
        with reading(guest.site.store.engine) as connection:
            if known_ratings(connection, done.task.evaluation, done.task.item):
                return f"{guest.at}/practice/{visit}"
    return f"{guest.at}/rate"


def _again(
    guest: Guest,
    visit: str,
    fields: dict[str, str],
    *,
    problem: str,
    notes: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """Show an item with the content of a form, what is wrong with it, and what it breaks."""
    sent = Judgement(comment=fields.get("comment", ""))
    with suppress(ValueError):
        sent = judgement_of(fields)
    with writing(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        chosen = Chosen.of_draft(place.draft.rev if place.draft else 0, sent)
        chosen = replace(chosen, notes=notes)
        retry = Retry(chosen, fields.get("category") or None, problem)
        pace = pace_of(connection, guest)
        printed = item_page(connection, guest, place, pace=pace, retry=retry)
    return printed()


def changeable(connection: Connection, guest: Guest) -> list[str]:
    """Assignments that may still be changed, the newest first; after practice, none."""
    settings, since = guest.campaign.rounds.page, None
    if settings.change_minutes is not None:
        since = guest.site.now() - timedelta(minutes=settings.change_minutes)
    done = last_done(connection, guest.link, since=since, limit=settings.change_items)
    # Of all there are, none is looked up.
    return done if settings.change_items is None else first_of_each(connection, guest, done)


def _before(connection: Connection, guest: Guest, assignment: str) -> str | None:
    """First output of the place that was handed in before an assignment, or last of all."""
    those = changeable(connection, guest)
    start = those.index(assignment) + 1 if assignment in those else 0
    firsts = (first for name in those[start:] for first in first_of_each(connection, guest, [name]))
    return next((first for first in firsts if first != assignment), None)


def answers_to(connection: Connection, guest: Guest) -> list[OwnAnswer]:
    """Answers of leads to the remarks of a rater, the newest first."""
    return list_own_answers(connection, guest.link.evaluation, guest.link.who)
