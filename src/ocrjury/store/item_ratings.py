"""Ratings and comments by item, for those who decide where raters differ or look at it again."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.comments import Comment
from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection
from ocrjury.store.links import Link
from ocrjury.store.rows import columns_of, list_rows, rows_among, same
from ocrjury.store.schema.intake import comments, drafts
from ocrjury.store.schema.material import documents, items
from ocrjury.store.schema.rating import assignments, ratings, rounds

_AT_ONCE = 500
_KINDS = ("main", "adaptive")


class ItemRating(NamedTuple):
    """Ratings of an item by one rater."""

    rater: str
    values: Mapping[str, float]
    comment: Comment = Comment()


class Vote(NamedTuple):
    """A vote of a panel: given (its values), or still awaited (None).

    `locked` votes are not among the ratings yet: they await what the panel agrees on.
    """

    assignment: str
    rater: str
    values: Mapping[str, float] | None
    locked: bool
    comment: Comment


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
        ItemRating(rater, levels, newest_comments.get(rater, Comment()))
        for rater, levels in values.items()
    ]


def list_votes(connection: Connection, evaluation: str, item: str, *, number: int) -> list[Vote]:
    """Votes on an item of a panel's round."""
    query = (
        sa.select(
            *(assignments.c[name] for name in ("assignment", "rater", "state")),
            drafts.c.body,
            drafts.c.locked,
        )
        .outerjoin(drafts, same(drafts, assignments, "assignment"))
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
            else (row.body.values if row.locked else None),
            bool(row.locked) and row.state == "open",
            Comment(row.body.comment) if row.locked else newest_comments.get(row.rater, Comment()),
        )
        for row in rows
    ]


def list_locked(connection: Connection, link: Link) -> list[str]:
    """Voter's own assignments in the open panel on which the votes differ."""
    mine, other = assignments.alias(), assignments.alias()
    query = (
        sa.select(mine.c.assignment)
        .join(other, same(other, mine, "evaluation", "round", "item"))
        .join(drafts, same(drafts, other, "assignment"))
        .join(rounds, same(rounds, mine, "evaluation", "round"))
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
    query = sa.select(rated.c.assignment, rated.c.dimension, rated.c.value).where(
        rated.c.assignment.in_(list(names))
    )
    by_assignment: dict[str, dict[str, float]] = {}
    for assignment, dimension, value in connection.execute(query):
        by_assignment.setdefault(assignment, {})[dimension] = value
    return by_assignment


def _comments(connection: Connection, evaluation: str, item: str) -> dict[str, Comment]:
    """Newest comment of every rater on an item."""
    query = (
        sa.select(assignments.c.rater, comments.c.body, comments.c.letter)
        .join(assignments, same(assignments, comments, "assignment"))
        .where(assignments.c.evaluation == evaluation, assignments.c.item == item)
        .order_by(comments.c.at, comments.c.rev)
    )
    return {rater: Comment(*comment) for rater, *comment in connection.execute(query)}


class ItemTexts(NamedTuple):
    """Parts of an item; no texts once they were removed."""

    item: str
    doc_type: str | None
    field: str | None
    kind: str | None
    language: str | None
    reference: str | None
    hypothesis: str
    purged_at: datetime | None


class GivenRating(NamedTuple):
    """Rating of an item by one rater on a dimension."""

    item: str
    dimension: str
    rater: str
    value: float


def list_texts(connection: Connection, evaluation: str, names: Sequence[str]) -> list[ItemTexts]:
    """Texts of some items of an evaluation."""
    query = (
        sa.select(
            items.c.item,
            *(documents.c[name] for name in ("doc_type", "field", "kind", "language", "reference")),
            items.c.hypothesis,
            documents.c.purged_at,
        )
        .join(documents, same(documents, items, "evaluation", "doc_id"))
        .where(items.c.evaluation == evaluation)
    )
    return [ItemTexts(*row) for row in rows_among(connection, query, items.c.item, names=names)]


def list_given(
    connection: Connection, evaluation: str, names: Sequence[str], *, pilot: int | None = None
) -> list[GivenRating]:
    """Ratings that count of some items, in main and adaptive rounds, or those of one pilot."""
    rated = current_ratings()
    of_kind = rated.c.kind.in_(_KINDS) if pilot is None else rated.c.round == pilot
    query = (
        sa.select(*columns_of(rated, GivenRating))
        .where(
            rated.c.evaluation == evaluation,
            rated.c.item.in_(list(names)),
            of_kind,
        )
        .order_by(rated.c.item, rated.c.dimension, rated.c.rater, rated.c.round)
    )
    return list_rows(connection, GivenRating, query)


class LatestAnswer(NamedTuple):
    """The newest revision of an answer; a dimension has a value or a reason why it has none."""

    values: Mapping[str, float]
    flags: Mapping[str, str]
    confidence: float | None
    comment: str = ""

    def changed_by(self, values: Mapping[str, float], flags: Mapping[str, str]) -> int:
        """Number of dimensions on which another answer says something else."""
        before = {**self.values, **self.flags}
        after = {**values, **flags}
        return sum(before[name] != after.get(name) for name in before)


def latest_answers(
    connection: Connection, evaluation: str, *, number: int, rater: str
) -> dict[str, LatestAnswer]:
    """Newest answers of one rater in a round, by assignment."""
    mine = (assignments.c.evaluation == evaluation, assignments.c.round == number)
    return _answers(connection, *mine, assignments.c.rater == rater)


def latest_answer(connection: Connection, assignment: str) -> LatestAnswer:
    """Newest answer of an assignment; empty before the first."""
    own = _answers(connection, assignments.c.assignment == assignment)
    return own.get(assignment, LatestAnswer({}, {}, None))


def answers_of(connection: Connection, names: Sequence[str]) -> dict[str, LatestAnswer]:
    """Newest answers of some assignments, without those that have none."""
    answers: dict[str, LatestAnswer] = {}
    for start in range(0, len(names), _AT_ONCE):
        some = assignments.c.assignment.in_(names[start : start + _AT_ONCE])
        answers |= _answers(connection, some)
    return answers


def _answers(connection: Connection, *which: sa.ColumnElement[bool]) -> dict[str, LatestAnswer]:
    """Newest answers of some assignments."""
    query = (
        sa.select(ratings)
        .join(assignments, same(assignments, ratings, "assignment"))
        .where(*which)
        .order_by(ratings.c.assignment, ratings.c.dimension, ratings.c.rev)
    )
    newest: dict[str, dict[str, sa.Row[tuple[object, ...]]]] = {}
    for row in connection.execute(query):
        newest.setdefault(row.assignment, {})[row.dimension] = row
    written = (
        sa.select(comments.c.assignment, comments.c.body)
        .join(assignments, same(assignments, comments, "assignment"))
        .where(*which)
        .order_by(comments.c.rev)
    )
    beside = dict(connection.execute(written).tuples().all())
    return {
        assignment: LatestAnswer(
            {name: row.value for name, row in rows.items() if row.value is not None},
            {name: row.flag for name, row in rows.items() if row.flag is not None},
            next(row.confidence for row in rows.values()),
            beside.get(assignment, ""),
        )
        for assignment, rows in newest.items()
    }
