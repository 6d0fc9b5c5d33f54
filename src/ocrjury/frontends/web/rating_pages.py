"""The pages of a rater: the next item, an earlier one, what practice taught, the end."""

from contextlib import suppress
from datetime import timedelta
from secrets import token_urlsafe
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web import second_looks
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.audit_lines import note_view
from ocrjury.frontends.web.bodies import RatingBody
from ocrjury.frontends.web.guests import Guest, checked_form, guest_of
from ocrjury.frontends.web.handing_in import HandedIn, Place, find_place, hand_in_or_judge
from ocrjury.frontends.web.item_view import Chosen, view_item
from ocrjury.frontends.web.pair_page import pair_page
from ocrjury.frontends.web.pairs import first_of_each, outputs_beside
from ocrjury.frontends.web.posted_answers import body_of
from ocrjury.frontends.web.rendering import page
from ocrjury.frontends.web.signing_in import Fields
from ocrjury.frontends.web.work_pace import Pace, pace_of
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection, reading, writing
from ocrjury.store.item_ratings import list_locked
from ocrjury.store.queue import known_ratings, last_done, next_task
from ocrjury.store.ratings import newest_answers
from ocrjury.store.remarks import read_comment
from ocrjury.store.sessions import touch_session
from ocrjury.store.visits import find_visit, open_visit

router = APIRouter(include_in_schema=False)
Visitor = Annotated[Guest, Depends(guest_of)]
UNPROCESSABLE = 422


class Opened(NamedTuple):
    """An item with its visit, and how far its rater is."""

    place: Place
    pace: Pace


class Retry(NamedTuple):
    """What a form held that could not be taken, and why."""

    chosen: Chosen
    category: str | None
    problem: str


@router.get("/")
def show_start(_visitor: Visitor) -> Response:
    """Return the way to the next item."""
    return RedirectResponse("/rate", status_code=303)


@router.get("/rate")
def show_next(visitor: Visitor) -> Response:
    """Return the next item, a pause that is due, or the end."""
    site, campaign = visitor.site, visitor.campaign
    with writing(site.store.engine) as connection:
        pace = pace_of(connection, visitor, campaign, now=site.now())
        if pace.must_rest:
            return _rest(visitor, pace)
        touch_session(connection, visitor.session, now=site.now())
        task = next_task(connection, visitor.link)
        if task is None:
            return _end(visitor, pace, talks=len(list_locked(connection, visitor.link)))
        visit = _open(connection, visitor, task.assignment)
        place = find_place(connection, visitor, visit)
        return _item(connection, visitor, Opened(place, pace))


@router.get("/rate/{visit}")
def show_again(visit: str, visitor: Visitor) -> Response:
    """Return an item that may still be changed."""
    site, campaign = visitor.site, visitor.campaign
    with writing(site.store.engine) as connection:
        place = find_place(connection, visitor, visit)
        pace = pace_of(connection, visitor, campaign, now=site.now())
        if place.task.state == "done" and place.task.assignment not in _changeable(
            connection, visitor
        ):
            raise Trouble(409, "closed", visitor.say("trouble_too_late"))
        note_view(connection, visitor, place.task.assignment, reason="again")
        touch_session(connection, visitor.session, now=site.now())
        return _item(connection, visitor, Opened(place, pace))


@router.get("/previous")
def show_previous(visitor: Visitor, before: str = "") -> Response:
    """Return the way to the item before this one, as long as it may be changed."""
    site = visitor.site
    with writing(site.store.engine) as connection:
        there = _changeable(connection, visitor)
        this = find_visit(connection, visitor.link, before) if before else None
        place = there.index(this.assignment) + 1 if this and this.assignment in there else 0
        if place >= len(there):
            return RedirectResponse("/rate", status_code=303)
        visit = _open(connection, visitor, there[place])
    return RedirectResponse(f"/rate/{visit}", status_code=303)


@router.post("/rate/{visit}")
def take_form(
    visit: str,
    fields: Fields,
    visitor: Annotated[Guest, Depends(guest_of)],
) -> Response:
    """Take a rating from a browser without scripts; show again what cannot be taken."""
    checked_form(visitor, fields)
    try:
        body = RatingBody.model_validate(body_of(fields))
        done = hand_in_or_judge(visitor, visit, body)
    except ValueError:
        return _again(visitor, visit, fields, problem=visitor.say("trouble_incomplete"))
    except Trouble as trouble:
        if trouble.status != UNPROCESSABLE:
            raise
        return _again(visitor, visit, fields, problem=trouble.sentence)
    return RedirectResponse(after(visitor, visit, done), status_code=303)


@router.get("/pause")
def show_pause(visitor: Visitor) -> Response:
    """Return the page of a break that somebody takes."""
    with writing(visitor.site.store.engine) as connection:
        pace = pace_of(connection, visitor, visitor.campaign, now=visitor.site.now())
        add_audit(
            connection,
            "break",
            actor=visitor.link.rater,
            object_=visitor.link.evaluation,
            address=visitor.address,
            now=visitor.site.now(),
        )
    return _rest(visitor, pace)


