"""Estimates that are weighted sums, and their sampling variance.

Symbols: n documents drawn, pi_k the probability of document k, omega_k its final weight (all
sum to 1), e_k its residual from whatever the estimator explains.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Floats, Integers, as_written
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate

_CERTAIN = 1e-12  # a probability of not being drawn, or a sum of them, below this is 0


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
    cluster
        Cluster, such as a page, in which each document was drawn, shape (n,); None:
        each was drawn individually.
    stratum
        Stratum in which each document was drawn, shape (n,); None: the pool is one stratum.
    """

    weight: Floats
    residual: Floats
    pi: Floats
    value: float
    df: int
    method: str
    warnings: tuple[str, ...] = ()
    cluster: Integers | None = None
    stratum: Integers | None = None

    def variance(self) -> float:
        """Sampling variance; errors are summed within clusters first, variances over strata."""
        _, together, pi = self.units
        if self.stratum is None:
            return deville_variance(together, pi)
        strata = self._stratum_of_units()
        within = [strata == stratum for stratum in np.unique(strata)]
        return sum(deville_variance(together[units], pi[units]) for units in within)

    def _stratum_of_units(self) -> Integers:
        """Stratum of each document or cluster, shape (units,)."""
        _, first = np.unique(self.units[0], return_index=True)
        return np.asarray(self.stratum)[first]

    def drawn_in(self, cluster: Integers | None) -> "LinearMean":
        """Mean with the clusters of its documents, and the degrees of freedom reduced for them."""
        if cluster is None:
            return self
        lost = len(cluster) - len(np.unique(cluster))
        return replace(self, cluster=cluster, df=max(self.df - lost, 1))

    @property
    def units(self) -> tuple[Integers, Floats, Floats]:
        """Units of the draw: documents, or clusters.

        Returns
        -------
        tuple
            Index of each document's unit, shape (n,); error contribution of each unit, and its
            inclusion probability, shapes (units,). That of a cluster is the smallest of its
            documents; the others, which chance decided on less, contribute less.
        """
        if self.cluster is None:
            return np.arange(len(self.pi)), self.terms, self.pi
        _, place = np.unique(self.cluster, return_inverse=True)
        pi = np.ones(place.max() + 1)
        np.minimum.at(pi, place, self.pi)
        chance = np.sqrt((1 - self.pi) / np.maximum(1 - pi[place], 1e-12))
        together = np.bincount(place, self.terms * chance).astype(float)
        return place.astype(np.int64), together, pi

    @property
    def draws(self) -> int:
        """Number of independent draws: documents, or clusters; in strata the smallest of them.

        A stratum that was drawn completely does not count.
        """
        _, together, pi = self.units
        if self.stratum is None or (pi >= 1).all():
            return len(together)
        return int(np.unique(self._stratum_of_units()[pi < 1], return_counts=True)[1].min())

    @property
    def terms(self) -> Floats:
        """Contribution of each document to the error, shape (n,)."""
        return self.weight * self.residual

    @property
    def effective_n(self) -> float:
        """Number of equally weighted draws with the same precision (Kish 1965)."""
        weight = self.weight if self.cluster is None else np.bincount(self.cluster, self.weight)
        return float(weight.sum()) ** 2 / float(weight @ weight)


