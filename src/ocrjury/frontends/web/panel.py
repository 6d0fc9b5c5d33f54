"""A panel: every expert votes alone; where votes differ, the panel talks and agrees.

Its pages show the items that await an agreement, and one of them with all votes.
"""

from collections.abc import Collection
from datetime import datetime
from secrets import token_urlsafe

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from ocrjury.errors import StateError
from ocrjury.frontends.ingest import Facts, RawRating, receive_on
from ocrjury.frontends.web.access.forms import Lists
from ocrjury.frontends.web.access.guests import Guest, Visitor
from ocrjury.frontends.web.access.people import check_form, note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import ConsensusBody, values_of
from ocrjury.frontends.web.item_page import UNPROCESSABLE, guest_page, pace_of
from ocrjury.frontends.web.item_view import Chosen, view_item
from ocrjury.frontends.web.places import find_facts, find_place, find_place_alone, visit_of
from ocrjury.frontends.web.second_looks import shuffled
from ocrjury.store.database import Connection, writing
from ocrjury.store.draft_content import Draft
from ocrjury.store.item_ratings import ItemRating, Vote, list_locked, list_votes
from ocrjury.store.queue import RatingTask
from ocrjury.store.remarks import add_note
from ocrjury.store.visits import DraftRow, drop_draft, read_draft, save_draft

router = APIRouter(include_in_schema=False)


def waits(connection: Connection, raw: RawRating, task: RatingTask) -> bool:
    """Return whether a valid vote is the last on its item and differs from another.

    Such a vote is locked: were it stored, the round would be complete before the panel has met.
    """
    if task.state != "open":
        return False
    others = [
        vote.values
        for vote in list_votes(connection, task.evaluation, task.item, number=task.round)
        if vote.assignment != raw.assignment
    ]
    given = [values for values in others if values is not None]
    return len(given) == len(others) and any(dict(values) != dict(raw.values) for values in given)


def lock_vote(
    connection: Connection,
    raw: RawRating,
    draft: DraftRow | None,
    *,
    now: datetime,
) -> None:
    """Keep a vote that awaits what the panel agrees on."""
    content = Draft(
        values=raw.values,
        flags=raw.flags,
        flag=raw.item_flag,
        confidence=raw.confidence,
        comment=(raw.comment or "").strip(),
        told=tuple(raw.told),
    )
    save_draft(
        connection,
        raw.assignment,
        content,
        base=draft.rev if draft else 0,
        event_id=raw.event_id,
        now=now,
        locked=True,
    )


def agree(guest: Guest, visit: str, body: ConsensusBody) -> str:
    """Store what a panel agreed on; returns where its experts go next. `Trouble` if refused."""
    facts = find_facts(guest, visit)
    try:
        with writing(guest.site.store.engine) as connection:
            task = find_place_alone(connection, guest, visit).task
            complete = _store_agreement(connection, guest, task, body=body, facts=facts)
            note(connection, guest, "agree", target=task.assignment)
    except StateError as error:
        raise Trouble(409, "closed", guest.say("trouble_closed")) from error
    guest.site.follow(guest.link.evaluation)
    if complete:
        guest.site.announce()
    return f"{guest.at}/panel"


def _store_agreement(
    connection: Connection, guest: Guest, task: RatingTask, *, body: ConsensusBody, facts: Facts
) -> bool:
    """Store what a panel agreed on; returns whether the round is complete with it.

    Every vote stays as the first revision; those who were there get what was agreed as their
    second one. `Trouble` if nothing is to be agreed, somebody is named who did not vote, or a
    value is wrong.
    """
    votes = list_votes(connection, task.evaluation, task.item, number=task.round)
    waiting = [vote for vote in votes if vote.locked]
    if not waiting:
        raise Trouble(409, "stale", guest.say("trouble_stale"))
    present = [vote for vote in votes if vote.rater in body.attendance]
    if guest.who not in body.attendance or len(present) < len(set(body.attendance)):
        raise Trouble(422, "attendance", guest.say("trouble_attendance"))
    complete, rubric, now = False, guest.campaign.rubric, guest.site.now()
    locked = [_locked(connection, guest, vote, rubric_hash=body.rubric_hash) for vote in waiting]
    for raws in (locked, [_agreed(guest, vote, body) for vote in present]):
        received = receive_on(
            connection, task.evaluation, raws, rubric=rubric, facts=facts, now=now
        )
        if received.refused:
            raise Trouble(422, "refused", received.refused[0].what)
        complete = complete or received.complete
    for vote in waiting:
        drop_draft(connection, vote.assignment)
    _write_down(connection, guest, task, body=body, now=now)
    return complete


