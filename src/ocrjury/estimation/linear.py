"""Estimates that are weighted sums, and how much they vary over samples.

Symbols: n documents drawn, pi_k the probability of document k, omega_k its final weight (all
sum to 1), e_k its residual from whatever the estimator explains.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LinearMean:
    """A mean sum(omega y) with what its variance needs.

    Attributes
    ----------
    weight
        omega, shape (n,).
    residual
        e, shape (n,), already corrected for leverage.
    pi
        Inclusion probabilities, shape (n,).
    value
        The mean.
    df
        Degrees of freedom of the residuals.
    method, warnings
        As in `Estimate`.
    """

    weight: Floats
    residual: Floats
    pi: Floats
    value: float
    df: int
    method: str
    warnings: tuple[str, ...] = ()

    def variance(self) -> float:
        """Return the sampling variance."""
        return deville_variance(self.weight * self.residual, self.pi)

    @property
    def effective_n(self) -> float:
        """Return how many equally weighted documents would be as good (Kish 1965)."""
        return float(self.weight.sum()) ** 2 / float(self.weight @ self.weight)


@dataclass(frozen=True, slots=True)
class Part:
    """One source of error: its variance and the degrees of freedom that variance rests on."""

    variance: float
    df: float


def deville_variance(terms: npt.ArrayLike, pi: npt.ArrayLike) -> float:
    """Return the variance of a sum of n terms over samples of fixed size.

    Parameters
    ----------
    terms
        What each document adds to the estimate: z_k / pi_k, or omega_k e_k, shape (n,).
    pi
        Inclusion probabilities, shape (n,).

    Notes
    -----
    Deville (1999), Survey Methodology 25(2), 193-203: with c_k = 1 - pi_k and a_k = c_k / sum(c),
    V = sum(c_k (t_k - sum(a t))^2) / (1 - sum(a^2)). It needs no joint probabilities; on equal
    ones it is the textbook (1 - n/N) s^2 / n with its finite population correction.

    Examples
    --------
    >>> round(deville_variance([0.25, 0.5, 0.75, 1.0], [0.5] * 4), 4)  # (1 - .5) var(1..4) / 4
    0.2083
    """
    t = np.asarray(terms, dtype=float)
    c = 1 - np.asarray(pi, dtype=float)
    total = c.sum()
    if len(t) < 2 or total <= 1e-12:
        return 0.0
    a = c / total
    spread = 1 - float(a @ a)
    return float(c @ (t - a @ t) ** 2) / spread if spread > 1e-12 else 0.0


def checked_sample(
    y: npt.ArrayLike, inclusion_probability: npt.ArrayLike, *, who: str
) -> tuple[Floats, Floats]:
    """Return outcomes and probabilities as arrays, or raise."""
    values = np.asarray(y, dtype=float)
    pi = np.asarray(inclusion_probability, dtype=float)
    if values.ndim != 1 or values.shape != pi.shape:
        raise InputError(
            f"{who} needs one outcome and one inclusion probability per document; found shapes "
            f"{values.shape} and {pi.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InputError(
            f"{who} needs finite outcomes; {len(bad)} are not, the first at place {bad[0]}. "
            "Leave documents without a rating out and raise the weight of the others; "
            "rated_mean() does so."
        )
    odd = np.flatnonzero(~((pi > 0) & (pi <= 1)))
    if len(odd):
        raise InputError(
            f"an inclusion probability lies above 0 and at most at 1; {len(odd)} differ, the "
            f"first is {pi[odd[0]]!r} at place {odd[0]}."
        )
    return values, pi


def check_confidence(confidence: float) -> None:
    """Raise unless the level is one."""
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie strictly between 0 and 1; found {confidence!r}.")


def no_items(method: str) -> Estimate:
    """Return the estimate of nothing."""
    return Estimate(np.nan, method=method, reason="no_items")


def with_interval(
    estimate: Estimate,
    parts: Sequence[Part],
    *,
    confidence: float,
    census: bool = False,
    share_of: float | None = None,
) -> Estimate:
    """Return the estimate with the t interval of its sources of error.

    The degrees of freedom are Satterthwaite's (1946, Biometrics Bulletin 2(6), 110-114). With one
    document there is no interval; nor where nothing varied, unless all of the pool was seen.

    ``share_of`` is the effective number of documents of a mean of zeros and ones. Such an interval
    ends at 0 and 1, and where all are equal it is that of Clopper and Pearson on this number (Korn
    and Graubard 1998, Survey Methodology 24(2), 193-201).
    """
    variance = sum(part.variance for part in parts)
    if estimate.n_items < 2 and not census:
        return replace(estimate, reason="fewer_than_two_items")
    if variance <= 0 and not census:
        if share_of is None:
            return replace(estimate, se=0.0, reason="no_variation")
        return _unanimous(estimate, ((1 - confidence) / 2) ** (1 / share_of))
    half = 0.0
    if variance > 0:
        uncertain = sum(part.variance**2 / part.df for part in parts if part.variance > 0)
        df = max(variance**2 / uncertain, 1.0)
        half = float(student.ppf((1 + confidence) / 2, df)) * float(np.sqrt(variance))
    value = estimate.value
    found = replace(estimate, se=float(np.sqrt(variance)), low=value - half, high=value + half)
    return found if share_of is None else _within_share(found)


def is_share(y: npt.ArrayLike) -> bool:
    """Return whether all outcomes are zeros and ones, so that their mean is a share."""
    values = np.asarray(y, dtype=float)
    return bool(((values == 0) | (values == 1)).all())


def _unanimous(estimate: Estimate, still_possible: float) -> Estimate:
    """Return the interval of a share where all said yes, or all no."""
    yes = estimate.value > 0.5
    low, high = (still_possible, 1.0) if yes else (0.0, 1 - still_possible)
    return replace(estimate, value=float(yes), se=0.0, low=low, high=high)


def _within_share(estimate: Estimate) -> Estimate:
    """Return the estimate cut at 0 and 1, which regression may overshoot."""
    value, low, high = (
        min(max(number, 0.0), 1.0) for number in (estimate.value, estimate.low, estimate.high)
    )
    return replace(estimate, value=value, low=low, high=high)
