"""Prior on a rater's errors: the confusion matrix of a typical rater.

Rows of a rater's confusion matrix have Dirichlet priors: the typical row, worth ``strength``
ratings. With two or three ratings per item this keeps Dawid-Skene from inventing expert raters.
"""

import math

import numpy as np
from scipy.special import gammaln

from ocrjury.arrays import Floats
from ocrjury.truth.rating_blocks import RatingBlocks, known_counts, unsettled_pairs

_WEAKEST, _STRONGEST = 0.2, 500.0
_RIGHT = 0.7  # share of right ratings where all errors are equally likely
_RAREST = 1e-3  # smallest probability in the root of a matrix


def distance_confusion(n_categories: int) -> Floats:
    """Confusion matrix whose errors become rarer with distance, shape (K, K)."""
    place = np.arange(n_categories)
    near = np.exp(-np.abs(place[:, None] - place)) + 0.02
    return np.asarray(near / near.sum(axis=1, keepdims=True))


def diagonal_confusion(n_categories: int) -> Floats:
    """Confusion matrix whose errors are all equally likely, shape (K, K)."""
    wrong = (1 - _RIGHT) / max(n_categories - 1, 1)
    matrix = np.full((n_categories, n_categories), wrong)
    np.fill_diagonal(matrix, _RIGHT if n_categories > 1 else 1.0)
    return matrix


def pair_confusion(blocks: RatingBlocks, base: Floats) -> Floats:
    """Confusion matrix of the typical rater, shape (K, K), estimated from pairs of raters.

    A rating can only be compared with another *rating*, and both raters err. If both have the same
    error rates, symmetric between categories, the comparison estimates the square of one rater's
    confusion matrix; this is its root. K pseudo-ratings per row, spread as in ``base``, regularise
    it where ratings are few. Known categories need no root.
    """
    n_categories = len(base)
    pairs = unsettled_pairs(blocks)
    spread = n_categories * (base + base.T) / 2
    root = _spectral_power(2 * _agreeing(pairs) + spread, 0.5)
    once = np.maximum(root / root.sum(axis=1, keepdims=True), _RAREST)
    ratings = pairs.sum(axis=1, keepdims=True) + n_categories
    counts = once / once.sum(axis=1, keepdims=True) * ratings + known_counts(blocks)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _agreeing(pairs: Floats) -> Floats:
    """Symmetric counts of pairs without agreement below chance, shape (K, K).

    Raters with equal error rates never agree less than by chance on any contrast of categories: the
    symmetric matrix of pairs has no negative eigenvalue. Negative ones, by chance or because some
    raters reverse the scale, become 0; otherwise the typical rater could swap categories.
    """
    return np.maximum(_spectral_power((pairs + pairs.T) / 2, 1.0), 0.0)


def _spectral_power(pairs: Floats, power: float) -> Floats:
    """Symmetric counts whose normalised matrix is raised to a power, (K, K).

    Row sums stay; negative eigenvalues become 0.
    """
    size = np.sqrt(pairs.sum(axis=1))
    scale = np.outer(size, size)
    shares = np.divide(pairs, scale, out=np.zeros_like(pairs), where=scale > 0)
    values, vectors = np.linalg.eigh(shares)
    return np.asarray((vectors * np.maximum(values, 0.0) ** power) @ vectors.T * scale)


def empirical_strength(counts: Floats, typical: Floats) -> float:
    """Number of ratings that the typical row is worth, by empirical Bayes.

    Maximises the Dirichlet-multinomial likelihood of the raters' expected counts, shape (M, K, K),
    over one strength common to all rows; between 0.2 and 500.
    """
    rows = counts.reshape(-1, counts.shape[2])
    means = np.broadcast_to(typical, counts.shape).reshape(rows.shape)
    rated = rows.sum(axis=1) > 1e-6
    rows, means, total = rows[rated], means[rated], rows[rated].sum(axis=1)

    def loss(log_strength: float) -> float:
        strength = math.exp(log_strength)
        pull = strength * means
        constant = gammaln(strength) * len(total) - gammaln(strength + total).sum()
        return -float(constant + (gammaln(rows + pull) - gammaln(pull)).sum())

    bounds = (math.log(_WEAKEST), math.log(_STRONGEST))
    from scipy.optimize import minimize_scalar  # noqa: PLC0415  # takes .1 s, rarely needed

    return math.exp(minimize_scalar(loss, bounds=bounds, method="bounded").x)
