"""Agreement of any number of raters, compared with the agreement expected by chance.

Percent agreement, Fleiss, Gwet and Brennan-Prediger share the observed part and differ in the
chance part. Symbols follow Gwet (2014): r ratings on an item, pi_k the prevalence of category k,
p_a observed and p_e chance agreement, w the agreement weights.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ocrjury.agreement.intervals import IntervalOptions, Sizes, resampled, with_error
from ocrjury.agreement.patterns import Patterns
from ocrjury.arrays import Floats, Integers
from ocrjury.estimate import Estimate
from ocrjury.resampling import SummedStatistic

_NOTHING_LEFT = 1e-12  # 1 - p_e below this is 0 up to rounding


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """The chance part of a coefficient.

    Attributes
    ----------
    expected
        p_e from B rows of prevalences, (B, K) to (B,).
    gradient
        Half the derivative of p_e with respect to each pi_k, from (K,) to (K,); its mean
        weighted by pi is p_e. None if p_e does not depend on the prevalences.
    """

    expected: Callable[[Floats], Floats]
    gradient: Callable[[Floats], Floats] | None = None


def item_agreement(patterns: Patterns, weights: Floats) -> Floats:
    """Mean agreement weight over the pairs of ratings of an item, 0 without a pair, (P,)."""
    pairs = (patterns.counts * weighted(patterns.counts, weights)).sum(axis=1)
    own = patterns.counts @ np.diag(weights)
    return np.asarray(np.where(patterns.pairable, pairs - own, 0.0) / patterns.pairs)


def item_mean_statistic(patterns: Patterns, weights: Floats) -> SummedStatistic:
    """Mean over items of the mean weight of their pairs; every item counts once."""
    return mean_statistic(
        item_agreement(patterns, weights), patterns.pairable.astype(float), patterns
    )


def pair_mean_statistic(patterns: Patterns, weights: Floats) -> SummedStatistic:
    """Mean weight over all pairs of ratings of an item; every pair counts once."""
    pairs = patterns.pairs * patterns.pairable
    return mean_statistic(item_agreement(patterns, weights) * pairs, pairs, patterns)


def mean_statistic(part: Floats, whole: Floats, patterns: Patterns) -> SummedStatistic:
    """Weighted sum of ``part`` over weighted sum of ``whole``, both of shape (P,)."""
    features = np.column_stack([part, whole]) * patterns.weight[:, None]

    def value(sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[:, 0] / sums[:, 1])

    return SummedStatistic(features, patterns.frequency, value, cluster=patterns.cluster)


def weighted(counts: Floats, weights: Floats) -> Floats:
    """Counts times weights, (..., K); identity weights leave the counts as they are.

    Skipping that product saves K squared operations per row.
    """
    equality = np.count_nonzero(weights) == len(weights)  # the diagonal is all ones
    return counts if equality else np.asarray(counts @ weights)


def chance_statistic(patterns: Patterns, weights: Floats, chance: Chance) -> SummedStatistic:
    """Coefficient (p_a - p_e) / (1 - p_e) as a function of sums over items."""
    pairable = patterns.pairable.astype(float)
    share = patterns.counts / np.maximum(patterns.size, 1.0)[:, None]
    features = np.column_stack([item_agreement(patterns, weights), pairable, share])

    def value(sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = sums[:, 0] / sums[:, 1]
            prevalence = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
            return corrected(observed, chance.expected(prevalence))

    weighed = features * patterns.weight[:, None]
    return SummedStatistic(weighed, patterns.frequency, value, cluster=patterns.cluster)


def corrected(observed: Floats, expected: Floats) -> Floats:
    """Chance-corrected agreement (p_a - p_e) / (1 - p_e), ``nan`` where p_e is 1."""
    remainder = np.where(1 - expected > _NOTHING_LEFT, 1 - expected, np.nan)
    return np.asarray((observed - expected) / remainder)


def chance_estimate(
    patterns: Patterns,
    weights: Floats,
    chance: Chance,
    *,
    n: Sizes,
    method: str,
    options: IntervalOptions,
) -> Estimate:
    """Coefficient with the interval that the options select."""
    statistic = chance_statistic(patterns, weights, chance)

    def error() -> float:
        return linearised_error(patterns, weights, chance, sums=statistic.sums()[0])

    return linearised(statistic, error, n, method=method, options=options)


def linearised(
    statistic: SummedStatistic,
    error: Callable[[], float],
    n: Sizes,
    *,
    method: str,
    options: IntervalOptions,
    share: bool = False,
) -> Estimate:
    """Coefficient with the interval that the options select, by default from a linearised error."""
    if options.ci is not None:
        return resampled(statistic, n, method=method, options=options, share=share)
    value, df, of = statistic.point(), statistic.n_draws - 1, f"{method}, linearised"
    return with_error(value, error(), n, method=of, options=options, df=df, share=share)


def linearised_error(patterns: Patterns, weights: Floats, chance: Chance, *, sums: Floats) -> float:
    """Standard error by Gwet's linearisation, ``nan`` with fewer than two items.

    Parameters
    ----------
    sums
        Totals of the features of `chance_statistic`, shape (K + 2,).

    Notes
    -----
    Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, chapter 5; with inclusion
    weights each item's term is multiplied by its own.
    """
    prevalence = sums[2:] / sums[2:].sum()
    expected = float(chance.expected(prevalence[None, :])[0])
    own = np.zeros(len(patterns.size))
    if chance.gradient is not None:
        own = patterns.counts @ chance.gradient(prevalence) / patterns.size - expected
    return influence_error(item_agreement(patterns, weights), own, patterns, expected=expected)


def influence_error(
    observed: Floats, chance_part: Floats, patterns: Patterns, *, expected: float
) -> float:
    """Standard error from each pattern's influence on the coefficient.

    ``observed`` is each pattern's p_a, ``chance_part`` its share of p_e less p_e; shapes (P,).
    """
    n = float(patterns.frequency.sum())
    if n < 2 or not 1 - expected > _NOTHING_LEFT:
        return float("nan")
    mass = patterns.frequency * patterns.weight
    total, paired = mass.sum(), mass @ patterns.pairable
    value = (mass @ observed / paired - expected) / (1 - expected)
    term = total / paired * (observed - expected * patterns.pairable) / (1 - expected)
    term = term - value - 2 * (1 - value) * chance_part / (1 - expected)
    squares, n = summed_squares(patterns.weight * term, patterns.frequency, patterns.cluster)
    return float(np.sqrt(n / (n - 1) * squares) / total) if n > 1 else float("nan")


def summed_squares(
    term: Floats, frequency: Floats, cluster: Integers | None
) -> tuple[float, float]:
    """Sum of squares of the influences of all draws, and the number of draws.

    Parameters
    ----------
    term
        Influence of one item of each pattern, shape (P,); within a cluster influences are summed
        before they are squared.
    """
    if cluster is None:
        return float(frequency @ term**2), float(frequency.sum())
    _, place = np.unique(cluster, return_inverse=True)
    of_cluster = np.bincount(place, frequency * term)
    return float(of_cluster @ of_cluster), float(len(of_cluster))
