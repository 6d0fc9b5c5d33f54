"""The worst items."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pandas as pd

from ocrjury.language import phrase, tr, trn
from ocrjury.pages.document_text import DIGIT_SHAPE, LETTER_SHAPE
from ocrjury.pages.numbers import count, decimal, paragraph, percent, short
from ocrjury.report.data import ReportData
from ocrjury.report.evidence import Items, PrintedRating, WorstItem
from ocrjury.report.sections import Section
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.stored_evaluation import Stored
from ocrjury.report.worst_items import worst_items
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
    measured = stored.campaign.rubric.scales[dimension].kind == "interval"  # no label is right
    worst = worst_items(
        pool[pool["doc_id"].isin(list(drawn))],
        ratings[ratings["item"].isin(list(drawn))].rename(columns={"value": "rating"}),
        dimension=dimension,
        # Categories have no order, so that none is the lowest.
        count=report.worst_items if stored.campaign.rubric.scales[dimension].ordered else 0,
        examples="off" if purged_at else report.examples,
        images=Path(stored.campaign.images_location),
        labels={
            truth.item: (float(truth.label), None if measured else truth.confidence)
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
    words = {"dimension": name, "rated": count(items.n_rated)}
    pages = [row.page_id for row in items.rows if row.page_id is not None]
    if len(pages) > 1 and len(set(pages)) == len(pages):
        which = tr(
            "The {n} items with the lowest ratings on {dimension} among {rated} rated, one from "
            "each page.",
            n=len(items.rows),
            **words,
        )
    else:
        which = trn(
            "The {n} item with the lowest ratings on {dimension} among {rated} rated.",
            "The {n} items with the lowest ratings on {dimension} among {rated} rated.",
            len(items.rows),
            **words,
        )
    scored = any(row.cer is not None for row in items.rows)
    order = tr("Among equals, the higher error rate comes first.") if scored else ""
    return paragraph([which, order])


def has_marks(report: ReportData) -> bool:
    """Return whether some item has a reference, from which its output can differ."""
    return any(row.text.reference is not None for row in report.items.rows)


def marks_text(report: ReportData) -> str:
    """Legend of the marks in texts, and the order of the printed ratings."""
    return paragraph(
        [
            tr(
                "Missing text is struck through, extra text underlined, replaced text bold: "
                "readable without colour."
            )
            if has_marks(report)
            else tr("No reference tells what these items say."),
            tr("Ratings are {dimensions}.", dimensions=rating_key(report)),
        ]
    )


def pictures_text(items: Items) -> str | None:
    """Sentence on where to find the pictures for which this page has no room."""
    if not items.pictures_left_out:
        return None
    shown = sum(row.image is not None for row in items.rows)
    everything = count(shown + items.pictures_left_out)
    if not shown:
        return tr(
            "To keep this file small, it has none of the {all} pictures of these items; the PDF "
            "has them.",
            all=everything,
        )
    return tr(
        "To keep this file small, it has the first {shown} of {all} pictures of these items; the "
        "PDF has all of them.",
        shown=count(shown),
        all=everything,
    )


def privacy_text(items: Items) -> str | None:
    """Treatment of the documents' text."""
    if items.purged_at is not None:
        return tr(
            "The texts and images of these documents were removed on {day}, after the evaluation. "
            "Ratings, scores and all that was computed from them are kept.",
            day=f"{items.purged_at:%Y-%m-%d}",
        )
    if items.examples == "masked":
        return tr(
            "Text is masked: {letter} stands for a letter, {digit} for a digit; spaces, "
            "punctuation and every marked place are where they were. Page images are left out.",
            letter=LETTER_SHAPE,
            digit=DIGIT_SHAPE,
        )
    if items.examples == "off":
        return tr("The campaign prints no text and no image of documents.")
    return None


def edits(item: WorstItem) -> str | None:
    """Substitutions, deletions and insertions."""
    if item.substitutions is None:
        return None
    return tr(
        "{replaced} replaced · {missing} missing · {extra} extra",
        replaced=item.substitutions,
        missing=item.deletions,
        extra=item.insertions,
    )


def ratings_text(report: ReportData, ratings: Iterable[PrintedRating]) -> str:
    """Ratings by rater, dimensions in the report's order, a dash where one was left out."""
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
    if item.label_confidence is None:
        return short(item.label)
    sure = decimal(item.label_confidence)
    return tr("{label} (confidence {confidence})", label=short(item.label), confidence=sure)


def settled_text(report: ReportData) -> str | None:
    """Note on labels that one person settled."""
    rounds = report.get(Rounds)
    if rounds is None or not rounds.settled:
        return None
    if all(row.label is None for row in report.items.rows):
        return None
    return tr(
        "A label that an adjudicator or a panel settled is that person’s word, certain by "
        "definition (confidence 1.00); others are inferred from the ratings."
    )


def image_alternative(item: WorstItem) -> str:
    """Alternative text of the picture."""
    if item.doc_type:
        return tr("Scanned place of {item}, {type}.", item=item.doc_id, type=item.doc_type)
    return tr("Scanned place of {item}.", item=item.doc_id)


def cer_text(item: WorstItem) -> str:
    """Error rate, or that there is no reference."""
    return tr("no reference") if item.cer is None else percent(item.cer)


SECTION = Section(
    "items", phrase("The worst items"), "report/items.html.j2", lambda report: report.items.rows
)
