"""The worst items."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pandas as pd

from ocrjury.pages.document_text import DIGIT_SHAPE, LETTER_SHAPE
from ocrjury.pages.numbers import decimal, percent, plural, short
from ocrjury.report.data import ReportData
from ocrjury.report.evidence import ItemRating, Items, WorstItem
from ocrjury.report.sections import Section
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.stored import Stored
from ocrjury.report.worst import worst_items
from ocrjury.store.rows import row_of
from ocrjury.text import TextOptions


def items_of(stored: Stored) -> Items:
    """Items that people rated lowest on the headline's dimension."""
    dimension, report = stored.target_dimension, stored.campaign.report
    pool = pd.DataFrame(
        [
            {**row_of(item), **item.scores, "doc_id": item.item, "image": item.image_uri}
            for item in stored.items
        ]
    )
    ratings = pd.DataFrame([rating._asdict() for rating in stored.ratings])
    purged_at = next((item.purged_at for item in stored.items if item.purged_at), None)
    drawn = {item.item for item in stored.items if item.purpose == "sample"}
    worst = worst_items(
        pool[pool["doc_id"].isin(list(drawn))],
        ratings[ratings["item"].isin(list(drawn))].rename(columns={"value": "rating"}),
        dimension=dimension,
        # Names have no order, so that none is the lowest.
        count=report.worst_items if stored.campaign.rubric.scales[dimension].ordered else 0,
        examples="off" if purged_at else report.examples,
        images=Path(stored.campaign.images_location),
        labels={
            truth.item: (float(truth.label), truth.confidence)
            for truth in stored.truths
            if truth.dimension == dimension and isinstance(truth.label, int | float)
        },
        options=TextOptions.preset(stored.campaign.pool.options),
    )
    return replace(worst, purged_at=purged_at)


def lead(report: ReportData) -> str:
    """Contents of the list."""
    items = report.items
    name = report.name(items.dimension)
    pages = [row.page_id for row in items.rows if row.page_id is not None]
    once = ", one of each page" if len(pages) > 1 and len(set(pages)) == len(pages) else ""
    return (
        f"The {plural(len(items.rows), 'item')} with the lowest ratings on {name} among "
        f"{items.n_rated:,} rated{once}; the higher error rate first among equals."
    )


def privacy_text(items: Items) -> str | None:
    """Treatment of the documents' text."""
    if items.purged_at is not None:
        return (
            f"The texts and images of these documents were removed on {items.purged_at:%Y-%m-%d}, "
            "after the evaluation. Ratings, scores and all that was computed from them are kept."
        )
    return {
        "shown": None,
        "masked": f"Text is masked: {LETTER_SHAPE} stands for a letter, {DIGIT_SHAPE} for a digit; "
        "spaces, punctuation and every marked place are where they were. Page images are left out.",
        "off": "The campaign prints no text and no image of documents.",
    }[items.examples]


def edits(item: WorstItem) -> str | None:
    """Substitutions, deletions and insertions."""
    if item.substitutions is None:
        return None
    return f"{item.substitutions} replaced · {item.deletions} missing · {item.insertions} extra"


def rating_text(report: ReportData, item: WorstItem) -> str:
    """Every rater's ratings, dimensions in the report's order."""
    return ratings_text(item.ratings, report)


def ratings_text(ratings: Iterable[ItemRating], report: ReportData) -> str:
    """Ratings by rater, a dash where a rater left a dimension out."""
    parts = []
    for rating in ratings:
        given = rating.values  # noqa: PD011  # no frame
        names = [
            report.labels(row.key).name(given[row.key]) if row.key in given else "–"
            for row in report.dimensions
        ]
        parts.append(f"{rating.rater} {'/'.join(names)}")
    return " · ".join(parts)


def rating_key(report: ReportData) -> str:
    """Order of printed ratings."""
    return " / ".join(row.name for row in report.dimensions)


def label_text(item: WorstItem) -> str | None:
    """Inferred label and how sure it is."""
    if item.label is None:
        return None
    sure = (
        "" if item.label_confidence is None else f" (confidence {decimal(item.label_confidence)})"
    )
    return f"{short(item.label)}{sure}"


def settled_text(report: ReportData) -> str | None:
    """Note on labels that one person settled."""
    rounds = report.get(Rounds)
    if rounds is None or not rounds.settled:
        return None
    if all(row.label is None for row in report.items.rows):
        return None
    return (
        "A label that an adjudicator or a panel settled is that person’s word, certain by "
        "definition (confidence 1.00); others are inferred from the ratings."
    )


def image_alternative(item: WorstItem) -> str:
    """Alternative text of the picture."""
    kind = f", {item.doc_type}" if item.doc_type else ""
    return f"Scanned place of {item.doc_id}{kind}."


def cer_text(item: WorstItem) -> str:
    """Error rate, or that there is no reference."""
    return "no reference" if item.cer is None else percent(item.cer)


SECTION = Section(
    "items", "The worst items", "report/items.html.j2", lambda report: report.items.rows
)
