"""What is believed of a rater before their ratings are seen: a typical confusion matrix.

Rows of a rater's confusion matrix have Dirichlet priors: the typical row, worth ``strength``
ratings. With two or three ratings per item this keeps Dawid-Skene from inventing expert raters.
"""

import math
from collections.abc import Mapping

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Floats
from ocrjury.truth.likelihood import Integers

_CHUNK = 1 << 18
_WEAKEST, _STRONGEST = 0.2, 500.0


def distance_confusion(n_categories: int) -> Floats:
    """Return a confusion matrix whose errors fade with distance, shape (K, K)."""
    place = np.arange(n_categories)
    near = np.exp(-np.abs(place[:, None] - place)) + 0.02
    return np.asarray(near / near.sum(axis=1, keepdims=True))


def diagonal_confusion(n_categories: int, *, right: float = 0.7) -> Floats:
    """Return a confusion matrix whose errors all are equally likely, shape (K, K)."""
    wrong = (1 - right) / max(n_categories - 1, 1)
    matrix = np.full((n_categories, n_categories), wrong)
    np.fill_diagonal(matrix, right if n_categories > 1 else 1.0)
    return matrix


def leave_one_out_counts(table: RatingTable, gold: Mapping[int, int]) -> Floats:
    """Return how often raters say one category where the others say another, shape (K, K).

    Rows stand for the truth, for which the share of the *other* raters' ratings of the item (or
    its known category, ``gold`` = {place of item: place of category}) stands in; columns for the
    rating. Without leaving the rating itself out, raters would seem to agree with the truth even
    where they agree with nobody.
    """
    n_categories = len(table.categories)
    one_hot = np.eye(n_categories)
    counts = table.counts()
    known = np.full(table.n_items, -1)
    known[list(gold)] = list(gold.values())
    pair, by_pair = _repeated_pairs(table)
    matrix = np.zeros((n_categories, n_categories))
    for first in range(0, table.n_ratings, _CHUNK):
        part = slice(first, first + _CHUNK)
        item, codes = table.item[part], table.codes[part]
        own = one_hot[codes] if pair is None else by_pair[pair[part]]
        others = counts[item] - own
        share = others / np.maximum(others.sum(axis=1, keepdims=True), 1)
        clamped = known[item] >= 0
        share[clamped] = one_hot[known[item][clamped]]
        for true in range(n_categories):
            matrix[true] += np.bincount(codes, weights=share[:, true], minlength=n_categories)
    return matrix


def typical_confusion(loo_counts: Floats, base: Floats) -> Floats:
    """Return the confusion matrix of the typical rater, shape (K, K).

    K pseudo-ratings per row, spread as in ``base``, stand in where the ratings are few.
    """
    counts = loo_counts + len(base) * base
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def empirical_strength(counts: Floats, typical: Floats) -> float:
    """Return how many ratings the typical row is worth, by empirical Bayes.

    Maximises the Dirichlet-multinomial likelihood of the raters' expected counts, shape (M, K, K),
    over one strength common to all rows; between 0.2 and 500.
    """
    rows = counts.reshape(-1, counts.shape[2])
    means = np.broadcast_to(typical, counts.shape).reshape(rows.shape)
    there = rows.sum(axis=1) > 1e-6
    rows, means, total = rows[there], means[there], rows[there].sum(axis=1)

    def loss(log_strength: float) -> float:
        strength = math.exp(log_strength)
        pull = strength * means
        rest = gammaln(strength) * len(total) - gammaln(strength + total).sum()
        return -float(rest + (gammaln(rows + pull) - gammaln(pull)).sum())

    bounds = (math.log(_WEAKEST), math.log(_STRONGEST))
    return math.exp(minimize_scalar(loss, bounds=bounds, method="bounded").x)


def _repeated_pairs(table: RatingTable) -> tuple[Integers | None, Integers]:
    """Return each rating's pair of item and rater, and ratings per pair and category.

    (None, empty) where every pair has one rating.
    """
    n_categories = len(table.categories)
    if not table.repeated:
        return None, np.zeros((0, n_categories), dtype=np.int64)
    pairs, pair = np.unique(table.item * table.n_raters + table.rater, return_inverse=True)
    cell = pair * n_categories + table.codes
    by_pair = np.bincount(cell, minlength=len(pairs) * n_categories)
    return pair, by_pair.reshape(-1, n_categories)