@router.get("/practice/{visit}")
def show_practice(visit: str, visitor: Visitor) -> Response:
    """Return what is known of an item that somebody practised on, after the rating."""
    site, campaign = visitor.site, visitor.campaign
    with writing(site.store.engine) as connection:
        place = find_place(connection, visitor, visit)
        if place.task.round_kind != "pilot" or place.task.state != "done":
            raise Trouble(404, "unknown", visitor.say("trouble_unknown"))
        values, flags, _ = newest_answers(connection, place.task.assignment)
        known = known_ratings(connection, place.task.evaluation, place.task.item)
        note_view(connection, visitor, place.task.assignment, reason="after practice")
        pace = pace_of(connection, visitor, campaign, now=site.now())
    settings = campaign.rounds.page
    item = view_item(
        place.task,
        visit,
        Chosen(values=values, flags=flags),
        rubric=campaign.rubric,
        page=settings,
        language=visitor.language,
    )
    return page(
        "practice",
        language=visitor.language,
        guest=visitor,
        pace=pace,
        item=item,
        known={one.dimension: one for one in known},
    )


def after(guest: Guest, visit: str, done: HandedIn) -> str:
    """Return where a rater goes after an item."""
    if done.task.round_kind == "pilot":
        with reading(guest.site.store.engine) as connection:
            if known_ratings(connection, done.task.evaluation, done.task.item):
                return f"/practice/{visit}"
    return "/rate"


def _open(connection: Connection, guest: Guest, assignment: str) -> str:
    """Return the visit of an assignment that somebody looks at, and note who looked."""
    add_audit(
        connection,
        "view",
        actor=guest.link.rater,
        object_=assignment,
        address=guest.address,
        now=guest.site.now(),
    )
    return open_visit(
        connection,
        assignment,
        session_hash=guest.session.session_hash,
        client=guest.client,
        now=guest.site.now(),
    )


def _again(guest: Guest, visit: str, fields: dict[str, str], *, problem: str) -> Response:
    """Return an item with what a form held, and what is wrong with it."""
    sent: dict[str, object] = {"comment": fields.get("comment", "")}
    with suppress(ValueError):
        sent = body_of(fields)
    with writing(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        pace = pace_of(connection, guest, guest.campaign, now=guest.site.now())
        chosen = Chosen.of_draft(place.draft.rev if place.draft else 0, sent)
        retry = Retry(chosen, fields.get("category") or None, problem)
        return _item(connection, guest, Opened(place, pace), retry=retry)


def _item(
    connection: Connection, guest: Guest, opened: Opened, *, retry: Retry | None = None
) -> Response:
    """Return the page of an item, or of all outputs of its page side by side."""
    place, pace = opened
    outputs = outputs_beside(connection, guest, place)
    if outputs is not None:
        return pair_page(connection, guest, outputs, pace=pace)
    task, campaign = place.task, guest.campaign
    draft = place.draft.body if place.draft else None
    seconds = task.round_kind == "adjudication" and (
        second_looks.has_looked(draft) or task.state == "done"
    )
    others = second_looks.other_ratings(connection, task, place.visit.visit) if seconds else None
    item = view_item(
        task,
        place.visit.visit,
        _chosen(connection, place) if retry is None else retry.chosen,
        rubric=campaign.rubric,
        page=campaign.rounds.page,
        language=guest.language,
    )
    return page(
        "item",
        status=200 if retry is None else UNPROCESSABLE,
        language=guest.language,
        guest=guest,
        pace=pace,
        item=item,
        event=token_urlsafe(16),
        kind=task.round_kind,
        changing=task.state == "done",
        others=others,
        categories=second_looks.CATEGORIES,
        category=retry.category if retry else None,
        problem=retry.problem if retry else None,
    )


def _chosen(connection: Connection, place: Place) -> Chosen:
    """Return what was chosen so far: the draft, else what was handed in."""
    if place.draft is not None:
        return Chosen.of_draft(place.draft.rev, place.draft.body)
    if place.task.state != "done":
        return Chosen()
    values, flags, confidence = newest_answers(connection, place.task.assignment)
    comment = read_comment(connection, place.task.assignment)
    own = {name: why for name, why in flags.items() if why == "cannot_judge"}
    other = next((why for why in flags.values() if why != "cannot_judge"), None)
    return Chosen(0, values, own, comment, other, confidence)


def _changeable(connection: Connection, guest: Guest) -> list[str]:
    """Return the items that may still be changed, the newest first; after practice, none."""
    settings = guest.campaign.rounds.page
    since = guest.site.now() - timedelta(minutes=settings.change_minutes)
    done = last_done(connection, guest.link, since=since, limit=settings.change_items)
    return first_of_each(connection, guest, done)


def _rest(guest: Guest, pace: Pace) -> Response:
    """Return the page that says to rest."""
    return page("rest", language=guest.language, guest=guest, pace=pace)


def _end(guest: Guest, pace: Pace, *, talks: int) -> Response:
    """Return the page that says that nothing is left."""
    return page("end", language=guest.language, guest=guest, pace=pace, talks=talks)
