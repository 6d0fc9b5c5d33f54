"""Agreement on nominal scales with too many categories for a table of all pairs of them.

Two ratings are equal or not, so the counts of the categories that occur suffice. Symbols: N items,
K categories that occur, B replicates.
"""

import numpy as np
from scipy import sparse

from ocrjury.agreement.chance import corrected
from ocrjury.agreement.continuous import rated_items, seen_values
from ocrjury.agreement.patterns import Patterns
from ocrjury.agreement.weights import MANY_CATEGORIES
from ocrjury.arrays import Floats
from ocrjury.ratings import RatingTable
from ocrjury.resampling import Statistic


def has_many_categories(table: RatingTable) -> bool:
    """Whether a nominal scale has too many categories for a table of all pairs of them."""
    return not table.scale.ordered and len(table.categories) > MANY_CATEGORIES


def equal_pairs(table: RatingTable) -> tuple[Floats, Floats]:
    """Number of pairs of equal ratings and of all pairs of each item, two of shape (N,)."""
    cell, count = np.unique(table.item * len(table.categories) + table.codes, return_counts=True)
    equal = np.bincount(
        cell // len(table.categories),
        weights=count * (count - 1) / 2,
        minlength=table.n_items,
    )
    size = np.bincount(table.item, minlength=table.n_items)
    return np.asarray(equal, dtype=float), np.asarray(size * (size - 1) / 2, dtype=float)


def chance_of_equality(prevalence: Floats) -> Floats:
    """Probability that two ratings drawn by B rows of prevalences are equal, (B, K) to (B,)."""
    return np.asarray((prevalence**2).sum(axis=1))


def equality_corrected(table: RatingTable) -> Statistic:
    """A^HH beyond chance as a function of agreement, items and shares of each category seen."""
    table = seen_values(table)
    rated, items = rated_items(table)
    equal, pairs = equal_pairs(table)
    agreement = (equal / np.maximum(pairs, 1))[rated]
    share = 1 / np.bincount(table.item, minlength=table.n_items)[table.item]
    shape = (table.n_items, len(table.categories))
    shares = sparse.csr_matrix((share, (table.item, table.codes)), shape=shape)[rated]
    observed = sparse.csr_matrix(np.column_stack([agreement, items.pairable]))
    features = (sparse.diags(items.weight) @ sparse.hstack([observed, shares])).tocsr()

    def value(sums: Floats) -> Floats:
        prevalence = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            return corrected(sums[:, 0] / sums[:, 1], chance_of_equality(prevalence))

    def left_out() -> Floats:
        return _without_one(items, agreement, shares)

    return Statistic(features, items.frequency, value, left_out)


def _without_one(items: Patterns, agreement: Floats, shares: sparse.csr_matrix) -> Floats:
    """Chance-corrected agreement without each item, shape (N,), in closed form."""
    weight, total = items.weight, items.weight.sum()
    mass = np.asarray(shares.T @ weight)
    own = np.asarray(shares.multiply(shares).sum(axis=1)).ravel()
    squares = mass @ mass - 2 * weight * np.asarray(shares @ mass) + weight**2 * own
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (weight @ agreement - weight * agreement) / (
            weight @ items.pairable - weight * items.pairable
        )
        return corrected(observed, squares / (total - weight) ** 2)
