"""Remarks of raters on items, flags and comments, and the answers of leads.

`remarks` names the assignments with a remark, so that nothing else of an evaluation is read.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.flags import CANNOT_JUDGE
from ocrjury.store.database import Connection, Engine
from ocrjury.store.rows import add_rows, list_rows, next_number, rows_among, same
from ocrjury.store.schema.intake import AnswerKind, answers, comments, item_flags, remarks
from ocrjury.store.schema.material import documents, items
from ocrjury.store.schema.rating import assignments, ratings, rounds


class Answer(NamedTuple):
    """Answer of a lead to a remark; `body` is what the rater reads, empty for nothing."""

    rev: int
    kind: AnswerKind
    body: str
    actor: str
    at: datetime


class Remark(NamedTuple):
    """Remark of a rater on an item in one assignment.

    Attributes
    ----------
    flags
        Reason by dimension that is not rated.
    flag
        Reason where every dimension is rated all the same, empty without one.
    letter
        That under which the rater saw the output on which the comment is; empty for one alone.
    at
        When the newest part of it was written.
    """

    assignment: str
    round: int
    round_kind: str
    item: str
    purpose: str
    rater: str
    doc_type: str | None
    kind: str | None
    field: str | None
    flags: Mapping[str, str]
    flag: str
    comment: str
    letter: str
    at: datetime
    answers: Sequence[Answer]

    @property
    def settled(self) -> bool:
        """Whether a lead dealt with the remark since it was written."""
        return any(answer.at >= self.at for answer in self.answers)


class OwnAnswer(NamedTuple):
    """Answer of a lead to a rater; `position` is the item's place in the rater's queue."""

    position: int
    kind: AnswerKind
    body: str
    at: datetime


class _Part(NamedTuple):
    """A comment or a flag on a whole item; a flag has no letter."""

    text: str
    letter: str
    at: datetime


class _Count(NamedTuple):
    """Number of remarks of an evaluation."""

    evaluation: str
    number: int


def is_report(flag: str) -> bool:
    """Return whether a flag reports a problem with the item.

    Examples
    --------
    >>> is_report("privacy"), is_report("cannot_judge")
    (True, False)
    """
    return flag != CANNOT_JUDGE


def register_remarks(
    connection: Connection, evaluation: str, names: Iterable[str], *, now: datetime
) -> None:
    """Note that assignments have a remark; each is noted once."""
    wanted = list(dict.fromkeys(names))
    query = sa.select(remarks.c.assignment)
    known = {row[0] for row in rows_among(connection, query, remarks.c.assignment, names=wanted)}
    rows = [{"assignment": name, "evaluation": evaluation, "at": now} for name in wanted]
    add_rows(connection, remarks, [row for row in rows if row["assignment"] not in known])


def count_open_remarks(source: Engine | Connection, evaluations: Sequence[str]) -> dict[str, int]:
    """Number of remarks about which no lead did anything yet, by evaluation; none is left out."""
    if not evaluations:
        return {}
    query = (
        sa.select(remarks.c.evaluation, sa.func.count())
        .where(
            remarks.c.evaluation.in_(list(evaluations)),
            sa.or_(
                sa.exists().where(
                    same(ratings, remarks, "assignment"), *_reports(), ~_answered(ratings)
                ),
                *(
                    sa.exists().where(
                        same(part, remarks, "assignment"), *_stands(part), ~_answered(part)
                    )
                    for part in (comments, item_flags)
                ),
            ),
        )
        .group_by(remarks.c.evaluation)
    )
    return {row.evaluation: row.number for row in list_rows(source, _Count, query)}


def list_remarks(connection: Connection, evaluation: str) -> list[Remark]:
    """Remarks of an evaluation that still stand, the newest first.

    A flag that was replaced by a rating, and a comment that was deleted, is none.
    """
    mine = remarks.c.evaluation == evaluation
    flags: dict[str, dict[str, str]] = {}
    latest: dict[str, datetime] = {}
    columns = (ratings.c[name] for name in ("assignment", "dimension", "flag", "at"))
    flagged = sa.select(*columns).join(remarks, same(remarks, ratings, "assignment"))
    order = (ratings.c.assignment, ratings.c.dimension)
    for name, dimension, flag, at in connection.execute(
        flagged.where(mine, *_reports()).order_by(*order)
    ):
        flags.setdefault(name, {})[dimension] = flag
        latest[name] = max(latest.get(name, at), at)
    texts, reasons = (_newest(connection, part, mine) for part in (comments, item_flags))
    for name, part in chain(texts.items(), reasons.items()):
        latest[name] = max(latest.get(name, part.at), part.at)
    answered = _answers(connection, mine)
    rows = [
        Remark(
            **row._asdict(),
            flags=flags.get(row.assignment, {}),
            flag=reasons[row.assignment].text if row.assignment in reasons else "",
            comment=texts[row.assignment].text if row.assignment in texts else "",
            letter=texts[row.assignment].letter if row.assignment in texts else "",
            at=latest[row.assignment],
            answers=answered.get(row.assignment, ()),
        )
        for row in connection.execute(_about().where(mine))
        if row.assignment in latest
    ]
    return sorted(rows, key=lambda remark: (remark.at, remark.assignment), reverse=True)


def find_remark(connection: Connection, evaluation: str, assignment: str) -> str | None:
    """Item of a remark; None if an evaluation has none of this assignment."""
    query = (
        sa.select(assignments.c.item)
        .join(remarks, same(remarks, assignments, "assignment"))
        .where(remarks.c.evaluation == evaluation, remarks.c.assignment == assignment)
    )
    return connection.execute(query).scalar()


def remarked(connection: Connection, evaluation: str, item: str) -> list[str]:
    """Assignments with a remark about an item."""
    query = (
        sa.select(assignments.c.assignment)
        .join(remarks, same(remarks, assignments, "assignment"))
        .where(remarks.c.evaluation == evaluation, assignments.c.item == item)
        .order_by(assignments.c.assignment)
    )
    return list(connection.execute(query).scalars())


def add_answer(
    connection: Connection,
    assignment: str,
    *,
    kind: AnswerKind,
    body: str,
    actor: str,
    now: datetime,
) -> None:
    """Keep what a lead did about a remark; a later one is the next revision."""
    rev = next_number(connection, answers.c.rev, assignment=assignment)
    connection.execute(
        sa.insert(answers).values(
            assignment=assignment, rev=rev, kind=kind, body=body, actor=actor, at=now
        )
    )


def list_own_answers(connection: Connection, evaluation: str, rater: str) -> list[OwnAnswer]:
    """Answers that a rater may read, the newest first."""
    query = (
        sa.select(assignments.c.position, *(answers.c[name] for name in ("kind", "body", "at")))
        .join(remarks, same(remarks, answers, "assignment"))
        .join(assignments, same(assignments, answers, "assignment"))
        .where(
            remarks.c.evaluation == evaluation,
            assignments.c.rater == rater,
            answers.c.kind != "read",
        )
        .order_by(answers.c.at.desc(), answers.c.assignment, answers.c.rev.desc())
    )
    return [OwnAnswer(*row) for row in connection.execute(query)]


def _about() -> sa.Select[tuple[object, ...]]:
    """Query for the assignments with a remark, and what is rated there."""
    return (
        sa.select(
            *(assignments.c[name] for name in ("assignment", "round", "item", "rater")),
            rounds.c.kind.label("round_kind"),
            items.c.purpose,
            *(documents.c[name] for name in ("doc_type", "kind", "field")),
        )
        .join(remarks, same(remarks, assignments, "assignment"))
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .join(items, same(items, assignments, "evaluation", "item"))
        .join(documents, same(documents, items, "evaluation", "doc_id"))
    )


def _answers(connection: Connection, mine: sa.ColumnElement[bool]) -> dict[str, list[Answer]]:
    """Answers by assignment, the oldest first."""
    query = (
        sa.select(answers.c.assignment, *(answers.c[name] for name in Answer._fields))
        .join(remarks, same(remarks, answers, "assignment"))
        .where(mine)
        .order_by(answers.c.assignment, answers.c.rev)
    )
    by_assignment: dict[str, list[Answer]] = {}
    for assignment, *rest in connection.execute(query):
        by_assignment.setdefault(assignment, []).append(Answer(*rest))
    return by_assignment


def _reports() -> tuple[sa.ColumnElement[bool], ...]:
    """Conditions that a rating is the newest of its dimension and reports a problem."""
    newer = ratings.alias("newer")
    revised = sa.exists().where(
        same(newer, ratings, "assignment", "dimension"), newer.c.rev > ratings.c.rev
    )
    return ratings.c.flag.is_not(None), ratings.c.flag != CANNOT_JUDGE, ~revised


def _newest(
    connection: Connection, part: sa.Table, mine: sa.ColumnElement[bool]
) -> dict[str, _Part]:
    """Comments or flags on whole items that stand, by assignment."""
    letter = sa.literal("") if part is item_flags else part.c.letter
    query = (
        sa.select(part.c.assignment, _text(part), letter, part.c.at)
        .join(remarks, same(remarks, part, "assignment"))
        .where(mine, *_stands(part))
    )
    return {name: _Part(*row) for name, *row in connection.execute(query)}


def _stands(part: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
    """Conditions that a comment or a flag on a whole item is the newest and not empty."""
    newer = part.alias("newer")
    revised = sa.exists().where(same(newer, part, "assignment"), newer.c.rev > part.c.rev)
    return _text(part) != "", ~revised


def _text(part: sa.Table) -> sa.ColumnElement[str]:
    """Text of a comment or of a flag on a whole item."""
    return part.c.reason if part is item_flags else part.c.body


def _answered(part: sa.Table) -> sa.Exists:
    """Condition that a lead did something about a part of a remark after it was written."""
    return sa.exists().where(same(answers, part, "assignment"), answers.c.at >= part.c.at)
