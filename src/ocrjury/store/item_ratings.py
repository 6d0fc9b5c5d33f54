"""Ratings and comments by item, for those who decide where raters differ or look at it again."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection
from ocrjury.store.links import Link
from ocrjury.store.schema import assignments, comments, documents, drafts, items, ratings, rounds

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
    """Ratings that count and newest comments of an item, from main and adaptive rounds."""
    rated = current_ratings()
    query = (
        sa.select(rated.c.rater, rated.c.dimension, rated.c.value)
        .where(rated.c.evaluation == evaluation, rated.c.item == item, rated.c.kind.in_(_KINDS))
        .order_by(rated.c.rater, rated.c.round)
    )
    values: dict[str, dict[str, float]] = {}
    for rater, dimension, value in connection.execute(query):
        values.setdefault(rater, {})[dimension] = value
    newest_comments = _comments(connection, evaluation, item)
    return [
        ItemRating(rater, levels, newest_comments.get(rater, ""))
        for rater, levels in values.items()
    ]


def list_votes(connection: Connection, evaluation: str, item: str, *, number: int) -> list[Vote]:
    """Votes on an item of a panel's round."""
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
    newest_comments = _comments(connection, evaluation, item)
    return [
        Vote(
            row.assignment,
            row.rater,
            given.get(row.assignment, {})
            if row.state == "done"
            else (row.body["values"] if row.locked else None),
            bool(row.locked) and row.state == "open",
            (row.body or {}).get("comment", "")
            if row.locked
            else newest_comments.get(row.rater, ""),
        )
        for row in rows
    ]


def list_locked(connection: Connection, link: Link) -> list[str]:
    """Voter's own assignments in the open panel on which the votes differ."""
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
            mine.c.rater == link.who,
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
    """Values that count of some assignments."""
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
    by_assignment: dict[str, dict[str, float]] = {}
    for assignment, dimension, value in connection.execute(query):
        by_assignment.setdefault(assignment, {})[dimension] = value
    return by_assignment


def _comments(connection: Connection, evaluation: str, item: str) -> dict[str, str]:
    """Newest comment of every rater on an item."""
    query = (
        sa.select(assignments.c.rater, comments.c.body)
        .join(assignments, assignments.c.assignment == comments.c.assignment)
        .where(assignments.c.evaluation == evaluation, assignments.c.item == item)
        .order_by(comments.c.at, comments.c.rev)
    )
    return {row.rater: row.body for row in connection.execute(query)}


class ItemTexts(NamedTuple):
    """What an item consists of; no texts once they were taken away."""

    item: str
    doc_type: str | None
    kind: str | None
    language: str | None
    reference: str | None
    hypothesis: str
    purged_at: datetime | None


class GivenRating(NamedTuple):
    """What a rater said about an item on a dimension."""

    item: str
    dimension: str
    rater: str
    value: float


def list_texts(connection: Connection, evaluation: str, names: Sequence[str]) -> list[ItemTexts]:
    """Texts of some items of an evaluation."""
    same_document = [documents.c[name] == items.c[name] for name in ("evaluation", "doc_id")]
    query = (
        sa.select(
            items.c.item,
            documents.c.doc_type,
            documents.c.kind,
            documents.c.language,
            documents.c.reference,
            items.c.hypothesis,
            documents.c.purged_at,
        )
        .join(documents, sa.and_(*same_document))
        .where(items.c.evaluation == evaluation, items.c.item.in_(list(names)))
        .order_by(items.c.item)
    )
    return [ItemTexts(*row) for row in connection.execute(query)]


def list_given(connection: Connection, evaluation: str, names: Sequence[str]) -> list[GivenRating]:
    """Ratings that count of some items, in main and adaptive rounds."""
    rated = current_ratings()
    query = (
        sa.select(*(rated.c[name] for name in GivenRating._fields))
        .where(
            rated.c.evaluation == evaluation,
            rated.c.item.in_(list(names)),
            rated.c.kind.in_(_KINDS),
        )
        .order_by(rated.c.item, rated.c.dimension, rated.c.rater, rated.c.round)
    )
    return [GivenRating(*row) for row in connection.execute(query)]


class LatestAnswer(NamedTuple):
    """The newest revision of an answer; a dimension has a value or a reason why it has none."""

    values: Mapping[str, float]
    flags: Mapping[str, str]
    confidence: float | None
    comment: str = ""


def latest_answers(
    connection: Connection, evaluation: str, *, number: int, rater: str
) -> dict[str, LatestAnswer]:
    """Newest answers of one rater in a round, by assignment."""
    mine = (
        assignments.c.evaluation == evaluation,
        assignments.c.round == number,
        assignments.c.rater == rater,
    )
    query = (
        sa.select(
            ratings.c.assignment,
            ratings.c.dimension,
            ratings.c.value,
            ratings.c.flag,
            ratings.c.confidence,
        )
        .join(assignments, assignments.c.assignment == ratings.c.assignment)
        .where(*mine)
        .order_by(ratings.c.assignment, ratings.c.dimension, ratings.c.rev)
    )
    newest: dict[str, dict[str, sa.Row[tuple[object, ...]]]] = {}
    for row in connection.execute(query):
        newest.setdefault(row.assignment, {})[row.dimension] = row
    written = (
        sa.select(comments.c.assignment, comments.c.body)
        .join(assignments, assignments.c.assignment == comments.c.assignment)
        .where(*mine)
        .order_by(comments.c.rev)
    )
    beside = {row.assignment: row.body for row in connection.execute(written)}
    return {name: _answer(rows, beside.get(name, "")) for name, rows in newest.items()}


def _answer(rows: Mapping[str, sa.Row[tuple[object, ...]]], comment: str) -> LatestAnswer:
    """Answer from its newest revisions."""
    return LatestAnswer(
        {name: row.value for name, row in rows.items() if row.value is not None},
        {name: row.flag for name, row in rows.items() if row.flag is not None},
        next((row.confidence for row in rows.values()), None),
        comment,
    )
