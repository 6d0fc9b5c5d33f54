"""Texts that people write beside ratings, and the field rules that ratings break."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection, Engine
from ocrjury.store.inbox import register_remarks
from ocrjury.store.rows import (
    EVALUATION,
    add_rows,
    list_rows,
    next_number,
    same,
)
from ocrjury.store.schema.intake import comments, item_flags, notes, rule_flags
from ocrjury.store.schema.rating import assignments, ratings


class RuleFlag(NamedTuple):
    """A rating above what a field rule allows; `shown` says whether its rater was told."""

    dimension: str
    rule: str
    level: float
    max_level: float
    shown: bool


def add_comment(
    connection: Connection, assignment: str, body: str, *, now: datetime, letter: str = ""
) -> None:
    """Keep a comment; a later one of the same assignment is its next revision.

    `letter` is that under which its author saw the output; without a text it says nothing.
    """
    content = {"letter": letter if body else "", "body": body}
    _add_revision(connection, comments, content, assignment=assignment, now=now)


def read_comment(connection: Connection, assignment: str) -> str:
    """Newest comment of an assignment, empty if there is none."""
    query = (
        sa.select(comments.c.body)
        .where(comments.c.assignment == assignment)
        .order_by(comments.c.rev.desc())
    )
    return str(connection.execute(query).scalars().first() or "")


def add_item_flag(connection: Connection, assignment: str, reason: str, *, now: datetime) -> None:
    """Keep a flag on an item that is rated on every dimension; an empty one takes it back."""
    content = {"reason": reason}
    _add_revision(connection, item_flags, content, assignment=assignment, now=now)


def _add_revision(
    connection: Connection,
    kept: sa.Table,
    content: Mapping[str, str],
    *,
    assignment: str,
    now: datetime,
) -> None:
    """Keep content of an assignment as its next revision, unless it is the newest already."""
    query = sa.select(kept).where(kept.c.assignment == assignment).order_by(kept.c.rev.desc())
    newest = connection.execute(query.limit(1)).first()
    empty: dict[str, Any] = {"rev": 0, **dict.fromkeys(content, "")}
    last = newest._asdict() if newest else empty
    if all(last[name] == value for name, value in content.items()):
        return
    values = {"assignment": assignment, "rev": last["rev"] + 1, **content, "at": now}
    connection.execute(sa.insert(kept).values(values))
    of = sa.select(assignments.c.evaluation).where(assignments.c.assignment == assignment)
    register_remarks(connection, connection.execute(of).scalar_one(), [assignment], now=now)


def read_item_flag(connection: Connection, assignment: str) -> str | None:
    """Newest flag on an item that is rated on every dimension; None without one."""
    query = (
        sa.select(item_flags.c.reason)
        .where(item_flags.c.assignment == assignment)
        .order_by(item_flags.c.rev.desc())
    )
    return connection.execute(query).scalars().first() or None


def add_rule_flags(connection: Connection, assignment: str, flags: Iterable[RuleFlag]) -> None:
    """Keep which rules the newest ratings of an assignment break."""
    newest: dict[str, int] = {
        row[0]: row[1]
        for row in connection.execute(
            sa.select(ratings.c.dimension, sa.func.max(ratings.c.rev))
            .where(ratings.c.assignment == assignment)
            .group_by(ratings.c.dimension)
        )
    }
    rows = [
        {"assignment": assignment, "rev": newest[flag.dimension], **flag._asdict()}
        for flag in flags
    ]
    add_rows(connection, rule_flags, rows)


def add_note(
    connection: Connection,
    evaluation: str,
    item: str,
    *,
    number: int,
    kind: str,
    body: Mapping[str, Any],
    actor: str,
    now: datetime,
    attendance: Sequence[str] = (),
) -> None:
    """Keep a note about an item of a round; a later one of its kind is its next revision."""
    same_note = {"evaluation": evaluation, "round": number, "item": item, "kind": kind}
    connection.execute(
        sa.insert(notes).values(
            **same_note,
            rev=next_number(connection, notes.c.rev, **same_note),
            body=dict(body),
            attendance=list(attendance),
            actor=actor,
            at=now,
        )
    )


def read_note(
    connection: Connection, evaluation: str, item: str, *, number: int, kind: str
) -> Mapping[str, Any]:
    """Body of the newest note of a kind about an item of a round; empty without one."""
    query = (
        sa.select(notes.c.body)
        .where(notes.c.evaluation == evaluation, notes.c.round == number)
        .where(notes.c.item == item, notes.c.kind == kind)
        .order_by(notes.c.rev.desc())
    )
    body: Mapping[str, Any] | None = connection.execute(query.limit(1)).scalar()
    return body or {}


class RuleBreakRow(NamedTuple):
    """Ratings of a rater on one level against one rule; those that count, as they were given.

    Attributes
    ----------
    rater
        Pseudonym.
    level
        What was given.
    ratings, items
        How often, and to how many items.
    told
        Of the ratings, those whose rater was told of the rule while rating.
    """

    rule: str
    dimension: str
    rater: str
    level: float
    ratings: int
    items: int
    told: int


def list_rule_breaks(engine: Engine, evaluation: str) -> list[RuleBreakRow]:
    """Count of breaks by rule, rater and level, the highest level first.

    A flag on a rating that was since changed, withdrawn or set aside does not count.
    """
    return list_rows(engine, RuleBreakRow, _rule_breaks(), evaluation=evaluation)


@cache
def _rule_breaks() -> sa.Select[Any]:
    rated = current_ratings()
    keys = (rule_flags.c.rule, rule_flags.c.dimension, rated.c.rater, rule_flags.c.level)
    return (
        sa.select(
            *keys,
            sa.func.count(),
            sa.func.count(sa.distinct(rated.c.item)),
            sa.func.sum(sa.case((rule_flags.c.shown, 1), else_=0)),
        )
        .join(rated, same(rule_flags, rated, "assignment", "dimension", "rev"))
        .where(rated.c.evaluation == EVALUATION)
        .group_by(*keys)
        .order_by(*keys[:3], rule_flags.c.level.desc())
    )
