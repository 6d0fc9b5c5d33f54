"""The documents of a sample and the items that raters see; text is copied here once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.schema import documents, items


@dataclass(frozen=True, slots=True)
class SampledItem:
    """One item with its document; `scores` are the columns of `text.score_texts`.

    `masks` are places of the page that nobody sees, relative as `box` is. Once the texts were taken
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
    purged_at: datetime | None = None


_DOCUMENT = (
    "doc_id",
    "page_id",
    "doc_type",
    "language",
    "kind",
    "reference",
    "image_uri",
    "box",
    "masks",
    "scores",
)
_ITEM = (
    "item",
    "doc_id",
    "system",
    "hypothesis",
    "confidence",
    "purpose",
    "inclusion_probability",
    "stratum",
    "reason",
    "draw_number",
)
_OF_DOCUMENTS = {*_DOCUMENT, "purged_at"} - {"doc_id"}


def add_items(connection: Connection, evaluation: str, sample: Iterable[SampledItem]) -> None:
    """Keep the items of a sample with their documents."""
    rows = [asdict(item) | {"evaluation": evaluation} for item in sample]
    if not rows:
        return
    connection.execute(sa.insert(documents), [_part(row, _DOCUMENT) for row in rows])
    connection.execute(sa.insert(items), [_part(row, _ITEM) for row in rows])


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
    """Make items that were there for another purpose part of the sample, with their odds."""
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
    """Return every item of an evaluation: the sample in draw order, then the others."""
    columns = [
        (documents if name in _OF_DOCUMENTS else items).c[name]
        for name in SampledItem.__dataclass_fields__
    ]
    query = (
        sa.select(*columns)
        .join(
            documents,
            sa.and_(
                documents.c.evaluation == items.c.evaluation, documents.c.doc_id == items.c.doc_id
            ),
        )
        .where(items.c.evaluation == evaluation)
        .order_by(items.c.draw_number.is_(None), items.c.draw_number, items.c.item)
    )
    with reading(engine) as connection:
        return [SampledItem(*row) for row in connection.execute(query)]


def _part(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the columns of one table."""
    return {name: row[name] for name in ("evaluation", *names)}
