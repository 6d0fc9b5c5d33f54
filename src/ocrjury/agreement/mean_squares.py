"""Mean squares of an analysis of variance, and the six intraclass correlations that they give.

Symbols follow Shrout and Fleiss (1979): n items (targets), k raters (judges), mean squares BMS
between targets, JMS between judges, EMS residual, WMS within targets.
"""

import math
from dataclasses import dataclass

from scipy.special import fdtri

from ocrjury.agreement.icc_forms import FORMS, Form


@dataclass(frozen=True, slots=True)
class MeanSquares:
    """Two-way analysis of variance of n items that all k raters rated."""

    n: int
    k: int
    bms: float
    jms: float
    ems: float
    wms: float


def coefficient_of(squares: MeanSquares, form: Form) -> float:
    """Coefficient, ``nan`` if nothing varies."""
    n, k, b, j = squares.n, squares.k, squares.bms, squares.jms
    e, w = squares.ems, squares.wms
    ratios = {
        "ICC(1,1)": (b - w, b + (k - 1) * w),
        "ICC(2,1)": (b - e, b + (k - 1) * e + k * (j - e) / n),
        "ICC(3,1)": (b - e, b + (k - 1) * e),
        "ICC(1,k)": (b - w, b),
        "ICC(2,k)": (b - e, b + (j - e) / n),
        "ICC(3,k)": (b - e, b),
    }
    numerator, denominator = ratios[form]
    return numerator / denominator if denominator else math.nan


def interval_of(squares: MeanSquares, form: Form, *, tail: float) -> tuple[float, float]:
    """Ends of the interval; both are 1 where there is no error variance."""
    n, k, (raters, of_mean) = squares.n, squares.k, FORMS[form]
    noise = squares.wms if raters == "changing" else squares.ems
    if noise == 0:
        return (1.0, 1.0) if squares.jms == 0 or raters == "fixed" else (math.nan, math.nan)
    if raters == "sampled":
        low, high = _agreement_interval(squares, tail)
        return (_stepped_up(low, k), _stepped_up(high, k)) if of_mean else (low, high)
    df = n * (k - 1) if raters == "changing" else (n - 1) * (k - 1)
    f = squares.bms / noise
    lower, upper = f / _f_quantile(1 - tail, n - 1, df), f * _f_quantile(1 - tail, df, n - 1)
    if of_mean:
        return 1 - 1 / lower if lower else -math.inf, 1 - 1 / upper if upper else -math.inf
    return (lower - 1) / (lower + k - 1), (upper - 1) / (upper + k - 1)


def _stepped_up(single: float, k: int) -> float:
    """Reliability of a mean of k ratings, by Spearman and Brown."""
    whole = 1 + single * (k - 1)
    return -math.inf if whole <= 0 else single * k / whole


def _agreement_interval(squares: MeanSquares, tail: float) -> tuple[float, float]:
    """Interval of ICC(2,1), with Satterthwaite's degrees of freedom.

    McGraw and Wong (1996), Psychological Methods 1(1), 30-46, table 7.
    """
    n, k, b, j, e = squares.n, squares.k, squares.bms, squares.jms, squares.ems
    value = coefficient_of(squares, "ICC(2,1)")
    if b == 0:  # no degrees of freedom are left, up to rounding
        return math.nan, math.nan
    ratio = j / e
    rest = n * (1 + (k - 1) * value) - k * value
    denominator = (n - 1) * k**2 * value**2 * ratio**2 + rest**2
    if denominator == 0:
        return math.nan, math.nan
    df = (n - 1) * (k - 1) * (k * value * ratio + rest) ** 2 / denominator
    lower_f, upper_f = _f_quantile(1 - tail, n - 1, df), _f_quantile(1 - tail, df, n - 1)
    raters = k * j + (k * n - k - n) * e
    low = n * (b - lower_f * e) / (lower_f * raters + n * b)
    high = n * (upper_f * b - e) / (raters + n * upper_f * b)
    return low, high


def _f_quantile(probability: float, df1: float, df2: float) -> float:
    """Quantile of the F distribution."""
    return float(fdtri(df1, df2, probability))
