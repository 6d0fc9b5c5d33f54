"""Intervals of means and shares, from their sources of error."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, stdtridf, stdtrit

from ocrjury.estimate import Estimate
from ocrjury.language import phrase

MIN_ITEMS = 20
"""Number of rated documents below which a group's interval is a rough guide."""
MIN_CASES = 10
"""Least number of documents on the smaller side of a share for a reliable interval."""
_ROUNDING = 1e-9
"""Half length of an interval, or distance of a share from 0 or 1, that is none but for rounding."""
GOLD_CORRECTED = "gold-corrected"
"""Method of an estimate whose level was corrected by gold."""
_EQUAL = 1e-12
"""Standard error of outcomes that are equal but for rounding."""


@dataclass(frozen=True, slots=True)
class Part:
    """One source of error.

    Attributes
    ----------
    variance, df
        Its variance, and the degrees of freedom of what was measured.
    measured
        What was measured of few, such as raters, of which ``variance`` is left after noise was
        taken off; None: the variance itself, of many.
    """

    variance: float
    df: float
    measured: float | None = None

    def times(self, factor: float) -> "Part":
        """Source of an error that is this one times the root of a factor."""
        measured = None if self.measured is None else self.measured * factor
        return Part(self.variance * factor, self.df, measured)


def with_interval(
    estimate: Estimate,
    parts: Sequence[Part],
    *,
    confidence: float,
    census: bool = False,
    share_of: float | None = None,
    draws: int | None = None,
) -> Estimate:
    """Estimate with the t interval of its sources of error.

    Its quantile is `t_quantile`. With one document there is no interval; nor without any variation,
    unless the whole pool was drawn; nor where a variance is not known because all documents but one
    were certain to be drawn.
    ``draws`` is the number of independent draws, if documents were drawn in clusters.

    ``share_of`` is the effective number of documents of a mean of zeros and ones. Such an interval
    is symmetric on the logit scale, so that it stays between 0 and 1 and misses equally on both
    sides (Korn and Graubard 1999, Analysis of Health Surveys, section 3.2). If all are equal or the
    t interval would pass 0 or 1, it includes that of Clopper and Pearson on the effective number
    (Korn and Graubard 1998, Survey Methodology 24(2), 193-201).
    """
    variance = sum(part.variance for part in parts)
    few = (estimate.n_items if draws is None else draws) < 2
    if (few or math.isnan(variance)) and not census:
        alone = estimate if share_of is None else as_share(estimate)
        return replace(alone, reason="fewer_than_two_items" if few else "one_by_chance")
    if variance <= _EQUAL**2 and not census and share_of is None:
        return replace(estimate, se=0.0, reason="no_variation")
    half = half_length(parts, confidence)
    value = estimate.value
    symmetric = replace(estimate, se=math.sqrt(variance), low=value - half, high=value + half)
    if share_of is None or (census and half == 0):
        return symmetric
    if _ROUNDING < half < min(value, 1 - value):
        low, high = (logit_moved(value, sign * half) for sign in (-1, 1))
        return replace(symmetric, low=low, high=high)
    return _near_the_end(symmetric, share_of, confidence=confidence)


def half_length(parts: Sequence[Part], confidence: float) -> float:
    """Half the length of the t interval of a sum of sources of error."""
    variance = sum(part.variance for part in parts)
    if variance <= 0:
        return 0.0
    return t_quantile(parts, confidence) * math.sqrt(variance)


def t_quantile(parts: Sequence[Part], confidence: float) -> float:
    """Number of standard errors of a sum of sources of error to either end of its interval.

    It is Satterthwaite's (1946, Biometrics Bulletin 2(6), 110-114) for sources of which many were
    measured. Of few, such as two or six raters, his degrees of freedom promise too much, above all
    where noise was taken off what was measured. Those count as in Cochran and Cox (1950,
    Experimental Designs; option COCHRAN of PROC TTEST in SAS): the mean of the quantiles of the
    sources, each with its share of the variance, and that of the few before noise was taken off;
    but never less than Satterthwaite's.

    Examples
    --------
    >>> round(t_quantile([Part(1.0, 100), Part(1.0, 5)], 0.95), 2)
    2.09
    >>> round(t_quantile([Part(1.0, 100), Part(1.0, 5, measured=1.5)], 0.95), 2)
    2.42
    """
    upper = (1 + confidence) / 2
    whole = float(stdtrit(_satterthwaite(parts), upper))
    few = [part for part in parts if part.measured is not None]
    if not few:
        return whole
    variance = sum(part.variance for part in parts)
    many = [part for part in parts if part.measured is None and part.variance > 0]
    shares = [(min((part.measured or 0.0) / variance, 1.0), part.df) for part in few]
    if many:
        left = max(1 - sum(share for share, _ in shares), 0.0)
        shares.append((left, _satterthwaite(many)))
    mean = sum(share * stdtrit(df, upper) for share, df in shares) / sum(s for s, _ in shares)
    # The noise that was taken off many raters is no reason to trust the variance of few documents.
    return float(max(mean, whole))


def joint_df(parts: Sequence[Part]) -> float:
    """Degrees of freedom whose 97.5 % quantile is `t_quantile`, at least 1; nan without variance.

    Examples
    --------
    >>> round(joint_df([Part(1.0, 5), Part(1.0, 5)]), 1)
    10.0
    >>> round(joint_df([Part(1.0, 100), Part(1.0, 5, measured=1.5)]), 1)
    6.2
    """
    if sum(part.variance for part in parts) <= 0:
        return math.nan
    if all(part.measured is None for part in parts):
        return _satterthwaite(parts)
    return float(stdtridf(0.975, t_quantile(parts, 0.95)))


