"""Images of items: where they are, what of them is rated, and what of them nobody sees."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.rows import rows_among, same
from ocrjury.store.schema.material import documents, items


class ItemImage(NamedTuple):
    """Image of an item's page, as it was drawn into the sample.

    `box` is the place that is rated and `masks` are places that nobody sees, relative to the page;
    `sha256` is the hash of its file at the draw, None if it was not taken.
    """

    item: str
    uri: str
    box: Sequence[float] | None
    masks: Sequence[Sequence[float]] | None
    sha256: str | None


def list_images(connection: Connection, evaluation: str, names: Sequence[str]) -> list[ItemImage]:
    """Images of those among some items of an evaluation that have one."""
    columns = [documents.c[name] for name in ("image_uri", "box", "masks", "image_sha256")]
    query = (
        sa.select(items.c.item, *columns)
        .join(documents, same(documents, items, "evaluation", "doc_id"))
        .where(items.c.evaluation == evaluation, documents.c.image_uri.is_not(None))
    )
    return [ItemImage(*row) for row in rows_among(connection, query, items.c.item, names=names)]
