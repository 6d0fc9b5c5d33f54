"""The pages of a rater: the next item, an earlier one, what practice taught, the end."""

from datetime import timedelta
from secrets import token_urlsafe
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends
from fastapi.responses import RedirectResponse, Response
from pydantic import ValidationError

from ocrjury.frontends.web import second_looks
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import Conditions, RatingBody
from ocrjury.frontends.web.guests import Guest, checked_form, guest_of
from ocrjury.frontends.web.handing_in import HandedIn, Place, find_place, hand_in
from ocrjury.frontends.web.item_view import Chosen, view_item
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


class Opened(NamedTuple):
    """An item with its visit, and how far its rater is."""

    place: Place
    pace: Pace


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
    """Take a rating from a browser without scripts."""
    checked_form(visitor, fields)
    try:
        body = _body_of(fields)
    except (ValidationError, ValueError) as error:
        raise Trouble(422, "shape", visitor.say("trouble_incomplete")) from error
    done = hand_in(visitor, visit, body)
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


def _item(connection: Connection, guest: Guest, opened: Opened) -> Response:
    """Return the page of an item."""
    place, pace = opened
    task, campaign = place.task, guest.campaign
    draft = place.draft.body if place.draft else None
    seconds = task.round_kind == "adjudication" and (
        second_looks.has_looked(draft) or task.state == "done"
    )
    others = second_looks.other_ratings(connection, task, place.visit.visit) if seconds else None
    item = view_item(
        task,
        place.visit.visit,
        _chosen(connection, place),
        rubric=campaign.rubric,
        page=campaign.rounds.page,
        language=guest.language,
    )
    return page(
        "item",
        language=guest.language,
        guest=guest,
        pace=pace,
        item=item,
        event=token_urlsafe(16),
        kind=task.round_kind,
        changing=task.state == "done",
        others=others,
        categories=second_looks.CATEGORIES,
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
    return last_done(connection, guest.link, since=since, limit=settings.change_items)


def _rest(guest: Guest, pace: Pace) -> Response:
    """Return the page that says to rest."""
    return page("rest", language=guest.language, guest=guest, pace=pace)


def _end(guest: Guest, pace: Pace, *, talks: int) -> Response:
    """Return the page that says that nothing is left."""
    return page("end", language=guest.language, guest=guest, pace=pace, talks=talks)


def _body_of(fields: dict[str, str]) -> RatingBody:
    """Return a posted form as the body that a script would send."""
    values = {
        name.removeprefix("value-"): float(text)
        for name, text in fields.items()
        if name.startswith("value-") and text not in {"", "cannot_judge"}
    }
    flags = {
        name.removeprefix("value-"): "cannot_judge"
        for name, text in fields.items()
        if name.startswith("value-") and text == "cannot_judge"
    }
    return RatingBody.model_validate(
        {
            "event_id": fields.get("event_id", ""),
            "base": int(fields.get("base", "0")),
            "rubric_hash": fields.get("rubric_hash", ""),
            "values": values,
            "flags": flags,
            "flag": fields.get("flag") or None,
            "comment": fields.get("comment", ""),
            "confidence": float(fields["confidence"]) if fields.get("confidence") else None,
            "category": fields.get("category") or None,
            "conditions": Conditions(script=False).model_dump(),
        }
    )
