"""The items on which raters lie farthest apart, as they were stored with the agreement."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ocrjury.findings.agreement import divided_items as rank_divided
from ocrjury.frontends.web.desk.agreement_view import Stored
from ocrjury.frontends.web.marked_texts import MarkedTexts, mark_texts
from ocrjury.store.database import Engine, reading
from ocrjury.store.item_ratings import GivenRating, ItemTexts, list_given, list_texts

PER_PAGE = 20


class Told(NamedTuple):
    """What was said about an item on a dimension."""

    dimension: str
    ratings: Sequence[GivenRating]
    range: float


class DividedItem(NamedTuple):
    """An item, its texts with their difference, and what raters said."""

    place: int
    texts: ItemTexts
    marked: MarkedTexts
    told: Sequence[Told]
    range: float


class DividedItems(NamedTuple):
    """One page of the items that divide raters, the widest first."""

    items: Sequence[DividedItem]
    total: int
    page: int
    pages: int


def divided_items(
    engine: Engine, evaluation: str, stored: Stored | None, *, page: int, dimension: str | None
) -> DividedItems:
    """Return a page of the items that divide raters; ranks and ranges are the stored ones."""
    findings = [] if stored is None else list(stored.findings.values())
    ranked = rank_divided(row for row in findings if dimension in (None, row.dimension))
    pages = max(-(-len(ranked) // PER_PAGE), 1)
    number = min(max(page, 1), pages)
    ranges = {row.item: row.ranges for row in ranked[(number - 1) * PER_PAGE :][:PER_PAGE]}
    with reading(engine) as connection:
        texts = {one.item: one for one in list_texts(connection, evaluation, list(ranges))}
        given = list_given(connection, evaluation, list(ranges))
    first = (number - 1) * PER_PAGE + 1
    found = [
        _item(
            place,
            texts[item],
            given=[one for one in given if one.item == item],
            ranges=ranges[item],
        )
        for place, item in enumerate(ranges, start=first)
        if item in texts
    ]
    return DividedItems(found, len(ranked), number, pages)


def _item(
    place: int,
    texts: ItemTexts,
    *,
    given: Sequence[GivenRating],
    ranges: Mapping[str, float],
) -> DividedItem:
    """Return one item."""
    told: dict[str, list[GivenRating]] = {}
    for one in given:
        told.setdefault(one.dimension, []).append(one)
    return DividedItem(
        place,
        texts,
        mark_texts(texts.reference, texts.hypothesis),
        [Told(name, ratings, ranges.get(name, 0.0)) for name, ratings in told.items()],
        max(ranges.values()),
    )
