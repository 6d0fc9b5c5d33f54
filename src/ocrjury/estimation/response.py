"""Adjustment for items that were drawn but not rated."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.errors import InputError


def response_probabilities(
    inclusion_probability: npt.ArrayLike,
    *,
    responded: npt.ArrayLike,
    stratum: npt.ArrayLike | None = None,
) -> Floats:
    """Probability of each rated item to be drawn and rated, shape (number rated,).

    Use it in place of the inclusion probability, so that rated items also stand for those of
    their stratum that nobody rated.

    Parameters
    ----------
    inclusion_probability
        Inclusion probability of all n items drawn, shape (n,).
    responded
        Whether each of them was rated, shape (n,), of bool.
    stratum
        Stratum of each item, shape (n,), any values; None: one stratum.

    Notes
    -----
    The weighting-class adjustment (Oh and Scheuren 1983, in Incomplete Data in Sample Surveys 2,
    143-184): within a stratum, ratings are assumed missing at random, and the probability is
    multiplied by the weighted share of rated items. A stratum without any rated item is
    represented by all others.

    Examples
    --------
    >>> rated = [True, True, False, True]
    >>> response_probabilities([0.2] * 4, responded=rated, stratum=list("aabb")).tolist()
    [0.2, 0.2, 0.1]
    """
    pi = np.asarray(inclusion_probability, dtype=float)
    rated = np.asarray(responded)
    strata = np.zeros(len(pi), dtype=np.int64) if stratum is None else np.asarray(stratum)
    if pi.ndim != 1 or rated.shape != pi.shape or strata.shape != pi.shape or rated.dtype != bool:
        raise InputError(
            "response_probabilities needs one probability, one true or false and one stratum per "
            f"item; found shapes {pi.shape}, {rated.shape} of {rated.dtype} and {strata.shape}."
        )
    if not ((pi > 0) & (pi <= 1)).all():
        raise InputError("an inclusion probability lies above 0 and at most at 1; some do not.")
    code = pd.factorize(strata, use_na_sentinel=False)[0]
    weight = 1 / pi
    drawn = np.bincount(code, weight)
    answered = np.bincount(code[rated], weight[rated], len(drawn))
    return np.asarray(pi[rated] * (answered / drawn)[code[rated]], dtype=float)
