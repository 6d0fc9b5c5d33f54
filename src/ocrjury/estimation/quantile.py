"""Quantiles of the pool, such as the median score."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.greg import greg_fit, known_auxiliary
from ocrjury.estimation.interval import MIN_CASES, logit_moved
from ocrjury.estimation.linear_estimate import (
    LinearMean,
    check_confidence,
    checked_clusters,
    checked_sample,
    no_items,
)
from ocrjury.language import phrase


def pool_quantile(
    y: npt.ArrayLike,
    inclusion_probability: npt.ArrayLike,
    *,
    share: float = 0.5,
    auxiliary: npt.ArrayLike | None = None,
    pool_mean: npt.ArrayLike | None = None,
    cluster: npt.ArrayLike | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """Quantile of the pool: the lowest outcome that at least a share of it does not exceed.

    Parameters
    ----------
    y, inclusion_probability, cluster, confidence
        As in `hajek_mean`, shapes (n,).
    share
        Strictly between 0 and 1; one half is the median.
    auxiliary, pool_mean
        As in `greg_mean`; without them the weights are those of the Hajek mean.

    Returns
    -------
    Estimate
        One of the outcomes, as are its bounds; ``se`` is that of a normal interval of the same
        length, 0 where the whole pool was drawn. Undefined as in `hajek_mean`. With fewer than 10
        documents, or clusters, expected on the smaller side a warning begins with "Too few cases".

    Notes
    -----
    Woodruff (1952), JASA 47(260), 635-646: the interval of the share at the quantile, read off
    the weighted distribution. With few distinct outcomes, such as whole ratings, its coverage is
    higher than stated.

    Examples
    --------
    >>> estimate = pool_quantile([5, 4, 2, 3, 5, 4], [0.1, 0.1, 0.4, 0.2, 0.1, 0.1])
    >>> estimate.value, estimate.low, estimate.high
    (4.0, 3.0, 5.0)
    """
    check_confidence(confidence)
    if not 0 < share < 1:
        raise InputError(f"share must lie strictly between 0 and 1; found {share!r}.")
    values, pi = checked_sample(y, inclusion_probability, who="pool_quantile")
    known = known_auxiliary(auxiliary, pool_mean, len(values))
    if not len(values):
        return no_items("Woodruff")
    clusters = checked_clusters(cluster, len(values))
    weighted = greg_fit(values, pi, known, cluster=clusters)
    order = np.argsort(values)
    # Calibrated weights may be negative, but a distribution function never falls.
    reached: Floats = np.maximum.accumulate(weighted.weight[order].cumsum())
    quantile = _at(values[order], reached, share)
    whole = bool((pi >= 1).all())  # nothing was left to chance
    few = () if whole else _few(weighted.effective_n, share)
    estimate = Estimate(
        quantile,
        n_items=len(values),
        method=f"{weighted.method}, quantile at {share:g}",
        warnings=(*weighted.warnings, *few),
        few=bool(few),
    )
    if whole:
        return replace(estimate, low=quantile, high=quantile, se=0.0)
    if weighted.draws < 2 or np.ptp(values) == 0:
        return replace(
            estimate, reason="fewer_than_two_items" if weighted.draws < 2 else "no_variation"
        )
    below = greg_fit((values <= quantile).astype(float), pi, known, cluster=clusters)
    if math.isnan(below.variance()):
        return replace(estimate, reason="one_by_chance")
    ends = _ends(below, share, confidence=confidence)
    low, high = (_at(values[order], reached, end) for end in ends)
    se = (high - low) / 2 / float(ndtri((1 + confidence) / 2))
    return replace(estimate, low=low, high=high, se=se)


def _at(levels: Floats, reached: Floats, share: float) -> float:
    """Lowest level at which the share is reached."""
    # 9 decimals: three of four documents must reach .75.
    place = int(np.searchsorted(np.round(reached, 9), round(share, 9)))
    return float(levels[min(place, len(levels) - 1)])


def _ends(below: LinearMean, share: float, *, confidence: float) -> tuple[float, float]:
    """Interval of the share of documents at or below the quantile."""
    variance, of_independent = below.variance(), share * (1 - share) / below.effective_n
    # Clusters that are all alike have no variance but for rounding, which depends on their order.
    if not 0 < below.value < 1 or variance <= 1e-12 * of_independent:
        variance = of_independent
    half = float(stdtrit(below.df, (1 + confidence) / 2)) * float(np.sqrt(variance))
    return logit_moved(share, -half), logit_moved(share, half)


def _few(effective_n: float, share: float) -> tuple[str, ...]:
    """Warning that too few documents lie beyond the quantile."""
    cases = effective_n * min(share, 1 - share)
    if cases >= MIN_CASES:
        return ()
    warning = phrase(
        "Too few cases: about {cases} items' worth lie beyond the quantile at {share}; under "
        "{enough} its interval is a rough guide.",
        cases=f"{cases:.2g}",
        share=f"{share:g}",
        enough=MIN_CASES,
    )
    return (warning,)