def _satterthwaite(parts: Sequence[Part]) -> float:
    variance = sum(part.variance for part in parts)
    shares = [(part.variance / variance, part.df) for part in parts if part.variance > 0]
    return max(1 / sum(share**2 / df for share, df in shares), 1.0)


def pooled(parts: Sequence[Part], *, independent: bool) -> Part:
    """One variance that was measured several times, of others each time if independently."""
    df = [part.df for part in parts]
    variance = np.average([part.variance for part in parts], weights=df)
    measured = [part.variance if part.measured is None else part.measured for part in parts]
    return Part(
        float(variance),
        sum(df) if independent else max(df),
        float(np.average(measured, weights=df)),
    )


def logit_moved(share: float, step: float) -> float:
    """Share moved by a step on the logit scale, so that it stays between 0 and 1.

    Examples
    --------
    >>> round(logit_moved(0.5, 0.01), 3), round(logit_moved(0.02, -0.03), 4)
    (0.51, 0.0044)
    """
    logit = math.log(share / (1 - share)) + step / (share * (1 - share))
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0


def at_once(n: int, confidence: float = 0.95) -> float:
    """Confidence of each of n intervals that all hold at once (Bonferroni).

    Examples
    --------
    >>> at_once(1), round(at_once(10), 3)
    (0.95, 0.995)
    """
    return 1 - (1 - confidence) / max(n, 1)


def is_share(y: npt.ArrayLike) -> bool:
    """Return whether all outcomes are zeros and ones, so that their mean is a share."""
    values = np.asarray(y, dtype=float)
    return bool(((values == 0) | (values == 1)).all())


def nearest_share(value: float) -> float:
    """Share that is nearest to a value, which a regression may have moved beyond 0 or 1."""
    return min(max(value, 0.0), 1.0)


def as_share(estimate: Estimate) -> Estimate:
    """Share without an interval."""
    return replace(estimate, value=nearest_share(estimate.value))


def within_scale(estimate: Estimate, *, low: float, high: float) -> Estimate:
    """Estimate of a mean on a scale, with its interval cut off at the ends of the scale.

    A mean of ratings cannot lie outside, so coverage is unchanged. A regression that would predict
    one beyond an end is moved to that end with its interval, which brings it nearer to any mean
    that is possible. A correction by gold may move the value itself beyond an end, which tells that
    gold is not like the pool; then the interval extends to the value.

    Ratings that are all 0 or all 1 look like a share, whose interval says how many of the others
    may differ. On a scale that does not go from 0 to 1 they may be anywhere: like any other equal
    ratings, these have no interval.

    Examples
    --------
    >>> moved = within_scale(Estimate(5.25, low=5.125, high=5.375), low=1.0, high=5.0)
    >>> moved.value, moved.low, moved.high
    (5.0, 4.875, 5.0)
    """
    if estimate.se == 0 and estimate.low < estimate.high and (low, high) != (0, 1):
        return replace(
            estimate, low=math.nan, high=math.nan, reason="no_variation", warnings=(), few=False
        )
    value = estimate.value
    if not (estimate.gold_corrected or math.isnan(value)):
        value = float(min(max(value, low), high))
    by = value - estimate.value
    return replace(
        estimate,
        value=value,
        low=max(estimate.low + by, min(low, value)),
        high=min(estimate.high + by, max(high, value)),
    )


def few_cases(y: npt.ArrayLike) -> tuple[str, ...]:
    """Warning that a share rests on too few cases, none if it does not.

    Parameters
    ----------
    y
        Outcomes of the documents between 0 and 1, shape (n,).

    Examples
    --------
    >>> few_cases([0] * 90 + [1] * 10)
    ()
    >>> few_cases([0] * 97 + [1] * 3)[0][:40]
    'Too few cases: 3 of 100 items are on the'
    """
    values = np.asarray(y, dtype=float)
    cases = min(float(values.sum()), float((1 - values).sum()))
    if cases >= MIN_CASES:
        return ()
    warning = phrase(
        "Too few cases: {cases} of {n} items are on the smaller side of this share; under "
        "{enough} its interval is a rough guide.",
        cases=f"{cases:.3g}",
        n=len(values),
        enough=MIN_CASES,
    )
    return (warning,)


def _near_the_end(estimate: Estimate, n: float, *, confidence: float) -> Estimate:
    """Interval of a share, cut off at 0 and 1 and no shorter than Clopper and Pearson's."""
    # If all outcomes are equal, the share is exactly 0 or 1, whatever the rounding errors. Clusters
    # that are all alike have no variance either, whatever their share.
    value, end = nearest_share(estimate.value), float(round(estimate.value))
    value = end if abs(value - end) < _ROUNDING and not estimate.se > 0 else value
    yes, tail = value * n, (1 - confidence) / 2
    least = float(betaincinv(yes, n - yes + 1, tail)) if yes > 0 else 0.0
    most = float(betaincinv(yes + 1, n - yes, 1 - tail)) if yes < n else 1.0
    return replace(
        estimate,
        value=value,
        low=max(0.0, min(least, estimate.low)),
        high=min(1.0, max(most, estimate.high)),
    )
