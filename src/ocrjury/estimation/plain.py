"""Plain mean of rated items, for ratings without a sampling design."""

import numpy as np
import numpy.typing as npt

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.interval import Part, few_cases, is_share, with_interval
from ocrjury.estimation.linear import check_confidence, no_items

_METHOD = "plain mean, these items only"


def plain_mean(y: npt.ArrayLike, *, confidence: float = 0.95) -> Estimate:
    """Mean of item scores with a t interval; it says nothing about other items.

    Parameters
    ----------
    y
        Score of each item, shape (n,), finite: the mean of its ratings.

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
    variance = float(values.var(ddof=1)) / n if n > 1 and np.ptp(values) > 0 else 0.0
    share = is_share(values)
    warnings = few_cases(values) if share else ()
    estimate = Estimate(float(values.mean()), n_items=n, method=_METHOD, warnings=warnings)
    return with_interval(
        estimate,
        [Part(variance, max(n - 1, 1))],
        confidence=confidence,
        share_of=float(n) if share else None,
    )
