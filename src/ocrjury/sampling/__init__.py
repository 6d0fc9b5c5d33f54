"""Samples of documents with known inclusion probabilities."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.sampling.drawing import draw_sample
    from ocrjury.sampling.extension import extend_sample
    from ocrjury.sampling.pages import outputs_of, page_frame, pages_for
    from ocrjury.sampling.probabilities import inclusion_probabilities
    from ocrjury.sampling.risk import (
        borderline_scores,
        choose_risk,
        combined_scores,
        risk_scores,
    )
    from ocrjury.sampling.size import sample_size
    from ocrjury.sampling.spread import SpreadBands, expected_spread, spread_bands

__all__ = [
    "SpreadBands",
    "borderline_scores",
    "choose_risk",
    "combined_scores",
    "draw_sample",
    "expected_spread",
    "extend_sample",
    "inclusion_probabilities",
    "outputs_of",
    "page_frame",
    "pages_for",
    "risk_scores",
    "sample_size",
    "spread_bands",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
