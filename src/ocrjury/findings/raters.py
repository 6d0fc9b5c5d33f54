"""Measurements of the raters: tests for bias, accuracy on gold and steadiness."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from ocrjury.bias.findings import BiasFinding
from ocrjury.estimate import Estimate
from ocrjury.findings.record import Measured, OwnJson, Record


@dataclass(frozen=True, slots=True)
class BiasTests(Record):
    """All tests for bias, and by dimension and rater the gain of alpha without the rater."""

    findings: tuple[Annotated[BiasFinding, OwnJson()], ...] = ()
    gains: Mapping[str, Mapping[str, Measured]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Accuracy(Record):
    """Accuracy of one rater against known values on one dimension.

    Attributes
    ----------
    n, n_gold
        Ratings that were compared, and how many of them with gold.
    share_equal, share_within
        Share of ratings that are right, and that are off by the tolerance at most.
    mean_absolute_error, mean_deviation
        In units of the scale; the deviation is rating minus known value, below 0 if severe.
        Undefined where categories have no order.
    weighted_kappa
        Quadratic; undefined where categories have no order and on a continuous scale.
    """

    n: int
    n_gold: int
    share_equal: Measured
    share_within: Measured
    mean_absolute_error: Measured
    mean_deviation: Measured
    weighted_kappa: Measured

    def of(self, measure: str) -> Estimate:
        """Look up one of the estimates by its name."""
        estimate: Estimate = getattr(self, measure)
        return estimate


@dataclass(frozen=True, slots=True)
class Accuracies(Record):
    """Accuracy of all raters together, and of each."""

    overall: Accuracy
    raters: Mapping[str, Accuracy]


@dataclass(frozen=True, slots=True)
class Control(Record):
    """Ratings on a dimension beside known values: ``gold``, and a rater's own ``second`` ratings.

    None where there are none.
    """

    gold: Accuracies | None = None
    second: Accuracies | None = None
