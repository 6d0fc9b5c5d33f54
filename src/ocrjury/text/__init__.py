"""Comparing OCR output with its reference text: scores, alignments, confusions, typed fields."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.text.alignment import EditOp, align, split_units
    from ocrjury.text.alignment_picture import render_alignment
    from ocrjury.text.confidences import ConfidenceReliability, confidence_reliability
    from ocrjury.text.confusion import confusion_table
    from ocrjury.text.fields import FieldResult, compare_field
    from ocrjury.text.option_values import read_options
    from ocrjury.text.options import TextOptions
    from ocrjury.text.scoring import score_texts
    from ocrjury.text.summary import summarize_scores
    from ocrjury.text.unicode_blocks import error_rates_by_block

__all__ = [
    "ConfidenceReliability",
    "EditOp",
    "FieldResult",
    "TextOptions",
    "align",
    "compare_field",
    "confidence_reliability",
    "confusion_table",
    "error_rates_by_block",
    "read_options",
    "render_alignment",
    "score_texts",
    "split_units",
    "summarize_scores",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
