"""Comparing OCR output with its reference text: scores, alignments, confusions, typed fields."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.text.alignment import EditOp, align, split_units
    from ocrjury.text.confusion import confusion_table
    from ocrjury.text.fields import FieldResult, compare_field
    from ocrjury.text.options import TextOptions
    from ocrjury.text.scoring import score_texts
    from ocrjury.text.summary import summarize_scores

__all__ = [
    "EditOp",
    "FieldResult",
    "TextOptions",
    "align",
    "compare_field",
    "confusion_table",
    "score_texts",
    "split_units",
    "summarize_scores",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(
        __name__,
        {
            "EditOp": "alignment",
            "FieldResult": "fields",
            "TextOptions": "options",
            "align": "alignment",
            "compare_field": "fields",
            "confusion_table": "confusion",
            "score_texts": "scoring",
            "split_units": "alignment",
            "summarize_scores": "summary",
        },
    )
