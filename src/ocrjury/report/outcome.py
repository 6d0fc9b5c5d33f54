"""Outcome of the pool against the campaign's target: MET, NOT MET or NOT SHOWN."""

from dataclasses import dataclass
from typing import Literal

from ocrjury.estimate import Estimate
from ocrjury.findings.cover import Word
from ocrjury.pages.numbers import decimal, has_interval, interval_text, percent
from ocrjury.rounding import rounded

_MOST_DIGITS = 6
_ROUNDING = 1e-9
Why = Literal["above", "below", "inside", "no_interval", "undefined", "not_agreed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTarget:
    """Target of a campaign: a mean rating, or a share of the pool at a level or above."""

    dimension: str
    value: float
    share_at_least: float | None = None

    @property
    def is_share(self) -> bool:
        """Whether the target is a share between 0 and 1."""
        return self.share_at_least is not None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The word on the cover, and what led to it."""

    word: Word
    why: Why
    target: PrintedTarget
    estimate: Estimate


def outcome_of(estimate: Estimate, target: PrintedTarget, *, trusted: bool) -> Outcome:
    """Judge a target by the whole interval of its estimate.

    Parameters
    ----------
    estimate
        What the target speaks of, with the interval for other raters like these.
    target
        The campaign's target.
    trusted
        Whether the gate passed or a person released the evaluation; without that nothing is
        shown, whatever the number.

    Examples
    --------
    >>> target = PrintedTarget(dimension="meaning", value=4.0)
    >>> outcome_of(Estimate(4.3, 4.1, 4.5), target, trusted=True).word
    'MET'
    >>> outcome_of(Estimate(4.3, 3.9, 4.7), target, trusted=True).word
    'NOT SHOWN'
    >>> outcome_of(Estimate(4.3, 4.1, 4.5), target, trusted=False).why
    'not_agreed'
    """
    word, why = _word(estimate, target, trusted=trusted)
    return Outcome(word, why, target, estimate)


def _word(estimate: Estimate, target: PrintedTarget, *, trusted: bool) -> tuple[Word, Why]:
    if not trusted:
        return "NOT SHOWN", "not_agreed"
    if not estimate.defined:
        return "NOT SHOWN", "undefined"
    if not has_interval(estimate):
        return "NOT SHOWN", "no_interval"
    if estimate.low >= target.value:
        return "MET", "above"
    if estimate.high < target.value:
        return "NOT MET", "below"
    return "NOT SHOWN", "inside"


def goal_text(target: PrintedTarget) -> str:
    """Value that a target asks for, with all its digits.

    Examples
    --------
    >>> goal_text(PrintedTarget(dimension="meaning", value=3.0))
    '3.0'
    >>> goal_text(PrintedTarget(dimension="meaning", value=3.25))
    '3.25'
    """
    number, least = (100 * target.value, 0) if target.is_share else (target.value, 1)
    fit = (n for n in range(least, _MOST_DIGITS) if abs(rounded(number, n) - number) < _ROUNDING)
    places = next(fit, _MOST_DIGITS)
    return percent(target.value, places) if target.is_share else decimal(number, places)


def range_beside(outcome: Outcome) -> str:
    """Interval beside the target, with as many digits as show on which side of it both ends lie.

    Examples
    --------
    >>> target = PrintedTarget(dimension="meaning", value=3.5)
    >>> range_beside(outcome_of(Estimate(3.25, 3.013, 3.4968), target, trusted=True))
    '3.013 to 3.497'
    >>> range_beside(outcome_of(Estimate(3.75, 3.4968, 4.0), target, trusted=True))
    '3.497 to 4.000'
    """
    share, target = outcome.target.is_share, outcome.target.value
    if outcome.why not in {"above", "below", "inside"}:
        return interval_text(outcome.estimate, share=share)
    scale, least = (100, 1) if share else (1, 2)
    goal = scale * target - _ROUNDING
    ends = [scale * end for end in (outcome.estimate.low, outcome.estimate.high)]
    sides = [end >= goal for end in ends]
    fit = (
        places
        for places in range(least, _MOST_DIGITS)
        if [rounded(end, places) >= goal for end in ends] == sides
    )
    return interval_text(outcome.estimate, share=share, places=next(fit, _MOST_DIGITS))