def _locked(connection: Connection, guest: Guest, vote: Vote, *, rubric_hash: str) -> RawRating:
    """A vote that waited, as it was given."""
    draft = read_draft(connection, vote.assignment)
    if draft is None:
        raise Trouble(409, "stale", guest.say("trouble_stale"))
    return RawRating(
        assignment=vote.assignment,
        rater=vote.rater,
        values=draft.body.values,
        event_id=draft.event_id,
        rubric_hash=rubric_hash,
        source="web",
        where=f"vote of {vote.rater}",
        flags=draft.body.flags,
        confidence=draft.body.confidence,
        comment=draft.body.comment,
        item_flag=draft.body.flag,
        told=draft.body.told,
        address=guest.address,
        actor=guest.who,
    )


def _agreed(guest: Guest, vote: Vote, body: ConsensusBody) -> RawRating:
    """The agreement as the rating of an expert who was there."""
    return RawRating(
        assignment=vote.assignment,
        rater=vote.rater,
        values=body.values,
        event_id=f"{body.event_id}/{vote.assignment}",
        rubric_hash=body.rubric_hash,
        source="web",
        where=f"consensus of {vote.rater}",
        address=guest.address,
        actor=guest.who,
    )


def _write_down(
    connection: Connection, guest: Guest, task: RatingTask, *, body: ConsensusBody, now: datetime
) -> None:
    """Keep the record of the discussion and of what was agreed."""
    records: dict[str, dict[str, object]] = {
        "discussion": {"text": body.discussion.strip()},
        "consensus": {"values": dict(body.values)},
    }
    for kind, content in records.items():
        add_note(
            connection,
            task.evaluation,
            task.item,
            number=task.round,
            kind=kind,
            body=content,
            actor=guest.who,
            now=now,
            attendance=sorted(body.attendance),
        )


@router.get("/panel")
def show_panel(visitor: Visitor) -> Response:
    """Show the items that wait for an agreement."""
    with writing(visitor.site.store.engine) as connection:
        pace = pace_of(connection, visitor)
        visits = [
            visit_of(connection, visitor, assignment)
            for assignment in list_locked(connection, visitor.link)
        ]
    return guest_page("panel", visitor, pace, visits=visits)


@router.get("/panel/{visit}")
def show_votes(visit: str, visitor: Visitor) -> Response:
    """Show one item with the votes on it, without names, and the form for an agreement."""
    return votes_page(visitor, visit)


@router.post("/panel/{visit}")
def take_agreement(lists: Lists, visit: str, visitor: Visitor) -> Response:
    """Take what a panel agreed on from a browser without scripts."""
    fields = {name: values[-1] for name, values in lists.items()}
    check_form(visitor, fields)
    present, discussion = lists.get("attendance", []), fields.get("discussion", "")
    chosen = Chosen()
    try:
        chosen = Chosen(values=values_of(fields))
        body = ConsensusBody(
            event_id=fields.get("event_id", ""),
            rubric_hash=fields.get("rubric_hash", ""),
            values=dict(chosen.values),
            discussion=discussion.strip(),
            attendance=present,
        )
        return RedirectResponse(agree(visitor, visit, body), status_code=303)
    except ValueError:
        problem = visitor.say("trouble_agreement")
    except Trouble as trouble:
        if trouble.status != UNPROCESSABLE:
            raise
        problem = trouble.sentence
    return votes_page(
        visitor, visit, chosen=chosen, discussion=discussion, present=present, problem=problem
    )


def votes_page(
    guest: Guest,
    visit: str,
    *,
    chosen: Chosen | None = None,
    discussion: str = "",
    present: Collection[str] = (),
    problem: str | None = None,
) -> Response:
    """Page of one item with its votes, the content of its form and what is wrong with it."""
    with writing(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        task = place.task
        votes = list_votes(connection, task.evaluation, task.item, number=task.round)
        if task.round_kind != "panel" or not any(vote.locked for vote in votes):
            raise Trouble(409, "stale", guest.say("trouble_stale"))
        pace = pace_of(connection, guest)
        note(connection, guest, "view", target=task.assignment, reason="votes")
    given = [ItemRating(vote.rater, vote.values or {}, vote.comment) for vote in votes]
    return guest_page(
        "votes",
        guest,
        pace,
        status=200 if problem is None else UNPROCESSABLE,
        item=view_item(place, chosen or Chosen(), campaign=guest.campaign, language=guest.language),
        event=token_urlsafe(16),
        others=shuffled(given, seed=visit),
        voters=sorted(vote.rater for vote in votes),
        present={*present, guest.who},
        discussion=discussion,
        problem=problem,
    )
