"""The severity of a rater that nobody need worry about."""

from statistics import NormalDist
from typing import Protocol

from ocrjury.estimate import Estimate

_TOLERATED = 1 / 16
"""Severity that nobody need worry about, of the scale's length: .25 on a five-point scale."""
_Z = NormalDist().inv_cdf


class Ends(Protocol):
    """Lowest and highest number of a scale, or of its labels."""

    @property
    def low(self) -> float:
        """Lowest number."""

    @property
    def high(self) -> float:
        """Highest number."""


def tolerance_of(scale: Ends) -> float:
    """Severity that nobody need worry about, in points of a scale.

    >>> from ocrjury import Scale
    >>> tolerance_of(Scale.likert(1, 5)), tolerance_of(Scale.interval(0, 100))
    (0.25, 6.25)
    """
    return _TOLERATED * (scale.high - scale.low)


def is_outside(severity: Estimate, tolerance: float, *, of: int) -> bool:
    """Return whether a rater's severity is worth mentioning, which takes an interval.

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
    wider = _Z(1 - 0.025 / max(of, 1)) / _Z(0.975)
    value, low, high = severity.value, severity.low, severity.high
    shown = value - wider * (value - low) > 0 or value + wider * (high - value) < 0
    return shown and round(abs(value), 9) > tolerance


def is_within(severity: Estimate, tolerance: float) -> bool:
    """Return whether a rater's severity is surely small, or not known at all."""
    ends = (severity.value, severity.low, severity.high)
    return not severity.defined or all(round(abs(end), 9) <= tolerance for end in ends)