def deville_variance(terms: npt.ArrayLike, pi: npt.ArrayLike) -> float:
    """Variance of a sum of n terms over samples of fixed size, by Deville.

    Parameters
    ----------
    terms
        Contribution of each document: z_k / pi_k, or omega_k e_k, shape (n,).
    pi
        Inclusion probabilities, shape (n,).

    Returns
    -------
    float
        0 where every unit was certain to be drawn; ``nan`` where all but one were, because the one
        does not show how those that could have been drawn in its place differ.

    Notes
    -----
    Deville (1999), Survey Methodology 25(2), 193-203: with c_k = 1 - pi_k and a_k = c_k / sum(c),
    V = sum(c_k (t_k - sum(a t))^2) / (1 - sum(a^2)). It needs no joint probabilities; on equal
    ones it is the textbook (1 - n/N) s^2 / n with its finite population correction. Survey packages
    offer to centre a lone unit on the mean of the whole sample, or to collapse its stratum with a
    neighbour (R's survey, ``survey.lonely.psu``). Here its neighbours are the certain units, which
    were made certain because they are unlike the others, so neither is a measure of its variance.

    Examples
    --------
    >>> round(deville_variance([0.25, 0.5, 0.75, 1.0], [0.5] * 4), 4)  # (1 - .5) var(1..4) / 4
    0.2083
    """
    probabilities = np.asarray(pi, dtype=float)
    c = 1 - probabilities
    if c.sum() <= _CERTAIN:
        return 0.0
    centred = _centred(np.asarray(terms, dtype=float), probabilities)
    return math.nan if centred is None else float(c @ centred**2)


def deville_covariance(
    first: LinearMean, second: LinearMean, *, places: tuple[list[int], list[int]]
) -> float:
    """Covariance of two means over samples coordinated by permanent random numbers.

    Parameters
    ----------
    first, second
        The two means.
    places
        Rows of the common documents in the first and in the second sample.

    Notes
    -----
    A document is in both with the smaller of its two probabilities, so c_k is 1 - max(pi). On one
    and the same sample it is `deville_variance` of the products. Clusters count as documents do:
    the random number is theirs, and they are the same in both where they share a document.
    """
    (unit, terms, pi), (other_unit, other_terms, other_pi) = first.units, second.units
    x, y = _centred(terms, pi), _centred(other_terms, other_pi)
    if x is None or y is None:
        return 0.0
    # Each pair of units once, however many documents they have in common.
    unit, other = np.unique([unit[places[0]], other_unit[places[1]]], axis=1)
    c = 1 - np.maximum(pi[unit], other_pi[other])
    return float(c @ (x[unit] * y[other]))


def _centred(t: Floats, pi: Floats) -> Floats | None:
    """Terms around their mean, scaled such that sum(c x^2) is their variance.

    None where chance decided on one unit or none.
    """
    c = 1 - pi
    if c.sum() <= _CERTAIN:
        return None
    a = c / c.sum()
    spread = 1 - float(a @ a)
    return (t - a @ t) / np.sqrt(spread) if spread > _CERTAIN else None


def checked_sample(
    y: npt.ArrayLike, inclusion_probability: npt.ArrayLike, *, who: str
) -> tuple[Floats, Floats]:
    """Outcomes and inclusion probabilities as arrays, checked; ``who`` names the caller."""
    try:
        values = np.asarray(y, dtype=float)
        pi = np.asarray(inclusion_probability, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{who} needs numbers; {error}.") from error
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
            f"first is {as_written(pi[odd[0]])!r} at place {odd[0]}."
        )
    return values, pi


def checked_clusters(cluster: npt.ArrayLike | None, n: int) -> Integers | None:
    """Code of each document's cluster, None if no two documents share one.

    Parameters
    ----------
    cluster
        Cluster in which each document was drawn, such as its page, (n,); names or numbers, none
        missing. None: each was drawn individually.
    """
    if cluster is None:
        return None
    code, names = pd.factorize(np.asarray(cluster).ravel())
    if code.shape != (n,) or (code < 0).any():
        raise InputError(
            f"cluster needs one name or number for each of the {n} documents; found "
            f"{len(code)}, of which {int((code < 0).sum())} are missing. A document that was drawn "
            "for itself is a cluster of its own."
        )
    return code.astype(np.int64) if len(names) < n else None


def check_confidence(confidence: float) -> None:
    """Raise unless the confidence level is between 0 and 1."""
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie strictly between 0 and 1; found {confidence!r}.")


def no_items(method: str) -> Estimate:
    """Undefined estimate for lack of items."""
    return Estimate(np.nan, method=method, reason="no_items")
