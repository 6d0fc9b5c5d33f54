"""Items that divide raters: their texts, images and ratings, by the stored ranges."""

from collections.abc import Mapping
from datetime import datetime

from ocrjury.findings.agreement import divided_items
from ocrjury.frontends.web.access.leads import Lead
from ocrjury.frontends.web.desk.agreement_view import stored_agreement
from ocrjury.frontends.web.desk.item_images import ImageState, image_states
from ocrjury.frontends.web.desk.items_bodies import (
    DividedItemBody,
    DividedItemsBody,
    DividedRating,
)
from ocrjury.frontends.web.desk.live_pages import look
from ocrjury.frontends.web.marked_texts import MarkedTexts, mark_texts, too_long
from ocrjury.scales import lengths_of
from ocrjury.store.database import reading
from ocrjury.store.item_ratings import list_given, list_texts

PER_PAGE = 20


class SeenItem(DividedItemBody):
    """An item for the page, which shows more of it than programs are sent."""

    language: str | None
    purged_at: datetime | None
    image: ImageState

    @property
    def marked(self) -> MarkedTexts:
        """Texts of the item with their differences."""
        return mark_texts(self.reference, self.hypothesis)

    @property
    def too_long(self) -> bool:
        """Whether there is a reference, and a text is too long for differences to be marked."""
        return self.reference is not None and too_long(self.reference, self.hypothesis)


def see_items(lead: Lead, evaluation: str, *, page: int, dimension: str) -> DividedItemsBody:
    """Page of the items that divide raters, by the stored ranges; who looked at them is noted."""
    engine = lead.site.store.engine
    stored = stored_agreement(engine, evaluation)
    findings = [] if stored is None else list(stored.findings.values())
    ranked = divided_items(
        (row for row in findings if dimension in ("", row.dimension)),
        lengths=lengths_of(lead.site.campaign(evaluation).rubric.scales),
    )
    pages = max(-(-len(ranked) // PER_PAGE), 1)
    number = min(page, pages)
    first = (number - 1) * PER_PAGE
    ranges = {row.item: row.ranges for row in ranked[first : first + PER_PAGE]}
    pilot = stored.round if stored is not None and stored.source == "pilot" else None
    items = _items(lead, evaluation, ranges, first=first + 1, pilot=pilot)
    look(lead, "view items", evaluation=evaluation)
    return DividedItemsBody(
        source="none" if stored is None else stored.source,
        total=len(ranked),
        page=number,
        pages=pages,
        items=items,
    )


def _items(
    lead: Lead,
    evaluation: str,
    ranges: Mapping[str, Mapping[str, float]],
    *,
    first: int,
    pilot: int | None,
) -> list[DividedItemBody]:
    """Items with their texts, images and ratings, which are those of a pilot if it divided them."""
    images = image_states(lead, evaluation, list(ranges))
    with reading(lead.site.store.engine) as connection:
        texts = {text.item: text for text in list_texts(connection, evaluation, list(ranges))}
        given = list_given(connection, evaluation, list(ranges), pilot=pilot)
    items: list[DividedItemBody] = []
    for place, (item, apart) in enumerate(ranges.items(), start=first):
        if item not in texts:
            continue
        ratings = [rating for rating in given if rating.item == item]
        items.append(
            SeenItem(
                place=place,
                apart={rating.dimension: apart.get(rating.dimension, 0.0) for rating in ratings},
                ratings=[
                    DividedRating(
                        rater=rating.rater, dimension=rating.dimension, value=rating.value
                    )
                    for rating in ratings
                ],
                image=images.get(item, "none"),
                **texts[item]._asdict(),
            )
        )
    return items
