"""Save and take the ratings of several outputs of one page: all together, or none."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from ocrjury.errors import StateError
from ocrjury.frontends.ingest import RawRating, Received, broken_rules, receive_on
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import CannotJudge, DraftBody, DraftSaved, Id, Name, RatingBody
from ocrjury.frontends.web.guests import Guest
from ocrjury.frontends.web.handing_in import HandedIn, Place, find_place, raw_rating, wrong_with
from ocrjury.frontends.web.pair_page import said_of
from ocrjury.frontends.web.pairs import (
    MOST,
    PREFERENCE,
    Outputs,
    for_output,
    of_output,
    outputs_beside,
    visit_of,
)
from ocrjury.store.database import Connection, writing
from ocrjury.store.drafts import DraftRow, drop_draft, save_draft
from ocrjury.store.queue import RatingTask
from ocrjury.store.ratings import known_event
from ocrjury.store.sessions import touch_session
from ocrjury.store.visits import close_visit, find_visit, overtaken

_ANSWERS = 8 * MOST + 1
_LETTERED = 2000 - len(said_of("A", "-")) + 1
Values = Annotated[dict[Name, float], Field(max_length=_ANSWERS)]
Excused = Annotated[dict[Name, CannotJudge], Field(max_length=_ANSWERS)]


class PairDraftBody(DraftBody):
    """What is chosen so far about all outputs: ``A:meaning``, ``B:meaning``, ``preference``."""

    values: Values = Field(default_factory=dict)
    flags: Excused = Field(default_factory=dict)


class PairBody(RatingBody):
    """Ratings of all outputs that are handed in; the submission of each has a letter more."""

    event_id: Annotated[Id, Field(max_length=60)]
    values: Values = Field(default_factory=dict)
    flags: Excused = Field(default_factory=dict)


def keep_pair_draft(guest: Guest, visit: str, body: PairDraftBody) -> DraftSaved:
    """Save what is chosen so far; return the rules that it breaks."""
    now = guest.site.now()
    with writing(guest.site.store.engine) as connection:
        outputs = find_outputs(connection, guest, visit)
        place = outputs.place
        if overtaken(connection, place.visit):
            raise _stale(guest)
        broken = {
            letter: broken_rules(
                task,
                of_output(body.values, letter),
                guest.campaign.rubric,
                language=guest.language,
            )
            for letter, task in outputs.by_letter.items()
        }
        told = {
            f"{letter}:{one.dimension}": one.sentence
            for letter, found in broken.items()
            for one in found
        }
        content = body.model_dump(include={"values", "flags", "flag", "comment", "confidence"})
        rev = save_draft(
            connection,
            place.task.assignment,
            {**content, "told": _told(place.draft) | dict.fromkeys(told, True)},
            base=body.base,
            event_id=body.event_id,
            now=now,
        )
        touch_session(connection, guest.session, now=now)
    if rev is None:
        raise _stale(guest)
    return DraftSaved(rev=rev, notes=told)


def hand_in_pair(guest: Guest, visit: str, body: PairBody) -> HandedIn:
    """Store the ratings of all outputs with everything beside them, in one transaction.

    Raises
    ------
    Trouble
        If one of them is refused; then nothing is stored, and the reason is in quarantine too.
    """
    try:
        with writing(guest.site.store.engine) as connection:
            place = find_place(connection, guest, visit)
            if known_event(connection, _event(body, "A")):
                return HandedIn(place.task)
            outputs = find_outputs(connection, guest, visit)
            moved = place.draft is not None and place.draft.rev != body.base
            if overtaken(connection, place.visit) or moved:
                raise _stale(guest)
            received = _store(connection, guest, outputs, body=body)
    except StateError as error:
        raise Trouble(409, "closed", guest.say("trouble_closed")) from error
    if received.refused:
        raise Trouble(422, "refused", received.refused[0].what)
    if received.complete:
        guest.site.announce()
    return HandedIn(outputs.place.task, received.complete)


def find_outputs(connection: Connection, guest: Guest, visit: str) -> Outputs:
    """Return the outputs of the page that a visit names.

    Raises
    ------
    Trouble
        If there is only one of them now: the others were withdrawn, or rated elsewhere.
    """
    place = find_place(connection, guest, visit)
    outputs = outputs_beside(connection, guest, place)
    if outputs is None or outputs.place.visit.visit != visit:
        raise _stale(guest)
    return outputs


def _store(connection: Connection, guest: Guest, outputs: Outputs, *, body: PairBody) -> Received:
    """Store all ratings, or only the note why one of them is refused."""
    preferences = _preferences(guest, outputs, body)
    raws = {
        letter: _raw(guest, outputs, letter, task=task, body=body)
        for letter, task in outputs.by_letter.items()
    }
    _refuse_unknown(guest, outputs, body)
    task, rubric, now = outputs.place.task, guest.campaign.rubric, guest.site.now()
    wrong = [
        raw
        for raw in raws.values()
        if wrong_with(connection, task.evaluation, raw, rubric=rubric) is not None
    ]
    received = receive_on(
        connection, task.evaluation, wrong or raws.values(), rubric=rubric, now=now
    )
    if not received.refused:
        drop_draft(connection, task.assignment)
        _leave_traces(connection, guest, outputs, body=body, preferences=preferences)
    return received


def _raw(
    guest: Guest, outputs: Outputs, letter: str, *, task: RatingTask, body: PairBody
) -> RawRating:
    """Return what was sent about one output, as the validator takes it."""
    own = body.model_copy(
        update={
            "event_id": _event(body, letter),
            "values": of_output(body.values, letter),
            "flags": of_output(body.flags, letter),
            "comment": said_of(letter, body.comment[:_LETTERED]),
        }
    )
    draft = outputs.place.draft
    if draft is not None:
        draft = draft._replace(body={"told": of_output(_told(draft), letter)})
    return raw_rating(guest, Place(outputs.place.visit, task, draft), own)


def _refuse_unknown(guest: Guest, outputs: Outputs, body: PairBody) -> None:
    """Raise if something is said about an output that is not there."""
    there = {PREFERENCE}
    for letter in outputs.letters:
        for named in (body.values, body.flags):
            there |= for_output(of_output(named, letter), letter).keys()
    if not {*body.values, *body.flags} <= there:
        raise Trouble(422, "shape", guest.say("pair_incomplete"))


def _preferences(guest: Guest, outputs: Outputs, body: PairBody) -> dict[str, int]:
    """Return what is said about which output is better, by letter.

    Raises
    ------
    Trouble
        Without an answer where one is due, and with one that nobody can give.
    """
    value, asked = body.values.get(PREFERENCE), guest.campaign.rounds.page.preference
    answered = value is not None or PREFERENCE in body.flags or body.flag is not None
    if asked and not answered:
        raise Trouble(422, "preference", guest.say("pair_incomplete"))
    try:
        return outputs.preferences(value if asked else None)
    except ValueError as error:
        raise Trouble(422, "preference", guest.say("pair_incomplete")) from error


def _leave_traces(
    connection: Connection,
    guest: Guest,
    outputs: Outputs,
    *,
    body: PairBody,
    preferences: Mapping[str, int],
) -> None:
    """Note for every output how long it took, its part of the page, and what was preferred."""
    now, each = guest.site.now(), body.active_ms // len(outputs.tasks)
    taken = (now - outputs.place.visit.first_open).total_seconds() / len(outputs.tasks)
    hasty = taken < guest.campaign.rounds.page.hasty_seconds
    for letter, task in outputs.by_letter.items():
        conditions: dict[str, Any] = body.conditions.model_dump()
        conditions |= {"beside": letter, "outputs": len(outputs.tasks), "hasty": hasty}
        if body.flag is not None:
            conditions["flag"] = body.flag
        if letter in preferences:
            conditions[PREFERENCE] = preferences[letter]
        visit = find_visit(connection, guest.link, visit_of(connection, guest, task))
        if task.assignment == outputs.place.task.assignment:
            visit = outputs.place.visit
        if visit is not None:
            close_visit(connection, visit, active_ms=each, conditions=conditions, now=now)
    touch_session(connection, guest.session, now=now)


def _event(body: PairBody, letter: str) -> str:
    """Return the name of the submission about one output."""
    return f"{body.event_id}-{letter}"


def _told(draft: DraftRow | None) -> dict[str, bool]:
    """Return of what a rater was told that a field rule allows less."""
    return {} if draft is None else dict(draft.body.get("told") or {})


def _stale(guest: Guest) -> Trouble:
    """Return the answer to a tab that something else overtook."""
    return Trouble(409, "stale", guest.say("trouble_stale"))
