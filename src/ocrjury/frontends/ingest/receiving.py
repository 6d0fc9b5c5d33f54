"""Check what raters sent, whichever way it came; store what is right, set the rest aside."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.campaign.flags import FLAGS
from ocrjury.campaign.problems import shown
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError, StateError
from ocrjury.frontends.ingest.port import OpenRound, RawRating
from ocrjury.frontends.ingest.rule_breaks import BrokenRule, Facts, broken_rules, find_facts
from ocrjury.scales import Scale, Scales, scale_of
from ocrjury.store.audit import add_lines
from ocrjury.store.database import Connection, writing
from ocrjury.store.item_ratings import answers_of
from ocrjury.store.quarantine import QuarantineRow, add_refused
from ocrjury.store.queue import AskedRow, read_asked, read_known
from ocrjury.store.ratings import insert_submissions, lock_open_round
from ocrjury.store.remarks import add_comment, add_item_flag, add_rule_flags
from ocrjury.surrogates import HALF, has_surrogate

ANYTHING = Scale.interval(-1e15, 1e15)
"""Scale of a dimension that nobody asked about."""


class Problem(NamedTuple):
    """Problem of one submission; `where` names it in the sender's terms."""

    where: str
    what: str

    def __str__(self) -> str:
        """Line that the sender reads."""
        return f"{self.where}: {self.what}"


def value_problems(
    values: Mapping[str, float],
    *,
    dimensions: Iterable[str],
    scale: Scales,
    flagged: Iterable[str] = (),
) -> list[str]:
    """Problems with the values of one submission, dimension by dimension.

    `flagged` are the dimensions that have a reason in place of a value.
    """
    wanted, excused = list(dimensions), set(flagged)
    unknown = [name for name in (*values, *sorted(excused)) if name not in wanted]
    missing = [name for name in wanted if name not in values and name not in excused]
    twice = [name for name in wanted if name in values and name in excused]
    known = ", ".join(wanted)
    problems = [f"there is no dimension {shown(name)}; there are {known}" for name in unknown]
    problems += [f"no rating on dimension {name!r}" for name in missing]
    problems += [f"both a rating and a flag on dimension {name!r}" for name in twice]
    problems += [
        f"{value:g} on {name!r} is outside the scale ({scale_of(scale, name)})"
        for name, value in values.items()
        if name in wanted and not on_scale(value, scale_of(scale, name))
    ]
    return problems


def on_scale(value: float, scale: Scale) -> bool:
    """Return whether a number is a rating on the scale.

    Examples
    --------
    >>> on_scale(3.0, Scale.likert(1, 5)), on_scale(3.5, Scale.likert(1, 5))
    (True, False)
    """
    if scale.kind == "interval":
        return scale.low <= value <= scale.high
    return value in scale.numbers


def refuse(problems: list[Problem], *, source: str, limit: int = 20) -> None:
    """Raise one error that names every problem once, if there is any."""
    problems = list(dict.fromkeys(problems))
    if not problems:
        return
    count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}"
    lines = "\n".join(f"  {problem}" for problem in problems[:limit])
    rest = f"\n  and {len(problems) - limit} more" if len(problems) > limit else ""
    raise InputError(
        f"{source}: {count}, so nothing was stored.\n{lines}{rest}\n"
        f"Fix {'them' if len(problems) > 1 else 'it'} and send all of it again."
    )


class Received(NamedTuple):
    """Outcome of submissions.

    Attributes
    ----------
    accepted, refused
        What is stored now, and what is not, with the reasons.
    complete
        Whether the round is complete with them.
    known
        How many were stored before, which nothing is done about.
    replaced
        Values that stood there before and are others now.
    """

    accepted: tuple[RawRating, ...]
    refused: tuple[Problem, ...]
    complete: bool
    known: int = 0
    replaced: int = 0


def receive(round_: OpenRound, sent: Iterable[RawRating], *, now: datetime) -> Received:
    """Store every submission that is right, and keep a note of every other.

    All of it is fetched, and the field rules are applied, before the store is locked: a slow sender
    or a long text keeps nobody out.
    """
    fetched, rubric, engine = list(sent), round_.rubric, round_.store.engine
    names = [rating.assignment for rating in fetched]
    facts = find_facts(engine, round_.evaluation, names, rubric=rubric)
    with writing(engine) as connection:
        return receive_on(
            connection, round_.evaluation, fetched, rubric=rubric, facts=facts, now=now
        )


