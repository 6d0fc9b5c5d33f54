"""A panel: everybody votes alone; where votes differ, the panel talks and agrees."""

from datetime import datetime

from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.ingest import RawRating, receive_on
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import ConsensusBody
from ocrjury.frontends.web.guests import Guest
from ocrjury.store.database import Connection
from ocrjury.store.drafts import DraftRow, drop_draft, read_draft, save_draft
from ocrjury.store.item_ratings import Vote, list_votes
from ocrjury.store.queue import RatingTask
from ocrjury.store.remarks import add_note


def waits(connection: Connection, raw: RawRating, task: RatingTask) -> bool:
    """Return whether a right vote is the last on its item and differs from another.

    Such a vote is locked: were it stored, the round would be complete before the panel has met.
    """
    if task.state != "open":
        return False
    others = [
        one
        for one in list_votes(connection, task.evaluation, task.item, number=task.round)
        if one.assignment != raw.assignment
    ]
    given = [one.values for one in others if one.values is not None]
    return len(given) == len(others) and any(dict(one) != dict(raw.values) for one in given)


def lock_vote(
    connection: Connection,
    raw: RawRating,
    draft: DraftRow | None,
    *,
    now: datetime,
) -> None:
    """Keep a vote that awaits what the panel agrees on."""
    content = {
        "values": dict(raw.values),
        "flags": dict(raw.flags),
        "confidence": raw.confidence,
        "comment": (raw.comment or "").strip(),
        "told": dict.fromkeys(raw.told, True),
    }
    save_draft(
        connection,
        raw.assignment,
        content,
        base=draft.rev if draft else 0,
        event_id=raw.event_id,
        now=now,
        locked=True,
    )


def agree(
    connection: Connection,
    guest: Guest,
    task: RatingTask,
    *,
    body: ConsensusBody,
    rubric: Rubric,
    now: datetime,
) -> bool:
    """Store what a panel agreed on; return whether the round is complete with it.

    Every vote stays as the first revision; those who were there get what was agreed as their
    second one.

    Raises
    ------
    Trouble
        If nothing is to be agreed, somebody is named who did not vote, or a value is wrong.
    """
    votes = list_votes(connection, task.evaluation, task.item, number=task.round)
    if not any(one.locked for one in votes):
        raise Trouble(409, "stale", guest.say("trouble_stale"))
    there = [one for one in votes if one.rater in body.attendance]
    if guest.link.rater not in body.attendance or len(there) < len(set(body.attendance)):
        raise Trouble(422, "attendance", guest.say("trouble_attendance"))
    complete = False
    waited = [one for one in votes if one.locked]
    locked = [_locked(connection, guest, one, rubric_hash=body.rubric_hash) for one in waited]
    for sent in (locked, [_agreed(guest, one, body) for one in there]):
        received = receive_on(connection, task.evaluation, sent, rubric=rubric, now=now)
        if received.refused:
            raise Trouble(422, "refused", received.refused[0].what)
        complete = complete or received.complete
    for one in waited:
        drop_draft(connection, one.assignment)
    _write_down(connection, guest, task, body=body, now=now)
    return complete


def _locked(connection: Connection, guest: Guest, vote: Vote, *, rubric_hash: str) -> RawRating:
    """Return a vote that waited, as it was given."""
    draft = read_draft(connection, vote.assignment)
    if draft is None:
        raise Trouble(409, "stale", guest.say("trouble_stale"))
    return RawRating(
        assignment=vote.assignment,
        rater=vote.rater,
        values=draft.body["values"],
        event_id=draft.event_id,
        rubric_hash=rubric_hash,
        source="web",
        where=f"vote of {vote.rater}",
        flags=draft.body["flags"],
        confidence=draft.body["confidence"],
        comment=str(draft.body.get("comment") or ""),
        told=tuple(draft.body.get("told") or ()),
        address=guest.address,
        actor=guest.link.rater,
    )


def _agreed(guest: Guest, vote: Vote, body: ConsensusBody) -> RawRating:
    """Return what somebody who was there agreed to."""
    return RawRating(
        assignment=vote.assignment,
        rater=vote.rater,
        values=body.values,
        event_id=f"{body.event_id}/{vote.rater}",
        rubric_hash=body.rubric_hash,
        source="web",
        where=f"consensus of {vote.rater}",
        address=guest.address,
        actor=guest.link.rater,
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
            actor=guest.link.rater,
            now=now,
            attendance=sorted(body.attendance),
        )
