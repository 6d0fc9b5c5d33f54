"""Prevalence of the categories, which lowers kappa where it is uneven.

For two raters and two categories: a items rated 1 by both, d rated 0 by both, b and c the rest.
"""

import math
from dataclasses import dataclass

import numpy as np

from ocrjury.agreement.confusion import pair_confusions
from ocrjury.agreement.intervals import sizes, undefined, without_interval
from ocrjury.agreement.patterns import collapse, n_raters, usable, why_undefined
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable


@dataclass(frozen=True, slots=True)
class Prevalence:
    """Indices of two raters on a binary scale.

    Attributes
    ----------
    prevalence_index
        |a - d| / N: 0 when both categories are equally common, 1 when one is never used.
    bias_index
        |b - c| / N: difference between the raters' use of the categories.
    pabak
        Prevalence- and bias-adjusted kappa, 2 p_o - 1.
    positive_agreement, negative_agreement
        2 a / (2 a + b + c) and 2 d / (2 d + b + c); ``nan`` if nobody used the category.
    n_items
        Items that both rated, N.
    reason
        Why all indices are ``nan``, else None.
    """

    prevalence_index: float = math.nan
    bias_index: float = math.nan
    pabak: float = math.nan
    positive_agreement: float = math.nan
    negative_agreement: float = math.nan
    n_items: int = 0
    reason: str | None = None


def prevalence(table: RatingTable) -> Prevalence:
    """Indices that explain a low kappa despite a high percentage of agreement.

    Parameters
    ----------
    table
        Ratings by two raters on a binary scale; items with one rating are left out.

    Raises
    ------
    InputError
        With three or more raters, or on another scale.

    Notes
    -----
    Byrt, Bishop and Carlin (1993), Journal of Clinical Epidemiology 46(5), 423-429; Cicchetti
    and Feinstein (1990), ibid. 43(6), 551-558.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> pairs = [[1, 1]] * 40 + [[1, 0]] * 9 + [[0, 1]] * 6 + [[0, 0]] * 45
    >>> indices = prevalence(RatingTable.from_matrix(pairs, scale=Scale.binary()))
    >>> [round(x, 2) for x in (indices.prevalence_index, indices.bias_index, indices.pabak)]
    [0.05, 0.03, 0.7]
    """
    table = usable(table, "prevalence", compares_raters=True)
    if table.scale.kind != "binary":
        raise InputError(
            f"prevalence() describes a binary scale; found {table.scale}. "
            "Use measure_agreement(), whose modal_share fits every scale."
        )
    if n_raters(table) > 2:
        raise InputError(
            f"prevalence() compares exactly two raters; found {n_raters(table)}. "
            "Keep two raters, or use measure_agreement() for all raters."
        )
    if reason := why_undefined(table):
        return Prevalence(reason=reason)
    confusions = pair_confusions(table)
    d, c, b, a = (confusions.weight[0] / confusions.weight[0].sum()).ravel().tolist()
    return Prevalence(
        abs(a - d),
        abs(b - c),
        2 * (a + d) - 1,
        2 * a / (2 * a + b + c) if a + b + c else math.nan,
        2 * d / (2 * d + b + c) if b + c + d else math.nan,
        n_items=int(confusions.n_items[0]),
    )


def modal_share(table: RatingTable) -> Estimate:
    """Share of the most common category, every item counting the same.

    An interval scale has no categories: reason ``scale_mismatch``.
    """
    if table.scale.kind == "interval":
        return undefined(table, "scale_mismatch", "modal share")
    return _of_shares(table, "modal share", float(_shares(table).max()))


def prevalence_index(table: RatingTable) -> Estimate:
    """Absolute difference of the shares of 1 and 0, for any number of raters on a binary scale."""
    if table.scale.kind != "binary":
        return undefined(table, "scale_mismatch", "prevalence index")
    shares = _shares(table)
    return _of_shares(table, "prevalence index", float(abs(shares[1] - shares[0])))


def _shares(table: RatingTable) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Prevalence of every category, shape (K,), zeros without ratings."""
    patterns = collapse(table)
    share = patterns.counts / np.maximum(patterns.size, 1)[:, None]
    mass = patterns.frequency * patterns.weight
    total = np.asarray(mass @ share)
    return np.asarray(total / max(mass.sum(), 1e-300))


def _of_shares(table: RatingTable, method: str, value: float) -> Estimate:
    """Estimate without interval."""
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    return without_interval(value, sizes(table), method)
