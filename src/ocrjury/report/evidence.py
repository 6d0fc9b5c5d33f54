"""The worst items: what each was, what OCR made of it, and what people said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from ocrjury.report_choices import Examples

Mark = Literal["equal", "replace", "insert", "delete", "gap"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one line of a marked comparison."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class MarkedText:
    """Reference above, None where nobody knows it; OCR output below."""

    reference: tuple[Piece, ...] | None = None
    hypothesis: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedRating:
    """Ratings of an item by one rater, by dimension."""

    rater: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstItem:
    """One item with its evidence; ``image`` is a data URI."""

    doc_id: str
    page_id: str | None = None
    doc_type: str | None = None
    kind: str | None = None
    language: str | None = None
    text: MarkedText = field(default_factory=MarkedText)
    cer: float | None = None
    substitutions: int | None = None
    deletions: int | None = None
    insertions: int | None = None
    confidence: float | None = None
    ratings: tuple[PrintedRating, ...] = ()
    label: float | None = None
    label_confidence: float | None = None
    image: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """The worst rated items on one dimension, worst first.

    ``purged_at``: when the documents' texts were removed; then ``examples`` is ``off``.
    ``pictures_left_out``: pictures of the last items that only the PDF has.
    """

    rows: tuple[WorstItem, ...]
    dimension: str
    n_rated: int
    examples: Examples = "masked"
    purged_at: datetime | None = None
    pictures_left_out: int = 0
