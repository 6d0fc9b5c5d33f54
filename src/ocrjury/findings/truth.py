"""Certainty of the inferred labels after a round."""

from collections.abc import Mapping
from dataclasses import dataclass

from ocrjury.findings.record import Measured, Number, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainItems(Record):
    """Items whose label is below the ``target`` confidence on some dimension, of ``n_items``."""

    uncertain_items: int
    n_items: int
    target: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionTruth(Record):
    """Confidence of the labels on one dimension, and the raters as the model sees them.

    ``uncertain_share`` and ``mean_confidence`` are nan on a continuous scale, where no two ratings
    are expected to be equal. ``rater_accuracy`` and ``rater_bias`` are by rater, and so is
    ``equal_to_label``, the share of the ratings in main rounds that equal the label.
    """

    uncertain_share: Number
    mean_confidence: Number
    n_items: int
    n_ratings: int
    calibrated: bool
    temperature: Number
    converged: bool
    n_iter: int
    warnings: tuple[str, ...]
    rater_accuracy: Mapping[str, Number]
    rater_bias: Mapping[str, Number]
    equal_to_label: Mapping[str, Measured]


@dataclass(frozen=True, slots=True)
class TruthSummary(Record):
    """Confidence of the labels over all dimensions and on each."""

    overall: UncertainItems
    dimensions: Mapping[str, DimensionTruth]

    @property
    def calibrated(self) -> bool:
        """Whether the confidence was checked on known items, on every dimension."""
        rows = self.dimensions.values()
        return bool(rows) and all(row.calibrated for row in rows)
