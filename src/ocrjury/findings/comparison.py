"""Two evaluations of one rubric beside each other."""

from dataclasses import dataclass

from ocrjury.findings.pool_scores import MetricSummary
from ocrjury.findings.record import Measured, Record
from ocrjury.findings.trend import Trend


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedDimension(Record):
    """A dimension in both evaluations.

    ``trend`` has the two means and the change, None where one of the two has no mean that may be
    shown; ``before`` and ``after`` are the agreement of the raters by ``statistic``, ``difference``
    what it gained.
    """

    dimension: str
    trend: Trend | None
    statistic: str
    before: Measured
    after: Measured
    difference: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Record):
    """An evaluation and an earlier one, with the automatic metrics of both pools.

    With ``same_outputs``, both judged the same texts, and a difference is one of raters.
    """

    earlier: str
    later: str
    dimensions: tuple[ComparedDimension, ...]
    metrics_before: tuple[MetricSummary, ...] = ()
    metrics_after: tuple[MetricSummary, ...] = ()
    same_outputs: bool = False
