"""Comparison of two OCR systems on the same documents."""

import numpy as np
import numpy.typing as npt

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.greg import greg_fit, known_auxiliary
from ocrjury.estimation.interval import Part, with_interval
from ocrjury.estimation.linear_estimate import (
    check_confidence,
    checked_clusters,
    checked_sample,
    no_items,
)


def compare_systems(
    y_a: npt.ArrayLike,
    y_b: npt.ArrayLike,
    inclusion_probability: npt.ArrayLike,
    *,
    auxiliary: npt.ArrayLike | None = None,
    pool_mean: npt.ArrayLike | None = None,
    noise: npt.ArrayLike | None = None,
    cluster: npt.ArrayLike | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """Mean difference between systems A and B over the pool, by paired differences.

    Parameters
    ----------
    y_a, y_b
        Outcome of each system on the same n documents, in the same order, shapes (n,).
    inclusion_probability, cluster, confidence
        As in `hajek_mean`.
    auxiliary, pool_mean
        As in `greg_mean`, for example the difference of the systems' CER; without them the
        difference is the Hajek mean.
    noise
        Error variance of each difference, such as that of ratings, which would differ on another
        day, shape (n,). It remains when nearly the whole pool was drawn and the draw adds little.
        None: outcomes without error.

    Returns
    -------
    Estimate
        Mean of ``y_a - y_b``, above 0 where A is better; undefined as in `hajek_mean`.

    Examples
    --------
    >>> difference = compare_systems([5, 4, 5, 3], [4, 4, 3, 3], [0.2] * 4)
    >>> difference.value, difference.method
    (0.75, 'Hajek, paired difference')
    """
    first, second = np.asarray(y_a, dtype=float), np.asarray(y_b, dtype=float)
    if first.shape != second.shape:
        raise InputError(
            f"compare_systems needs both systems on the same documents; found shapes "
            f"{first.shape} and {second.shape}."
        )
    check_confidence(confidence)
    difference, pi = checked_sample(first - second, inclusion_probability, who="compare_systems")
    known = known_auxiliary(auxiliary, pool_mean, len(difference))
    if not len(difference):
        return no_items(f"{'Hajek' if known is None else 'GREG'}, paired difference")
    clusters = checked_clusters(cluster, len(difference))
    fit = greg_fit(difference, pi, known, cluster=clusters)
    parts = [Part(fit.variance(), fit.df)]
    if noise is not None:
        # The part of the noise that the finite population correction removed from the draw.
        of_each = np.broadcast_to(np.asarray(noise, dtype=float), pi.shape)
        parts.append(Part(float((fit.weight**2 * pi) @ of_each), fit.df))
    return with_interval(
        Estimate(
            fit.value,
            n_items=len(pi),
            method=f"{fit.method}, paired difference",
            warnings=fit.warnings,
        ),
        parts,
        confidence=confidence,
        census=bool((pi >= 1).all()),
        draws=fit.draws,
    )
