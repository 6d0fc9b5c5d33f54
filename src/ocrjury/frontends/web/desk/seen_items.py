"""The items that divide raters as a lead looks at them, which is written down."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ocrjury.findings.agreement import divided_items as rank_divided
from ocrjury.frontends.web.access.people import Lead, note
from ocrjury.frontends.web.desk.agreement_view import Source, Stored, stored_agreement
from ocrjury.frontends.web.desk.bodies import DividedItemBody, DividedItemsBody, DividedRating
from ocrjury.frontends.web.marked_texts import MarkedTexts, mark_texts
from ocrjury.store.database import Engine, reading, writing
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
    """Page of the items that divide raters; ranks and ranges are the stored ones."""
    findings = [] if stored is None else list(stored.findings.values())
    ranked = rank_divided(row for row in findings if dimension in (None, row.dimension))
    pages = max(-(-len(ranked) // PER_PAGE), 1)
    number = min(max(page, 1), pages)
    ranges = {row.item: row.ranges for row in ranked[(number - 1) * PER_PAGE :][:PER_PAGE]}
    with reading(engine) as connection:
        texts = {text.item: text for text in list_texts(connection, evaluation, list(ranges))}
        given = list_given(connection, evaluation, list(ranges))
    first = (number - 1) * PER_PAGE + 1
    items = [
        _item(
            place,
            texts[item],
            given=[rating for rating in given if rating.item == item],
            ranges=ranges[item],
        )
        for place, item in enumerate(ranges, start=first)
        if item in texts
    ]
    return DividedItems(items, len(ranked), number, pages)


def _item(
    place: int,
    texts: ItemTexts,
    *,
    given: Sequence[GivenRating],
    ranges: Mapping[str, float],
) -> DividedItem:
    """One item with its ratings by dimension."""
    told: dict[str, list[GivenRating]] = {}
    for rating in given:
        told.setdefault(rating.dimension, []).append(rating)
    return DividedItem(
        place,
        texts,
        mark_texts(texts.reference, texts.hypothesis),
        [Told(name, ratings, ranges.get(name, 0.0)) for name, ratings in told.items()],
        max(ranges.values()),
    )


class SeenItems(NamedTuple):
    """A page of items, and which agreement their ranks are of."""

    source: Source
    found: DividedItems


def see_items(lead: Lead, evaluation: str, *, page: int, dimension: str) -> SeenItems:
    """List items that divide raters, and note who looked at their texts."""
    engine = lead.site.store.engine
    stored = stored_agreement(engine, evaluation)
    found = divided_items(engine, evaluation, stored, page=page, dimension=dimension or None)
    with writing(engine) as connection:
        note(connection, lead, "view items", target=evaluation)
    return SeenItems("none" if stored is None else stored.source, found)


def items_body(seen: SeenItems) -> DividedItemsBody:
    """Items that divide raters, for programs."""
    found = seen.found
    return DividedItemsBody(
        source=seen.source,
        total=found.total,
        page=found.page,
        pages=found.pages,
        items=[_body(item) for item in found.items],
    )


def _body(item: DividedItem) -> DividedItemBody:
    """One item for programs."""
    texts = item.texts
    return DividedItemBody(
        place=item.place,
        item=texts.item,
        doc_type=texts.doc_type,
        kind=texts.kind,
        reference=texts.reference,
        hypothesis=texts.hypothesis,
        apart={told.dimension: told.range for told in item.told},
        ratings=[
            DividedRating(rater=given.rater, dimension=told.dimension, value=given.value)
            for told in item.told
            for given in told.ratings
        ],
    )