def receive_on(
    connection: Connection,
    evaluation: str,
    sent: Iterable[RawRating],
    *,
    rubric: Rubric,
    facts: Facts,
    now: datetime,
) -> Received:
    """Do what `receive` does inside the caller's transaction, with facts found before it.

    Comments, broken field rules and the lines of the audit log are stored with the ratings.
    """
    raw = list(sent)
    names = [rating.assignment for rating in raw]
    with suppress(StateError):  # what comes for a closed round is refused one by one
        lock_open_round(connection, evaluation)
    known = read_known(connection, names)
    stored = [rating for rating in raw if (rating.assignment, rating.event_id) in known]
    before = {rating.assignment: rating.event_id for rating in stored}
    fresh = [rating for rating in raw if (rating.assignment, rating.event_id) not in known]
    rows = read_asked(connection, evaluation, names)
    accepted: list[RawRating] = []
    refused: list[Problem] = []
    for rating, why in _judged(fresh, rows, before=before, rubric=rubric):
        if why is None:
            accepted.append(rating)
            continue
        refused.append(Problem(rating.where, why))
        add_refused(connection, _refused_row(evaluation, rating, why, now=now))
    replaced = _count_replaced(connection, accepted, rows)
    complete = bool(accepted) and insert_submissions(connection, evaluation, accepted, now=now)
    lines = [(each.actor or each.rater, each.assignment, each.address) for each in accepted]
    add_lines(connection, "rate", lines, now=now)
    for rating in accepted:
        broken = broken_rules(facts.get(rows[rating.assignment].item), rating.values, rubric)
        _keep_beside(connection, rating, broken, now=now)
    return Received(tuple(accepted), tuple(refused), complete, len(raw) - len(fresh), replaced)


def _count_replaced(
    connection: Connection, accepted: Sequence[RawRating], rows: Mapping[str, AskedRow]
) -> int:
    """Values in the store that submissions put others in place of."""
    again = {raw.assignment: raw for raw in accepted if rows[raw.assignment].state == "done"}
    answers = answers_of(connection, list(again))
    return sum(
        answer.changed_by(again[name].values, again[name].flags) for name, answer in answers.items()
    )


def _judged(
    sent: Iterable[RawRating],
    rows: Mapping[str, AskedRow],
    *,
    before: Mapping[str, str],
    rubric: Rubric,
) -> Iterator[tuple[RawRating, str | None]]:
    """Yield every submission with the reason why it is refused, if it is.

    `before` are the submissions that came along and are stored already.
    """
    seen = dict(before)
    for rating in sent:
        why = problem_with(rating, rows.get(rating.assignment), rubric=rubric)
        if why is None and seen.setdefault(rating.assignment, rating.event_id) != rating.event_id:
            why = "it is the second submission for the same assignment"
        yield rating, why


def problem_with(raw: RawRating, row: AskedRow | None, *, rubric: Rubric) -> str | None:
    """Reason for refusing a submission; None if nothing is wrong with it.

    `asked` is the assignment that it names, None if there is none.
    """
    if row is None:
        return "there is no such assignment"
    if row.rater != raw.rater:
        return "the assignment is another rater's"
    if row.round_state != "open":
        return "the round is closed"
    if row.state == "withdrawn":
        return "the assignment was withdrawn"
    if raw.rubric_hash != rubric.rubric_hash:
        return "it was rated by another version of the rubric"
    return _wrong_answer(raw, row, rubric)


def _wrong_answer(raw: RawRating, row: AskedRow, rubric: Rubric) -> str | None:
    """Problems with what somebody answered."""
    if has_surrogate([raw.values, raw.flags, raw.comment]):
        return f"there is {HALF} in it"
    if unknown := sorted(set(raw.flags.values()) - set(FLAGS)):
        return f"there is no reason {unknown[0]!r}; there are {', '.join(FLAGS)}"
    if raw.confidence is not None and not (0 <= raw.confidence <= 1):
        return "the confidence is outside 0 to 1"
    if not all(map(math.isfinite, raw.values.values())):
        return "a rating is no number"
    wrong = value_problems(
        raw.values, dimensions=row.dimensions, scale=rubric.scales, flagged=raw.flags
    )
    return "; ".join(wrong) or None


def _refused_row(evaluation: str, raw: RawRating, why: str, *, now: datetime) -> QuarantineRow:
    """Record of a refusal; it holds only a hash of what was sent."""
    values = {name: repr(value) for name, value in raw.values.items()}
    return QuarantineRow(
        evaluation=evaluation,
        source=raw.source,
        row=raw.where,
        payload_hash=content_hash([raw.rater, raw.assignment, values, raw.event_id]),
        reason=why,
        at=now,
    )


def _keep_beside(
    connection: Connection, rating: RawRating, broken: Sequence[BrokenRule], *, now: datetime
) -> None:
    """Keep what belongs to a rating that was stored just now."""
    flags = [rule.flag(warned=rating.told) for rule in broken]
    if flags:
        add_rule_flags(connection, rating.assignment, flags)
    if rating.comment is not None:
        text = rating.comment.strip()
        add_comment(connection, rating.assignment, text, now=now, letter=rating.letter)
    if rating.item_flag is not None:
        add_item_flag(connection, rating.assignment, rating.item_flag, now=now)
