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
_RAREST = 1e-3  # least probability of an answer under the root of a matrix


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
    pair, by_pair = repeated_pairs(table)
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


def agreeing_counts(table: RatingTable, gold: Mapping[int, int]) -> Floats:
    """Return leave-one-out counts without agreement below chance, shape (K, K).

    Raters who err alike never agree less than by chance on any contrast of categories: the
    symmetric matrix of pairs has no negative eigenvalue. Those it has by chance, or because some
    raters turn the scale around, become 0; else the typical rater could swap categories.
    """
    known = _gold_counts(table, gold)
    pairs = leave_one_out_counts(table, gold) - known
    return np.maximum(_spectral_power((pairs + pairs.T) / 2, 1.0), 0.0) + known


def pair_confusion(table: RatingTable, gold: Mapping[int, int], base: Floats) -> Floats:
    """Return the confusion matrix that explains which categories pairs of raters say, (K, K).

    Where `typical_confusion` compares a rating with another *rating*, two raters err. If both err
    alike, and from one category to another as often as back, that comparison is the square of one
    rater's confusion matrix; this is its root. Known categories need no root. Sharper than
    `typical_confusion`, it is the one to compare raters by, but it trusts all of them too much
    where difficult items mislead several at once.
    """
    n_categories = len(base)
    known = _gold_counts(table, gold)
    pairs = leave_one_out_counts(table, gold) - known
    root = _spectral_power(pairs + pairs.T + n_categories * (base + base.T) / 2, 0.5)
    once = np.maximum(root / root.sum(axis=1, keepdims=True), _RAREST)
    ratings = pairs.sum(axis=1, keepdims=True) + n_categories
    counts = once / once.sum(axis=1, keepdims=True) * ratings + known
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _spectral_power(pairs: Floats, power: float) -> Floats:
    """Return symmetric counts whose row-wise shares are raised to a power as a matrix, (K, K).

    Row sums stay; negative eigenvalues become 0.
    """
    size = np.sqrt(pairs.sum(axis=1))
    scale = np.outer(size, size)
    shares = np.divide(pairs, scale, out=np.zeros_like(pairs), where=scale > 0)
    values, vectors = np.linalg.eigh(shares)
    return np.asarray((vectors * np.maximum(values, 0.0) ** power) @ vectors.T * scale)


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


def _gold_counts(table: RatingTable, gold: Mapping[int, int]) -> Floats:
    """Return ratings of items with a known category by known and observed category, (K, K)."""
    n_categories = len(table.categories)
    known = np.full(table.n_items, -1)
    known[list(gold)] = list(gold.values())
    true = known[table.item]
    cell = (true * n_categories + table.codes)[true >= 0]
    counts = np.bincount(cell, minlength=n_categories**2)
    return counts.reshape(n_categories, n_categories).astype(float)


def repeated_pairs(table: RatingTable) -> tuple[Integers | None, Integers]:
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
