"""The severity of a rater that nobody need worry about."""

from scipy.special import ndtri

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


def is_outside(severity: Estimate, tolerance: float, *, of: int) -> bool:
    """Whether a rater's severity is worth a word, which takes an interval.

    Parameters
    ----------
    of
        Number of severities that are looked at. The printed interval holds for one of them; this
        one for all at once (Bonferroni). Of five raters who are alike, with 24 ratings each, the
        printed ones would name somebody in 18 to 25 % of evaluations.

    Examples
    --------
    >>> [is_outside(Estimate(-0.4, -0.7, -0.1), 0.25, of=n) for n in (1, 6)]
    [True, False]
    """
    wider = float(ndtri(1 - 0.025 / max(of, 1)) / ndtri(0.975))
    value, low, high = severity.value, severity.low, severity.high
    shown = value - wider * (value - low) > 0 or value + wider * (high - value) < 0
    return shown and round(abs(value), 9) > tolerance


def is_within(severity: Estimate, tolerance: float) -> bool:
    """Whether a rater's severity is small for sure, or not known at all."""
    ends = (severity.value, severity.low, severity.high)
    return not severity.defined or all(round(abs(end), 9) <= tolerance for end in ends)
