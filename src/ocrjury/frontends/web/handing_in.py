"""Save what a rater chooses, and take what a rater hands in: all outputs of a place, or none."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from ocrjury.errors import StateError
from ocrjury.frontends.ingest import (
    Facts,
    RawRating,
    Received,
    problem_with,
    receive_on,
)
from ocrjury.frontends.web import panel, second_looks
from ocrjury.frontends.web.access.guests import Guest
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import DraftBody, DraftSaved, RatingBody
from ocrjury.frontends.web.limits import ask_about_rules, broken_rules, outside_text
from ocrjury.frontends.web.places import (
    PREFERENCE,
    Place,
    find_facts,
    find_place,
    find_place_alone,
    lettered,
    of_output,
    visit_of,
)
from ocrjury.store.database import Connection, writing
from ocrjury.store.draft_content import Judgement
from ocrjury.store.queue import RatingTask, read_asked
from ocrjury.store.ratings import known_event
from ocrjury.store.sessions import touch_session
from ocrjury.store.visits import (
    VisitRow,
    close_visit,
    drop_draft,
    find_visit,
    overtaken,
    save_draft,
)


class HandedIn(NamedTuple):
    """The rating that was handed in, and whether its round is complete with it."""

    task: RatingTask
    complete: bool = False


def keep_draft(guest: Guest, visit: str, body: DraftBody) -> DraftSaved:
    """Save what is chosen so far; the answer holds the field rules that it breaks."""
    now, facts = guest.site.now(), find_facts(guest, visit)
    with writing(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        if not _is_shown(place, visit, body) or overtaken(connection, place.visit):
            raise _stale(guest, place)
        body = body.with_comment_of(_draft_of(place))
        notes = broken_rules(guest, place, body, facts=facts)
        rev = save_draft(
            connection,
            place.task.assignment,
            body.draft(told_rules=(*place.told, *body.told), first=second_looks.kept_first(place)),
            base=body.base,
            event_id=body.event_id,
            now=now,
        )
        touch_session(connection, guest.session, now=now)
    if rev is None:
        raise _stale(guest, place)
    return DraftSaved(rev=rev, notes=notes)


def hand_in(guest: Guest, visit: str, body: RatingBody) -> HandedIn:
    """Store the ratings of all outputs with everything beside them, in one transaction.

    `Trouble` if one of them is refused; then nothing is stored but the reason, in quarantine. One
    that breaks a field rule that nobody was told of is asked about first.
    """
    facts = find_facts(guest, visit)
    try:
        with writing(guest.site.store.engine) as connection:
            place = find_place_alone(connection, guest, visit)
            if known_event(connection, *(_event(body, task) for task in place.tasks)):
                return HandedIn(place.task)
            if not _is_shown(place, visit, body) or overtaken(connection, place.visit):
                raise _stale(guest, place)
            if place.draft is not None and (place.draft.rev != body.base or place.draft.locked):
                raise _stale(guest, place)
            ask_about_rules(guest, place, body, facts=facts)
            body = body.with_comment_of(_draft_of(place))
            received, done = _store(connection, guest, place, body=body, facts=facts)
    except StateError as error:
        raise Trouble(409, "closed", guest.say("trouble_closed")) from error
    refused = () if received is None else received.refused
    guest.site.measures.hand_ins.labels("refused" if refused else "stored").inc()
    if refused:
        raise Trouble(422, "refused", outside_text(guest, body.values) or refused[0].what)
    guest.site.follow(guest.link.evaluation)
    if done.complete:
        guest.site.announce()
    return done


def hand_in_form(guest: Guest, visit: str, body: RatingBody) -> HandedIn:
    """Store what a form holds: ratings, or an adjudicator's own judgement if that is still due.

    `Trouble` if it is refused; what is incomplete is not even tried.
    """
    with writing(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
    if not _is_shown(place, visit, body):
        raise _stale(guest, place)
    expected = {
        lettered(letter, name)
        for letter, task in place.by_letter.items()
        for name in task.dimensions
    }
    if expected - {*body.values, *body.flags} and body.flag is None:
        raise Trouble(422, "incomplete", guest.say(_incomplete(place)))
    if second_looks.awaits_own_judgement(place):
        keep_own_judgement(guest, visit, body)
        return HandedIn(place.task)
    return hand_in(guest, visit, body)


def keep_own_judgement(guest: Guest, visit: str, body: RatingBody) -> None:
    """Keep an adjudicator's own judgement; only then are the raters' shown.

    `Trouble` if it is none, if nobody asks for one, and before it breaks a field rule untold.
    """
    facts = find_facts(guest, visit)
    with writing(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        if place.task.round_kind != "adjudication":
            raise Trouble(404, "unknown", guest.say("trouble_unknown"))
        ask_about_rules(guest, place, body, facts=facts)
        (raw,) = _raw_ratings(guest, place, body)
        problem = _problem(connection, guest, raw)
        if problem is None:
            second_looks.keep_judgement(connection, place, raw, body=body, now=guest.site.now())
    if problem is not None:
        raise Trouble(422, "refused", outside_text(guest, body.values) or problem)


def _draft_of(place: Place) -> Judgement | None:
    """Saved choices on a place that are not handed in."""
    return None if place.draft is None else place.draft.body


def _is_shown(place: Place, visit: str, body: DraftBody) -> bool:
    """Return whether a place has the outputs of its rating page; some may be withdrawn since."""
    return place.visit.visit == visit and len(place.tasks) == body.outputs


def _store(
    connection: Connection, guest: Guest, place: Place, *, body: RatingBody, facts: Facts
) -> tuple[Received | None, HandedIn]:
    """Store all ratings, or only the note why one of them is refused."""
    preferences = _preferences(guest, place, body)
    raws = _raw_ratings(guest, place, body)
    wrong = [raw for raw in raws if _problem(connection, guest, raw) is not None]
    task, now, last = place.task, guest.site.now(), False
    if not wrong and task.round_kind == "panel" and panel.waits(connection, raws[0], task):
        panel.lock_vote(connection, raws[0], place.draft, now=now)
        _leave_traces(connection, guest, place, body=body, preferences=preferences)
        note(connection, guest, "vote", target=task.assignment)
        return None, HandedIn(task)
    if not wrong and task.round_kind == "adjudication":
        last = second_looks.keep_first_look(
            connection, guest, place, raw=raws[0], body=body, facts=facts
        )
    received = receive_on(
        connection,
        task.evaluation,
        wrong or raws,
        rubric=guest.campaign.rubric,
        facts=facts,
        now=now,
    )
    if received.refused:
        return received, HandedIn(task)
    drop_draft(connection, task.assignment)
    _leave_traces(connection, guest, place, body=body, preferences=preferences)
    return received, HandedIn(task, last or received.complete)


def _raw_ratings(guest: Guest, place: Place, body: RatingBody) -> list[RawRating]:
    """Ratings of every output as the validator takes them; a flag stands for missing values."""
    raws = []
    for letter, task in place.by_letter.items():
        values = of_output(body.values, letter)
        flags: dict[str, str] = {**of_output(body.flags, letter)}
        unrated = [name for name in task.dimensions if name not in values]
        if body.flag is not None:
            flags |= dict.fromkeys(unrated, body.flag)
        reported = "" if unrated else body.flag or ""
        raws.append(
            RawRating(
                assignment=task.assignment,
                rater=guest.who,
                values=values,
                event_id=_event(body, task),
                rubric_hash=body.rubric_hash,
                source="web",
                where=f"visit {place.visit.visit}",
                flags=flags,
                confidence=body.confidence,
                comment=body.comment,
                letter=letter,
                item_flag=reported if reported or task.state == "done" else None,
                told=tuple(of_output(dict.fromkeys((*place.told, *body.told)), letter)),
                address=guest.address,
            )
        )
    return raws


def _problem(connection: Connection, guest: Guest, raw: RawRating) -> str | None:
    """Problem that the validator has with a rating, None if it has none."""
    rows = read_asked(connection, guest.link.evaluation, [raw.assignment])
    return problem_with(raw, rows.get(raw.assignment), rubric=guest.campaign.rubric)


def _preferences(guest: Guest, place: Place, body: RatingBody) -> dict[str, int]:
    """Answers to which output is better, by letter; {} for an output alone.

    `Trouble` without an answer where one is due, with one that nobody can give, and with one
    about an output that is not shown.
    """
    if not place.side_by_side:
        return {}
    value, wanted = body.values.get(PREFERENCE), guest.campaign.rounds.page.preference
    sentence = guest.say(_incomplete(place))
    if wanted and value is None and PREFERENCE not in body.flags and body.flag is None:
        raise Trouble(422, "preference", guest.say("preference"))
    starts = tuple(lettered(letter, "") for letter in place.by_letter)
    if any(name != PREFERENCE and not name.startswith(starts) for name in body.named):
        raise Trouble(422, "shape", sentence)
    try:
        return place.preferences(value if wanted else None)
    except ValueError as error:
        raise Trouble(422, "preference", sentence) from error


def _leave_traces(
    connection: Connection,
    guest: Guest,
    place: Place,
    *,
    body: RatingBody,
    preferences: Mapping[str, int],
) -> None:
    """Note for every output its part of the time, the conditions, and what was preferred."""
    now, count = guest.site.now(), len(place.tasks)
    handed_in = max(now - timedelta(milliseconds=body.held_ms), place.visit.first_open)
    seconds = (handed_in - place.visit.first_open).total_seconds() / count
    shared: dict[str, Any] = body.conditions.model_dump()
    shared["hasty"] = seconds < guest.campaign.rounds.page.hasty_seconds
    if body.flag is not None:
        shared["flag"] = body.flag
    for letter, task in place.by_letter.items():
        own = {"beside": letter, "outputs": count} if place.side_by_side else {}
        if letter in preferences:
            own[PREFERENCE] = preferences[letter]
        visit: VisitRow | None = place.visit
        if task is not place.task:
            name = visit_of(connection, guest, task.assignment)
            visit = find_visit(connection, guest.link, name)
        if visit is not None:
            # All outputs were seen since the first was.
            visit = visit._replace(first_open=place.visit.first_open)
            part = body.active_ms // count if body.conditions.script else None
            close_visit(connection, visit, active_ms=part, conditions=shared | own, now=handed_in)
    touch_session(connection, guest.session, now=now)


def _event(body: RatingBody, task: RatingTask) -> str:
    """Name of the submission about one output; two browsers may choose the same word for theirs."""
    return f"{body.event_id}/{task.assignment}"


def _incomplete(place: Place) -> str:
    """Key of the sentence that asks for what is missing."""
    return "outputs_incomplete" if place.side_by_side else "incomplete"


def _stale(guest: Guest, place: Place) -> Trouble:
    """Refusal of a tab that something else overtook: what comes next is the item, or another."""
    is_open = place.task.state == "open"
    return Trouble(409, "stale", guest.say("trouble_stale" if is_open else "trouble_done"))
