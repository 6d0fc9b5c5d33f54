"""Verbal descriptions of a rater's bias, shared by advice and reports."""

from ocrjury.bias.findings import (
    CORRELATION,
    DISTANCE_PER_SESSION,
    POINTS,
    POINTS_PER_POINT,
    POINTS_PER_SESSION,
    RUN,
    SLOPE_RATIO,
    SPREAD_RATIO,
)

_BEHAVIOUR: dict[str, tuple[str, str]] = {
    POINTS: ("rates higher than colleagues", "rates lower than colleagues"),
    CORRELATION: ("lets one dimension colour the others", "sets dimensions apart"),
    POINTS_PER_POINT: ("follows the previous rating", "moves away from the previous rating"),
    POINTS_PER_SESSION: ("rates higher as a session goes on", "rates lower as a session goes on"),
    DISTANCE_PER_SESSION: (
        "gets less careful as a session goes on",
        "is less careful at the start of a session",
    ),
    SLOPE_RATIO: ("goes to the ends of the scale", "keeps to the middle of the scale"),
    SPREAD_RATIO: ("uses more of the scale", "uses only part of the scale"),
    RUN: ("gives the same answers to one item after the other",) * 2,
}
"""Meaning of an effect above and of an effect below the null value, by unit."""


def above(unit: str, effect: float) -> bool:
    """Whether an effect lies above its null value: 1 for a ratio, 0 otherwise."""
    return effect > (1.0 if unit in {SLOPE_RATIO, SPREAD_RATIO} else 0.0)


def behaviour(unit: str, effect: float) -> str:
    """Description of a rater with this effect, to follow the rater's name.

    Examples
    --------
    >>> behaviour("ratio of slopes", 0.6), behaviour("ratio of slopes", 1.4)
    ('keeps to the middle of the scale', 'goes to the ends of the scale')
    """
    high, low = _BEHAVIOUR[unit]
    return high if above(unit, effect) else low


def measure(unit: str, effect: float) -> str:
    """Size of an effect whose direction is described by `behaviour`.

    Examples
    --------
    >>> measure("points", -0.434), measure("ratio of slopes", 0.6)
    ('0.43 points', 'ratio of slopes 0.60')
    >>> measure("identical answers in a row", 40)
    '40 identical answers in a row'
    """
    if unit in {SLOPE_RATIO, SPREAD_RATIO, CORRELATION}:
        return f"{unit} {effect:.2f}"
    return f"{effect:.0f} {unit}" if unit == RUN else f"{abs(effect):.2f} {unit}"
