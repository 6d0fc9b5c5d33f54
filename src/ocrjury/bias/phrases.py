"""Verbal descriptions of a rater's bias, shared by advice and reports."""

from collections.abc import Callable, Mapping
from typing import Final

from ocrjury.bias.findings import (
    CORRELATION,
    DISTANCE_PER_SESSION,
    POINTS,
    POINTS_PER_POINT,
    POINTS_PER_SESSION,
    RUN,
    SLOPE_RATIO,
    SPREAD_RATIO,
    BiasFinding,
    Kind,
    Level,
)
from ocrjury.language import Phrase, phrase
from ocrjury.rounding import fixed

Habit = tuple[str, str, bool]
"""Kind, unit and direction of a bias."""
KIND_NAMES: Final[Mapping[Kind, Phrase]] = {
    "severity": phrase("Severity"),
    "halo": phrase("Halo"),
    "anchoring": phrase("Anchoring"),
    "order": phrase("Order"),
    "central_tendency": phrase("Central tendency"),
    "range_restriction": phrase("Range restriction"),
}
LEVELS: Final[Mapping[Level, Phrase]] = {
    "low": phrase("low"),
    "medium": phrase("medium"),
    "high": phrase("high"),
}
"""Size of an effect in words."""
_RUNS: Final = phrase("gives the same answers to one item after the other")
_BEHAVIOUR: Final[Mapping[str, tuple[Phrase, Phrase]]] = {
    POINTS: (phrase("rates higher than colleagues"), phrase("rates lower than colleagues")),
    CORRELATION: (
        phrase("lets one dimension colour the others"),
        phrase("sets dimensions apart"),
    ),
    POINTS_PER_POINT: (
        phrase("follows the previous rating"),
        phrase("moves away from the previous rating"),
    ),
    POINTS_PER_SESSION: (
        phrase("rates higher as a session goes on"),
        phrase("rates lower as a session goes on"),
    ),
    DISTANCE_PER_SESSION: (
        phrase("gets less careful as a session goes on"),
        phrase("is less careful at the start of a session"),
    ),
    SLOPE_RATIO: (
        phrase("goes to the ends of the scale"),
        phrase("keeps to the middle of the scale"),
    ),
    SPREAD_RATIO: (phrase("uses more of the scale"), phrase("uses only part of the scale")),
    RUN: (_RUNS, _RUNS),
}
"""Meaning of an effect above and of an effect below the null value, by unit."""
_MEASURES: Final[Mapping[str, Callable[[float], Phrase]]] = {
    POINTS: lambda effect: phrase("{size} points", size=_size(effect)),
    CORRELATION: lambda effect: phrase("residual correlation {r}", r=fixed(effect, 2)),
    POINTS_PER_POINT: lambda effect: phrase("{size} points per point", size=_size(effect)),
    POINTS_PER_SESSION: lambda effect: phrase("{size} points per session", size=_size(effect)),
    DISTANCE_PER_SESSION: lambda effect: phrase(
        "{size} points of distance per session", size=_size(effect)
    ),
    SLOPE_RATIO: lambda effect: phrase("ratio of slopes {ratio}", ratio=_size(effect)),
    SPREAD_RATIO: lambda effect: phrase(
        "ratio of standard deviations {ratio}", ratio=_size(effect)
    ),
    RUN: lambda effect: phrase("{length} identical answers in a row", length=f"{effect:.0f}"),
}
"""Size of an effect with its unit, by unit."""
_STRETCHED: Final[Mapping[str, Callable[[float], Phrase]]] = {
    POINTS: lambda effect: phrase("{size}% of the scale", size=_share(effect)),
    POINTS_PER_SESSION: lambda effect: phrase(
        "{size}% of the scale per session", size=_share(effect)
    ),
    DISTANCE_PER_SESSION: lambda effect: phrase(
        "{size}% of the scale of distance per session", size=_share(effect)
    ),
}
"""The same where unlike scales were stretched to run from 0 to 100."""


def above(unit: str, effect: float) -> bool:
    """Return whether an effect lies above its null value: 1 for a ratio, 0 otherwise."""
    return effect > (1.0 if unit in {SLOPE_RATIO, SPREAD_RATIO} else 0.0)


def habit(finding: BiasFinding) -> Habit:
    """Kind, unit and direction of a finding's bias."""
    return finding.kind, finding.unit, above(finding.unit, finding.effect)


def behaviour(unit: str, effect: float) -> Phrase:
    """Description of a rater with this effect, to follow the rater's name.

    Examples
    --------
    >>> behaviour("ratio of slopes", 0.6), behaviour("ratio of slopes", 1.4)
    ('keeps to the middle of the scale', 'goes to the ends of the scale')
    """
    high, low = _BEHAVIOUR[unit]
    return high if above(unit, effect) else low


def measure(unit: str, effect: float, *, stretched: bool = False) -> Phrase:
    """Size of an effect whose direction is described by `behaviour`.

    ``stretched`` tells that points are hundredths of a scale, see `ocrjury.bias.measure_bias`.

    Examples
    --------
    >>> measure("points", -0.434), measure("ratio of slopes", 0.6)
    ('0.43 points', 'ratio of slopes 0.60')
    >>> measure("identical answers in a row", 40)
    '40 identical answers in a row'
    >>> measure("points", -3.351, stretched=True)
    '3.4% of the scale'
    """
    if stretched and unit in _STRETCHED:
        return _STRETCHED[unit](effect)
    if unit not in _MEASURES:
        return phrase("{size} {unit}", size=_size(effect), unit=unit)
    return _MEASURES[unit](effect)


def _share(effect: float) -> str:
    return fixed(abs(effect), 1)


def _size(effect: float) -> str:
    """Size of an effect whatever its sign; a ratio has none."""
    return fixed(abs(effect), 2)
