"""Save what a rater chooses, and take what a rater hands in, through the one validator."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import StateError
from ocrjury.frontends.ingest import (
    RawRating,
    Received,
    broken_rules,
    problem_with,
    receive_on,
)
from ocrjury.frontends.web import panel_votes, second_looks
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import ConsensusBody, DraftBody, DraftSaved, RatingBody
from ocrjury.frontends.web.guests import Guest
from ocrjury.store.asked import read_asked
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection, reading, writing
from ocrjury.store.drafts import DraftRow, drop_draft, read_draft, save_draft
from ocrjury.store.queue import RatingTask, read_task
from ocrjury.store.ratings import known_event
from ocrjury.store.sessions import touch_session
from ocrjury.store.visits import VisitRow, close_visit, find_visit, overtaken


class Place(NamedTuple):
    """An item that a rater works on: its visit, its assignment and what is chosen so far."""

    visit: VisitRow
    task: RatingTask
    draft: DraftRow | None


class HandedIn(NamedTuple):
    """What became of a rating: whether it practised, awaits a panel, ended its round."""

    task: RatingTask
    complete: bool = False


def find_place(connection: Connection, guest: Guest, visit: str) -> Place:
    """Return the place that a visit names.

    Raises
    ------
    Trouble
        If it is not this rater's, or its round is over.
    """
    found = find_visit(connection, guest.link, visit)
    if found is None:
        raise Trouble(404, "unknown", guest.say("trouble_unknown"))
    task = read_task(connection, guest.link, found.assignment)
    if task is None:
        raise Trouble(409, "closed", guest.say("trouble_closed"))
    return Place(found, task, read_draft(connection, found.assignment))


def keep_draft(guest: Guest, visit: str, body: DraftBody) -> DraftSaved:
    """Save what is chosen so far; return the rules that it breaks."""
    site, campaign = guest.site, guest.campaign
    with writing(site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        if overtaken(connection, place.visit):
            raise _stale(guest)
        broken = broken_rules(place.task, body.values, campaign.rubric, language=guest.language)
        told = {one.dimension: one.sentence for one in broken}
        content = {**_content(body), **_kept(place.draft), "told": _told(place.draft, told)}
        rev = save_draft(
            connection,
            place.task.assignment,
            content,
            base=body.base,
            event_id=body.event_id,
            now=site.now(),
        )
        touch_session(connection, guest.session, now=site.now())
    if rev is None:
        raise _stale(guest)
    return DraftSaved(rev=rev, notes=told)


def hand_in(guest: Guest, visit: str, body: RatingBody) -> HandedIn:
    """Store a rating with everything beside it, in one transaction.

    Raises
    ------
    Trouble
        If it is refused; the reason is in quarantine too.
    """
    campaign = guest.campaign
    try:
        with writing(guest.site.store.engine) as connection:
            place = find_place(connection, guest, visit)
            if known_event(connection, body.event_id):
                return HandedIn(place.task)
            if overtaken(connection, place.visit) or _moved_on(place.draft, body):
                raise _stale(guest)
            received, done = _store(connection, guest, (place, campaign, body))
    except StateError as error:
        raise Trouble(409, "closed", guest.say("trouble_closed")) from error
    if received is not None and received.refused:
        raise Trouble(422, "refused", received.refused[0].what)
    if done.complete:
        guest.site.announce()
    return done


def hand_in_or_judge(guest: Guest, visit: str, body: RatingBody) -> HandedIn:
    """Store a rating, or the own judgement with which an adjudicator begins.

    Raises
    ------
    Trouble
        If it is refused; what is incomplete is not even tried.
    """
    with reading(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
    left = set(place.task.dimensions) - {*body.values, *body.flags}
    if left and body.flag is None:
        raise Trouble(422, "incomplete", guest.say("incomplete"))
    if second_looks.awaits_own_judgement(place):
        keep_own_judgement(guest, visit, body)
        return HandedIn(place.task)
    return hand_in(guest, visit, body)


def keep_own_judgement(guest: Guest, visit: str, body: RatingBody) -> None:
    """Keep an adjudicator's own judgement; only then are the raters' shown.

    Raises
    ------
    Trouble
        If it is none, or if nobody asks for one.
    """
    site, rubric = guest.site, guest.campaign.rubric
    with writing(site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        if place.task.round_kind != "adjudication":
            raise Trouble(404, "unknown", guest.say("trouble_unknown"))
        why = second_looks.judge_first(
            connection, place, (raw_rating(guest, place, body), body), rubric=rubric, now=site.now()
        )
    if why is not None:
        raise Trouble(422, "refused", why)


def agree(guest: Guest, visit: str, body: ConsensusBody) -> str:
    """Store what a panel agreed on; return where to go next.

    Raises
    ------
    Trouble
        If it is refused.
    """
    site, rubric = guest.site, guest.campaign.rubric
    try:
        with writing(site.store.engine) as connection:
            task = find_place(connection, guest, visit).task
            complete = panel_votes.agree(
                connection, guest, task, body=body, rubric=rubric, now=site.now()
            )
            add_audit(
                connection,
                "agree",
                actor=guest.link.rater,
                object_=task.assignment,
                address=guest.address,
                now=site.now(),
            )
    except StateError as error:
        raise Trouble(409, "closed", guest.say("trouble_closed")) from error
    if complete:
        site.announce()
    return "/panel"


def raw_rating(guest: Guest, place: Place, body: RatingBody) -> RawRating:
    """Return what was sent as the validator takes it; a flag stands for what has no value."""
    flags: dict[str, str] = dict(body.flags)
    if body.flag is not None:
        left = [name for name in place.task.dimensions if name not in body.values]
        flags |= dict.fromkeys(left, body.flag)
    return RawRating(
        assignment=place.task.assignment,
        rater=guest.link.rater,
        values=body.values,
        event_id=body.event_id,
        rubric_hash=body.rubric_hash,
        source="web",
        where=f"visit {place.visit.visit}",
        flags=flags,
        confidence=body.confidence,
        comment=body.comment,
        told=tuple((place.draft.body.get("told") or {}) if place.draft else ()),
        address=guest.address,
    )


def wrong_with(
    connection: Connection, evaluation: str, raw: RawRating, *, rubric: Rubric
) -> str | None:
    """Return what the validator will say against a rating, None if nothing."""
    asked = read_asked(connection, evaluation, [raw.assignment])
    return problem_with(raw, asked.get(raw.assignment), rubric=rubric)


def _store(
    connection: Connection, guest: Guest, sent: tuple[Place, Campaign, RatingBody]
) -> tuple[Received | None, HandedIn]:
    """Store one rating and what belongs to it."""
    place, campaign, body = sent
    task, now = place.task, guest.site.now()
    raw = raw_rating(guest, place, body)
    right = wrong_with(connection, task.evaluation, raw, rubric=campaign.rubric) is None
    if right and task.round_kind == "panel" and panel_votes.waits(connection, raw, task):
        panel_votes.lock_vote(connection, raw, place.draft, now=now)
        _leave_traces(connection, guest, place, body=body, now=now)
        add_audit(
            connection,
            "vote",
            actor=raw.rater,
            object_=task.assignment,
            address=guest.address,
            now=now,
        )
        return None, HandedIn(task)
    last = False
    if right and task.round_kind == "adjudication":
        last = second_looks.keep_first_look(connection, guest, (place, raw, body), now=now)
    received = receive_on(connection, task.evaluation, [raw], rubric=campaign.rubric, now=now)
    if received.refused:
        return received, HandedIn(task)
    drop_draft(connection, task.assignment)
    _leave_traces(connection, guest, place, body=body, now=now)
    return received, HandedIn(task, last or received.complete)


def _leave_traces(
    connection: Connection, guest: Guest, place: Place, *, body: RatingBody, now: datetime
) -> None:
    """Note how long it took and under which conditions."""
    conditions: dict[str, Any] = body.conditions.model_dump()
    if body.flag is not None:
        conditions["flag"] = body.flag
    taken = (now - place.visit.first_open).total_seconds()
    conditions["hasty"] = taken < guest.campaign.rounds.page.hasty_seconds
    close_visit(connection, place.visit, active_ms=body.active_ms, conditions=conditions, now=now)
    touch_session(connection, guest.session, now=now)


def _content(body: DraftBody) -> dict[str, Any]:
    """Return what a draft keeps of a body."""
    return body.model_dump(include={"values", "flags", "flag", "comment", "confidence"})


def _kept(draft: DraftRow | None) -> dict[str, Any]:
    """Return what an earlier draft holds that the page does not send again."""
    first = None if draft is None else draft.body.get("first")
    return {} if first is None else {"first": first}


def _told(draft: DraftRow | None, told: Mapping[str, str]) -> dict[str, bool]:
    """Return the dimensions on which a rater was told about a rule at any time."""
    before = {} if draft is None else draft.body.get("told") or {}
    return {**before, **dict.fromkeys(told, True)}


def _moved_on(draft: DraftRow | None, body: RatingBody) -> bool:
    """Return whether the draft was changed by another tab since the page last saved it."""
    return draft is not None and (draft.rev != body.base or draft.locked)


def _stale(guest: Guest) -> Trouble:
    """Return the answer to a tab that something else overtook."""
    return Trouble(409, "stale", guest.say("trouble_stale"))
