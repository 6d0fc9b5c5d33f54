"""Plain mean of rated items, for ratings without a sampling design."""

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.interval import Part, few_cases, is_share, with_interval
from ocrjury.estimation.linear_estimate import (
    LinearMean,
    check_confidence,
    checked_clusters,
    no_items,
)

_METHOD = "plain mean, these items only"


def plain_mean(
    y: npt.ArrayLike,
    *,
    weight: npt.ArrayLike | None = None,
    cluster: npt.ArrayLike | None = None,
    share: bool | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """Mean of item scores with a t interval; it says nothing about other items.

    Parameters
    ----------
    y
        Score of each item, shape (n,), finite: the mean of its ratings.
    weight
        Weight of each item, shape (n,), none below 0; None: all alike.
    cluster
        As in `hajek_mean`.
    share
        Whether the scores are zeros and ones of which the mean is a share, with the interval of
        one; None: if no others occur. On a scale that goes on beyond 1 they are none.

    Returns
    -------
    Estimate
        Undefined as in `hajek_mean`. Without a sampling design the interval only shows how much the
        mean would move with other items of the same kind.

    Examples
    --------
    >>> estimate = plain_mean([4, 5, 3, 4])
    >>> estimate.value, round(estimate.low, 2), round(estimate.high, 2)
    (4.0, 2.7, 5.3)
    >>> estimate = plain_mean([4, 4, 3, 3], cluster=["page 1", "page 1", "page 2", "page 2"])
    >>> round(estimate.low, 1), round(estimate.high, 1)
    (-2.9, 9.9)
    """
    check_confidence(confidence)
    values = np.asarray(y, dtype=float)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise InputError(
            f"plain_mean needs one finite score per item; found shape {values.shape} with "
            f"{int((~np.isfinite(values)).sum())} that are not finite. Leave unrated items out."
        )
    n = len(values)
    if not n:
        return no_items(_METHOD)
    fit = _fit(values, _shares(weight, n)).drawn_in(checked_clusters(cluster, n))
    share = is_share(values) and share is not False
    few = few_cases(values) if share else ()
    return with_interval(
        Estimate(fit.value, n_items=n, method=fit.method, warnings=few, few=bool(few)),
        [Part(fit.variance(), fit.df)],
        confidence=confidence,
        share_of=fit.effective_n if share else None,
        draws=fit.draws,
    )


def _fit(y: Floats, share: Floats) -> LinearMean:
    """Mean with its residuals; items are drawn from endlessly many, so that their pi is 0."""
    value = float(y.mean() if np.ptp(share) == 0 else share @ y)
    residual = y - value if np.ptp(y) > 0 else np.zeros(len(y))
    method = _METHOD if np.ptp(share) == 0 else "weighted mean"
    return LinearMean(share, residual, np.zeros(len(y)), value, max(len(y) - 1, 1), method)


def _shares(weight: npt.ArrayLike | None, n: int) -> Floats:
    """Weights that sum to 1, shape (n,)."""
    if weight is None:
        return np.full(n, 1 / n)
    weights = np.asarray(weight, dtype=float)
    if weights.shape != (n,) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise InputError(
            f"plain_mean needs {n} finite weights, none below 0; found shape {weights.shape}, "
            f"smallest {weights.min(initial=np.inf):g}."
        )
    if not weights.sum() > 0:
        raise InputError("plain_mean: every weight is 0; give some item a weight above 0.")
    return np.asarray(weights / weights.sum())
