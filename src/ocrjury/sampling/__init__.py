"""Samples of documents whose odds are known."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.sampling.drawing import draw_sample
    from ocrjury.sampling.extension import extend_sample
    from ocrjury.sampling.probabilities import inclusion_probabilities
    from ocrjury.sampling.risk import risk_scores
    from ocrjury.sampling.size import sample_size

__all__ = [
    "draw_sample",
    "extend_sample",
    "inclusion_probabilities",
    "risk_scores",
    "sample_size",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(
        __name__,
        {
            "draw_sample": "drawing",
            "extend_sample": "extension",
            "inclusion_probabilities": "probabilities",
            "risk_scores": "risk",
            "sample_size": "size",
        },
    )
