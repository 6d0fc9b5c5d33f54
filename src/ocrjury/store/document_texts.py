"""The texts of documents, wherever the tables hold one: count them, and take them away."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.schema import assignments, comments, documents, drafts, gold, items, notes

_KEPT_OF_NOTES = ("category", "values")
_KEPT_OF_DRAFTS = ("values", "flags", "flag", "confidence", "told")


class TextCounts(NamedTuple):
    """How many texts an evaluation holds, of each kind."""

    documents: int
    items: int
    explanations: int
    comments: int
    notes: int
    drafts: int


def count_texts(connection: Connection, evaluation: str) -> TextCounts:
    """Return how many texts there are to take away."""
    own = {table: table.c.evaluation == evaluation for table in (documents, items, gold, notes)}
    there = (
        (documents, sa.and_(own[documents], documents.c.purged_at.is_(None))),
        (items, sa.and_(own[items], items.c.hypothesis != "")),
        (gold, sa.and_(own[gold], gold.c.explanation != "")),
        (comments, sa.and_(_of(comments, evaluation), comments.c.body != "")),
        (notes, own[notes]),
        (drafts, _of(drafts, evaluation)),
    )
    return TextCounts(
        *(
            connection.execute(
                sa.select(sa.func.count()).select_from(table).where(condition)
            ).scalar_one()
            for table, condition in there
        )
    )


def take_texts(connection: Connection, evaluation: str, *, now: datetime) -> None:
    """Take away every text and the names of page images; what is a number stays.

    References become null, other texts empty; of notes and drafts what is no free text stays.
    """
    same = documents.c.evaluation == evaluation
    connection.execute(
        sa.update(documents).where(same).values(reference=None, image_uri=None, masks=None)
    )
    connection.execute(
        sa.update(documents).where(same, documents.c.purged_at.is_(None)).values(purged_at=now)
    )
    connection.execute(
        sa.update(items).where(items.c.evaluation == evaluation).values(hypothesis="")
    )
    connection.execute(
        sa.update(gold).where(gold.c.evaluation == evaluation).values(explanation="")
    )
    connection.execute(sa.update(comments).where(_of(comments, evaluation)).values(body=""))
    _shorten_notes(connection, evaluation)
    _shorten_drafts(connection, evaluation)


def read_purged_at(engine: Engine, evaluation: str) -> datetime | None:
    """Return when the texts of an evaluation were taken away, None if they were not."""
    query = sa.select(documents.c.purged_at).where(
        documents.c.evaluation == evaluation, documents.c.purged_at.is_not(None)
    )
    with reading(engine) as connection:
        return connection.execute(query.limit(1)).scalar()


def _of(table: sa.Table, evaluation: str) -> sa.ColumnElement[bool]:
    """Return the condition for what hangs on the assignments of an evaluation."""
    own = sa.select(assignments.c.assignment).where(assignments.c.evaluation == evaluation)
    return table.c.assignment.in_(own)


def _shorten_notes(connection: Connection, evaluation: str) -> None:
    """Leave of notes the reason's category and the values that were agreed."""
    columns = ("round", "item", "kind", "rev")
    query = sa.select(*(notes.c[name] for name in columns), notes.c.body).where(
        notes.c.evaluation == evaluation
    )
    for row in connection.execute(query).all():
        same = [notes.c[name] == getattr(row, name) for name in columns]
        connection.execute(
            sa.update(notes)
            .where(notes.c.evaluation == evaluation, *same)
            .values(body=_only(row.body, _KEPT_OF_NOTES))
        )


def _shorten_drafts(connection: Connection, evaluation: str) -> None:
    """Leave of drafts what was chosen, without the comment beside it."""
    query = sa.select(drafts.c.assignment, drafts.c.body).where(_of(drafts, evaluation))
    for row in connection.execute(query).all():
        body = _only(row.body, _KEPT_OF_DRAFTS)
        first = row.body.get("first")
        if isinstance(first, dict):
            body["first"] = _only(first, _KEPT_OF_DRAFTS)
        connection.execute(
            sa.update(drafts).where(drafts.c.assignment == row.assignment).values(body=body)
        )


def _only(body: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return some keys of a body."""
    return {name: body[name] for name in names if name in body}
