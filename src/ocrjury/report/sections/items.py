"""The worst items."""

from ocrjury.pages.document_text import DIGIT_SHAPE, LETTER_SHAPE
from ocrjury.pages.numbers import decimal, percent, plural
from ocrjury.report.data import ReportData
from ocrjury.report.evidence import Items, WorstItem
from ocrjury.report.sections import Section


def lead(report: ReportData) -> str:
    """Return what the list holds."""
    items = report.items
    name = report.name(items.dimension)
    return (
        f"The {plural(len(items.rows), 'item')} with the lowest ratings on {name} among "
        f"{items.n_rated:,} rated; the higher error rate first among equals."
    )


def privacy_text(items: Items) -> str | None:
    """Return what was done to the documents' text."""
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
    """Return substitutions, deletions and insertions."""
    if item.substitutions is None:
        return None
    return f"{item.substitutions} replaced · {item.deletions} missing · {item.insertions} extra"


def rating_text(report: ReportData, item: WorstItem) -> str:
    """Return every rater's ratings, dimensions in the report's order."""
    keys = [row.key for row in report.dimensions]
    parts = []
    for rating in item.ratings:
        values = "/".join(
            f"{rating.values[key]:g}" if key in rating.values else "–" for key in keys
        )
        parts.append(f"{rating.rater} {values}")
    return " · ".join(parts)


def rating_key(report: ReportData) -> str:
    """Return in which order ratings are printed."""
    return " / ".join(row.name for row in report.dimensions)


def label_text(item: WorstItem) -> str | None:
    """Return the inferred label and how sure it is."""
    if item.label is None:
        return None
    sure = (
        "" if item.label_confidence is None else f" (confidence {decimal(item.label_confidence)})"
    )
    return f"{item.label:g}{sure}"


def settled_text(report: ReportData) -> str | None:
    """Return what is different about a label that one person settled."""
    if report.rounds is None or not report.rounds.settled:
        return None
    if all(row.label is None for row in report.items.rows):
        return None
    return (
        "A label that an adjudicator or a panel settled is that person’s word, certain by "
        "definition (confidence 1.00); others are inferred from the ratings."
    )


def image_alternative(item: WorstItem) -> str:
    """Return what the picture shows."""
    kind = f", {item.doc_type}" if item.doc_type else ""
    return f"Scanned place of {item.doc_id}{kind}."


def cer_text(item: WorstItem) -> str:
    """Return the error rate, or that there is no reference."""
    return "no reference" if item.cer is None else percent(item.cer)


SECTION = Section(
    "items", "The worst items", "report/items.html.j2", lambda report: report.items.rows
)
