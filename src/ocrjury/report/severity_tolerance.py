"""The severity of a rater that nobody need worry about."""

from ocrjury.estimate import Estimate
from ocrjury.report.data import ScaleLabels
from ocrjury.scales import Scale

_TOLERATED = 1 / 16
"""Severity that nobody need worry about, of the scale's length: .25 on a five-point scale."""


def tolerance_of(scale: Scale | ScaleLabels) -> float:
    """Severity that nobody need worry about, in points of a scale.

    >>> tolerance_of(Scale.likert(1, 5)), tolerance_of(Scale.interval(0, 100))
    (0.25, 6.25)
    """
    return _TOLERATED * (scale.high - scale.low)


def is_outside(severity: Estimate, tolerance: float) -> bool:
    """Whether a rater's severity is worth a word, which takes an interval."""
    return (severity.low > 0 or severity.high < 0) and round(abs(severity.value), 9) > tolerance


def is_within(severity: Estimate, tolerance: float) -> bool:
    """Whether a rater's severity is small for sure, or not known at all."""
    ends = (severity.value, severity.low, severity.high)
    return not severity.defined or all(round(abs(end), 9) <= tolerance for end in ends)
