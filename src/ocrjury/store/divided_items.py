"""The texts of some items and what raters said about them, for whoever looks at disagreement."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection
from ocrjury.store.schema import documents, items

_KINDS = ("main", "adaptive")


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
    """Return the texts of some items of an evaluation."""
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
    """Return the ratings that count of some items, in main and adaptive rounds."""
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
