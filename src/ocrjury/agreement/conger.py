"""The chance part of Conger's kappa, in which every rater has their own category shares.

Symbols follow Gwet (2014): M raters, K categories, n_g ratings by rater g, p_gk the share of
category k in them.
"""

import numpy as np
from scipy import sparse

from ocrjury.agreement.chance import (
    corrected,
    influence_error,
    item_agreement,
    linearised,
    weighted,
)
from ocrjury.agreement.intervals import IntervalOptions, Sizes
from ocrjury.agreement.patterns import Patterns, item_weights, one_by_one
from ocrjury.arrays import Floats, Integers
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable
from ocrjury.resampling import Statistic

_CRUMB = 1e-9  # rounding residue of a rater whose last rating was left out


def conger_estimate(
    table: RatingTable, weights: Floats, n: Sizes, *, method: str, options: IntervalOptions
) -> Estimate:
    """Conger's kappa with the interval that the options select."""
    rated, items = one_by_one(table)
    statistic = _statistic(table, rated, items, weights=weights)

    def error() -> float:
        return _error(table, rated, items, weights=weights)

    return linearised(statistic, error, n, method=method, options=options)


def _statistic(
    table: RatingTable, rated: Integers, items: Patterns, *, weights: Floats
) -> Statistic:
    """Coefficient as a function of sums: agreement, items, ratings of each category by rater."""
    n_categories, n_raters = len(weights), table.n_raters
    by_rater = sparse.csr_matrix(
        (np.ones(table.n_ratings), (table.item, table.rater * n_categories + table.codes)),
        shape=(table.n_items, n_raters * n_categories),
    )[rated]
    observed = np.column_stack([item_agreement(items, weights), items.pairable])
    features = sparse.hstack([sparse.csr_matrix(observed), by_rater])

    def value(sums: Floats) -> Floats:
        counts = sums[:, 2:].reshape(-1, n_raters, n_categories)
        with np.errstate(divide="ignore", invalid="ignore"):
            return corrected(sums[:, 0] / sums[:, 1], _expected(counts, weights))

    return Statistic((sparse.diags(items.weight) @ features).tocsr(), items.frequency, value)


def _expected(counts: Floats, weights: Floats) -> Floats:
    """Chance agreement p_e, the mean over pairs of raters, from counts (B, M, K) to (B,)."""
    n_g = counts.sum(axis=2, keepdims=True)
    seen = n_g > _CRUMB
    share = np.divide(counts, n_g, out=np.zeros_like(counts), where=seen)
    m = seen.sum(axis=(1, 2))
    total = share.sum(axis=1)
    all_pairs = (weighted(total, weights) * total).sum(axis=1)
    own = (weighted(share, weights) * share).sum(axis=(1, 2))
    return np.asarray((all_pairs - own) / (m * (m - 1)))


def _error(table: RatingTable, rated: Integers, items: Patterns, *, weights: Floats) -> float:
    """Linearised standard error; an item also moves p_e, through its raters' shares."""
    n_categories = len(weights)
    counts = np.bincount(
        table.rater * n_categories + table.codes,
        weights=item_weights(table)[table.item],
        minlength=table.n_raters * n_categories,
    ).reshape(table.n_raters, n_categories)
    n_g = counts.sum(axis=1)
    share = np.divide(counts, n_g[:, None], out=np.zeros_like(counts), where=n_g[:, None] > 0)
    pull = (share.sum(axis=0) - share) @ ((weights + weights.T) / 2)
    surprise = pull[table.rater, table.codes] - (pull * share).sum(axis=1)[table.rater]
    per_rating = surprise * items.weight.sum() / n_g[table.rater]
    m = np.count_nonzero(n_g)
    own = np.bincount(table.item, weights=per_rating, minlength=table.n_items) / (m * (m - 1))
    expected = float(_expected(counts[None].astype(float), weights)[0])
    return influence_error(item_agreement(items, weights), own[rated], items, expected=expected)
