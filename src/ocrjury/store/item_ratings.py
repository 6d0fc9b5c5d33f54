"""What everybody said about one item, for those who decide where raters differ."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection
from ocrjury.store.links import Link
from ocrjury.store.schema import assignments, comments, drafts, rounds

_KINDS = ("main", "adaptive")


class ItemRating(NamedTuple):
    """What one rater said about an item."""

    rater: str
    values: Mapping[str, float]
    comment: str


class Vote(NamedTuple):
    """A vote of a panel: given (its values), or still awaited (None).

    `locked` votes are not among the ratings yet: they await what the panel agrees on.
    """

    assignment: str
    rater: str
    values: Mapping[str, float] | None
    locked: bool
    comment: str


def list_item_ratings(connection: Connection, evaluation: str, item: str) -> list[ItemRating]:
    """Return what raters said about an item in main and adaptive rounds, as far as it counts."""
    rated = current_ratings()
    query = (
        sa.select(rated.c.rater, rated.c.dimension, rated.c.value)
        .where(rated.c.evaluation == evaluation, rated.c.item == item, rated.c.kind.in_(_KINDS))
        .order_by(rated.c.rater, rated.c.round)
    )
    values: dict[str, dict[str, float]] = {}
    for rater, dimension, value in connection.execute(query):
        values.setdefault(rater, {})[dimension] = value
    said = _comments(connection, evaluation, item)
    return [ItemRating(rater, found, said.get(rater, "")) for rater, found in values.items()]


def list_votes(connection: Connection, evaluation: str, item: str, *, number: int) -> list[Vote]:
    """Return the votes on an item of a panel's round."""
    query = (
        sa.select(
            assignments.c.assignment,
            assignments.c.rater,
            assignments.c.state,
            drafts.c.body,
            drafts.c.locked,
        )
        .outerjoin(drafts, drafts.c.assignment == assignments.c.assignment)
        .where(
            assignments.c.evaluation == evaluation,
            assignments.c.round == number,
            assignments.c.item == item,
            assignments.c.state != "withdrawn",
        )
        .order_by(assignments.c.rater)
    )
    rows = connection.execute(query).all()
    given = _values(connection, [row.assignment for row in rows if row.state == "done"])
    said = _comments(connection, evaluation, item)
    return [
        Vote(
            row.assignment,
            row.rater,
            given.get(row.assignment, {})
            if row.state == "done"
            else (row.body["values"] if row.locked else None),
            bool(row.locked) and row.state == "open",
            (row.body or {}).get("comment", "") if row.locked else said.get(row.rater, ""),
        )
        for row in rows
    ]


def list_locked(connection: Connection, link: Link) -> list[str]:
    """Return a voter's own assignments in the open panel on which the votes differ."""
    mine, other = assignments.alias(), assignments.alias()
    same = ("evaluation", "round", "item")
    query = (
        sa.select(mine.c.assignment)
        .join(other, sa.and_(*(other.c[name] == mine.c[name] for name in same)))
        .join(drafts, drafts.c.assignment == other.c.assignment)
        .join(
            rounds,
            sa.and_(rounds.c.evaluation == mine.c.evaluation, rounds.c.round == mine.c.round),
        )
        .where(
            mine.c.evaluation == link.evaluation,
            mine.c.rater == link.rater,
            mine.c.state != "withdrawn",
            other.c.state == "open",
            drafts.c.locked.is_(True),
            rounds.c.state == "open",
            rounds.c.kind == "panel",
        )
        .distinct()
        .order_by(mine.c.assignment)
    )
    return list(connection.execute(query).scalars())


def _values(connection: Connection, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the values that count of some assignments."""
    if not names:
        return {}
    rated = current_ratings()
    query = (
        sa.select(assignments.c.assignment, rated.c.dimension, rated.c.value)
        .join(
            assignments,
            sa.and_(
                *(
                    assignments.c[name] == rated.c[name]
                    for name in ("evaluation", "round", "item", "rater", "repeat")
                )
            ),
        )
        .where(assignments.c.assignment.in_(list(names)))
    )
    found: dict[str, dict[str, float]] = {}
    for assignment, dimension, value in connection.execute(query):
        found.setdefault(assignment, {})[dimension] = value
    return found


def _comments(connection: Connection, evaluation: str, item: str) -> dict[str, str]:
    """Return the newest comment of every rater on an item."""
    query = (
        sa.select(assignments.c.rater, comments.c.body)
        .join(assignments, assignments.c.assignment == comments.c.assignment)
        .where(assignments.c.evaluation == evaluation, assignments.c.item == item)
        .order_by(comments.c.at, comments.c.rev)
    )
    return {row.rater: row.body for row in connection.execute(query)}
