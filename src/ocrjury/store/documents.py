"""Documents, items and known ratings of an evaluation, and the removal of every stored text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.normal_forms import normal_form
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.rows import EVALUATION, add_rows, list_of_evaluation, list_rows, row_of, same
from ocrjury.store.rubric_texts import count_cases, take_cases
from ocrjury.store.schema.intake import answers, comments, drafts, notes
from ocrjury.store.schema.material import documents, gold, items
from ocrjury.store.schema.rating import assignments


@dataclass(frozen=True, slots=True)
class SampledItem:
    """One item with its document; `scores` are the columns of `text.score_texts`.

    `field` is what the form calls its place.
    `masks` are places of the page that nobody sees, relative as `box` is, and `image_sha256` is
    the hash of its image's file at the draw. Once the texts were taken
    away (`purged_at`), there is no reference and no image, and the hypothesis is empty.
    """

    item: str
    doc_id: str
    page_id: str
    system: str
    doc_type: str | None
    language: str | None
    kind: str | None
    reference: str | None
    hypothesis: str
    confidence: float | None
    image_uri: str | None
    box: Sequence[float] | None
    scores: Mapping[str, float | None]
    purpose: str
    inclusion_probability: float | None
    stratum: str | None
    reason: str | None
    draw_number: int | None
    masks: Sequence[Sequence[float]] | None = None
    image_sha256: str | None = None
    field: str | None = None
    purged_at: datetime | None = None

    @property
    def weight(self) -> float:
        """Documents of the pool for which the item stands where agreement is measured."""
        return 1 / (self.inclusion_probability or 1.0)


def add_items(connection: Connection, evaluation: str, sample: Iterable[SampledItem]) -> None:
    """Keep the items of a sample with their documents."""
    rows = [row_of(item) | {"evaluation": evaluation} for item in sample]
    if not rows:
        return
    for table in (documents, items):
        names = table.c.keys()
        connection.execute(sa.insert(table), [{name: row[name] for name in names} for row in rows])


def change_probabilities(
    connection: Connection, evaluation: str, probabilities: Mapping[str, float]
) -> None:
    """Set the inclusion probabilities that a larger sample gives to items drawn earlier."""
    change = (
        sa.update(items)
        .where(items.c.evaluation == evaluation, items.c.item == sa.bindparam("of"))
        .values(inclusion_probability=sa.bindparam("probability"))
    )
    rows = [{"of": item, "probability": value} for item, value in probabilities.items()]
    connection.execute(change, rows)


def promote_items(connection: Connection, evaluation: str, sample: Iterable[SampledItem]) -> None:
    """Make items of another purpose part of the sample, with inclusion probabilities."""
    columns = ("purpose", "inclusion_probability", "stratum", "reason", "draw_number")
    change = (
        sa.update(items)
        .where(items.c.evaluation == evaluation, items.c.item == sa.bindparam("of"))
        .values({name: sa.bindparam(f"to_{name}") for name in columns})
    )
    rows = [
        {"of": item.item, **{f"to_{name}": getattr(item, name) for name in columns}}
        for item in sample
    ]
    if rows:
        connection.execute(change, rows)


def list_items(engine: Engine, evaluation: str) -> list[SampledItem]:
    """Every item of an evaluation: the sample in draw order, then the others."""
    return list_rows(engine, SampledItem, _items(), evaluation=evaluation)


@cache
def _items() -> sa.Select[Any]:
    columns = [
        (items if name in items.c else documents).c[name]
        for name in SampledItem.__dataclass_fields__
    ]
    return (
        sa.select(*columns)
        .join(documents, same(documents, items, "evaluation", "doc_id"))
        .where(items.c.evaluation == EVALUATION)
        .order_by(items.c.draw_number.is_(None), items.c.draw_number, items.c.item)
    )


def stored_item(connection: Connection, evaluation: str, typed: str) -> str:
    """Item as it is stored, of a name that was typed; the name itself where there is no such item.

    A Mac types letters that are apart, which are the same to whoever reads them.
    """
    names = set(connection.scalars(sa.select(items.c.item).where(items.c.evaluation == evaluation)))
    alike = {normal_form("NFC", name): name for name in names}
    return typed if typed in names else alike.get(normal_form("NFC", typed), typed)


class GoldRow(NamedTuple):
    """The known rating of an item on a dimension; `explanation` is for people who practise."""

    item: str
    dimension: str
    value: float
    explanation: str
    source: str


def add_gold(connection: Connection, evaluation: str, rows: Iterable[GoldRow]) -> None:
    """Keep known ratings; their items are there already."""
    add_rows(connection, gold, [{"evaluation": evaluation, **row._asdict()} for row in rows])


def list_gold(engine: Engine, evaluation: str) -> list[GoldRow]:
    """Known ratings of an evaluation, in the order of items and dimensions."""
    return list_of_evaluation(engine, GoldRow, gold, evaluation=evaluation, order="item dimension")


_KEPT_OF_NOTES = ("category", "values")


class TextCounts(NamedTuple):
    """Number of texts of each kind that an evaluation holds."""

    documents: int
    items: int
    explanations: int
    comments: int
    answers: int
    notes: int
    drafts: int
    rubrics: int


def count_texts(connection: Connection, evaluation: str) -> TextCounts:
    """Number of texts of each kind that a purge would remove."""
    texts: tuple[tuple[sa.Table, sa.ColumnElement[bool]], ...] = (
        (documents, documents.c.purged_at.is_(None)),
        (items, items.c.hypothesis != ""),
        (gold, gold.c.explanation != ""),
        (comments, comments.c.body != ""),
        (answers, answers.c.body != ""),
        (notes, sa.true()),
        (drafts, sa.true()),
    )
    counts = (
        sa.select(sa.func.count()).select_from(table).where(_of(table, evaluation), condition)
        for table, condition in texts
    )
    counted = (connection.execute(count).scalar_one() for count in counts)
    return TextCounts(*[*counted, count_cases(connection, evaluation)])


def take_texts(connection: Connection, evaluation: str, *, now: datetime) -> None:
    """Take away every text and the names of page images; what is a number stays.

    References become null, other texts empty; of notes and drafts what is no free text stays, of
    boundary cases that were added the dimension and the level.
    """

    def change(table: sa.Table, *which: sa.ColumnElement[bool], **values: Any) -> None:
        own = _of(table, evaluation)
        connection.execute(sa.update(table).where(own, *which).values(**values))

    change(documents, reference=None, image_uri=None, masks=None)
    change(documents, documents.c.purged_at.is_(None), purged_at=now)
    change(items, hypothesis="")
    change(gold, explanation="")
    change(comments, letter="", body="")
    change(answers, body="")
    _shorten_notes(connection, evaluation)
    _shorten_drafts(connection, evaluation)
    take_cases(connection, evaluation)


def read_purged_at(engine: Engine, evaluation: str) -> datetime | None:
    """Time when the texts of an evaluation were removed; None if they are still there."""
    query = sa.select(documents.c.purged_at).where(
        documents.c.evaluation == evaluation, documents.c.purged_at.is_not(None)
    )
    with reading(engine) as connection:
        return connection.execute(query.limit(1)).scalar()


def _of(table: sa.Table, evaluation: str) -> sa.ColumnElement[bool]:
    """Condition for rows about an evaluation, or about its assignments."""
    if "evaluation" in table.c:
        return table.c.evaluation == evaluation
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
        own = drafts.c.assignment == row.assignment
        connection.execute(sa.update(drafts).where(own).values(body=row.body.without_text()))


def _only(body: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: body[name] for name in names if name in body}
