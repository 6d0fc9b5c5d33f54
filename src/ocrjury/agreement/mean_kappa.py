"""Mean of the kappas of all pairs of raters, with the error that one item enters several pairs.

Symbols: M raters, N items, K categories.
"""

import math

import numpy as np
from scipy import sparse

from ocrjury.agreement.chance import summed_squares
from ocrjury.agreement.confusion import (
    Confusions,
    kappa_changes,
    never_differ,
    pair_confusions,
    pairs_of_ratings,
)
from ocrjury.agreement.intervals import IntervalOptions, sizes, undefined, with_error
from ocrjury.agreement.patterns import clusters_of, why_undefined
from ocrjury.agreement.rater_pairs import MIN_COMMON_ITEMS
from ocrjury.agreement.rows import distinct_rows
from ocrjury.agreement.weights import Weights, agreement_weights, is_name, with_weights
from ocrjury.arrays import Booleans, Floats
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable

_QUICK = 25  # answers whose products take as long as one pair of ratings
_ITEMS = 4096  # items whose products are in memory at once


def mean_pairwise_kappa(
    table: RatingTable, *, weights: Weights = "none", confidence: float = 0.95
) -> Estimate:
    """Mean of Cohen's kappas over the pairs of raters with enough common items.

    Returns
    -------
    Estimate
        Its standard error is a jackknife over items, each of which enters several
        pairs. The mean is too low where pairs share few items and most of those are in one
        category. Raters who never differ have no interval. ``nan`` with reason
        ``too_few_common_items`` if no pair shares five items, ``no_variation`` if none of the
        others has a kappa, ``scale_mismatch`` on an interval scale, and with weights on a nominal
        one.
    """
    method = with_weights("mean of pairwise kappas", weights)
    unordered = is_name(weights) and weights != "none" and not table.scale.ordered
    if table.scale.kind == "interval" or unordered:
        return undefined(table, "scale_mismatch", method)
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    confusions = pair_confusions(table)
    agreement = agreement_weights(table.categories, weights)
    value, influence = kappa_changes(confusions, agreement)
    enough = confusions.n_items >= MIN_COMMON_ITEMS
    if not enough.any():
        return undefined(table, "too_few_common_items", method)
    used = enough & ~np.isnan(value)
    if not used.any():
        return undefined(table, "no_variation", method)
    alike = never_differ(value[used]).all()
    se = 0.0 if alike else _mean_error(table, confusions, influence, used=used)
    options, n = IntervalOptions(confidence=confidence), sizes(table)
    return with_error(
        float(value[used].mean()),
        se,
        n,
        method=f"{method}, jackknife",
        options=options,
        df=n.n_draws - 1,
    )


def mean_pairwise_weighted_kappa(table: RatingTable) -> Estimate:
    """Mean of the pairs' kappas with quadratic weights."""
    return mean_pairwise_kappa(table, weights="quadratic")


def _mean_error(
    table: RatingTable, confusions: Confusions, influence: Floats, *, used: Booleans
) -> float:
    """Standard error of a mean of kappas, from each item's influence on all of them."""
    total = confusions.weight.sum(axis=(1, 2))[used]
    share = influence[used] / total[:, None, None] / used.sum()
    a, b = confusions.rater_a[used], confusions.rater_b[used]
    rows = distinct_rows(table)
    if rows is not None:
        parts = zip(rows.codes.T[a], rows.codes.T[b], share, strict=True)
        of_row = sum(np.where((x >= 0) & (y >= 0), effect[x, y], 0.0) for x, y, effect in parts)
        return math.sqrt(float(rows.frequency @ np.square(of_row)))
    n_raters, n_categories = table.n_raters, len(table.categories)
    effects = np.zeros((n_raters, n_categories, n_raters, n_categories))
    effects[a, :, b] = share
    effects[b, :, a] = share.transpose(0, 2, 1)
    width = n_raters * n_categories
    size = np.bincount(table.item, minlength=table.n_items)
    sum_pairs = _by_product if size.max() > width / _QUICK else _pair_by_pair
    sums = sum_pairs(table, effects.reshape(width, width))
    weight = np.ones(table.n_items) if table.item_weight is None else table.item_weight
    term, clusters = (sums * weight)[size > 1], clusters_of(table, size > 1)
    squares, n = summed_squares(term, np.ones(len(term)), clusters)
    return math.sqrt(squares if clusters is None else squares * n / (n - 1)) if n > 1 else math.nan


def _pair_by_pair(table: RatingTable, effects: Floats) -> Floats:
    """Sum over the pairs of ratings of each item, shape (N,).

    Parameters
    ----------
    effects
        Summand of each pair of answers (rater times K plus category), symmetric and 0 for two
        answers of one rater, shape (M K, M K).
    """
    answer = table.rater * len(table.categories) + table.codes
    flat, sums = effects.ravel(), np.zeros(table.n_items)
    for pair, other in pairs_of_ratings(table):
        pairs = flat.take(answer.take(pair) * len(effects) + answer.take(other))
        sums += np.bincount(table.item.take(pair), weights=pairs, minlength=table.n_items)
    return sums


def _by_product(table: RatingTable, effects: Floats) -> Floats:
    """The same by a matrix product, whose work does not grow with the square of the ratings."""
    answer = table.rater * len(table.categories) + table.codes
    answers = sparse.csr_array(
        (np.ones(table.n_ratings), (table.item, answer)), shape=(table.n_items, len(effects))
    )
    sums = np.empty(table.n_items)
    for first in range(0, table.n_items, _ITEMS):
        given = answers[first : first + _ITEMS]
        sums[first : first + _ITEMS] = given.multiply(given @ effects).sum(axis=1) / 2
    return sums
