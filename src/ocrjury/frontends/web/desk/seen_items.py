"""The items that divide raters as a lead looks at them, which is written down."""

from typing import NamedTuple

from ocrjury.frontends.web.access.people import Lead, note
from ocrjury.frontends.web.desk.agreement_view import Source, stored_agreement
from ocrjury.frontends.web.desk.bodies import DividedItemBody, DividedItemsBody, DividedRating
from ocrjury.frontends.web.desk.divided_view import DividedItem, DividedItems, divided_items
from ocrjury.store.database import writing


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
        items=[_body(one) for one in found.items],
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
        apart={one.dimension: one.range for one in item.told},
        ratings=[
            DividedRating(rater=one.rater, dimension=told.dimension, value=one.value)
            for told in item.told
            for one in told.ratings
        ],
    )
