"""Halo: a rater's error on one dimension of an item recurs on the other dimensions.

Symbols: z_td is the purged residual of submission t on dimension d, in units of its rater's
standard deviation; the halo is the mean of z_ta z_tb over pairs of dimensions a < b.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ocrjury.arrays import Floats, Integers
from ocrjury.bias.blocks import Blocks, is_clustered
from ocrjury.bias.deviations import (
    count_terms,
    interval,
    purge,
    squares_by_rater,
    t_p_values,
    too_few_ratings,
)
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.findings import CORRELATION, BiasFinding, Reason, not_identifiable
from ocrjury.bias.permutation import own_p_values, pooled_p_values
from ocrjury.bias.rater_findings import joint_findings

_LEAST_ITEMS = 50
_LEAST = 20  # submissions of a rater
_LEAST_DISPUTED = 5  # items of a dimension on which raters differ
_PURGED = 5  # a mean and four slopes


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """Purged residuals of the submissions that are comparable on two or more dimensions.

    Attributes
    ----------
    item, rater, draw
        Shape (n,).
    z
        Shape (n, D); 0 where there is none.
    present
        1 where there is one, shape (n, D).
    """

    item: Integers
    rater: Integers
    draw: Integers
    z: Floats
    present: Floats

    @property
    def pairs(self) -> Floats:
        """Number of pairs of dimensions of each submission, shape (n,)."""
        count = self.present.sum(axis=1)
        return np.asarray(count * (count - 1) / 2, dtype=float)


def find_halo(evidence: BiasEvidence, rng: np.random.Generator) -> list[BiasFinding]:
    """Findings on halo, for all raters together and for every rater.

    Notes
    -----
    Item and rater effects, each rater's drift over a session, the pull of the previous rating, and
    the slope on the item effect and on its square, which a severe rater has on a scale with ends,
    are first removed from every dimension; otherwise they look like halo. Null: residuals shuffled
    among the raters of each item, those of a draw as one (`ocrjury.bias.blocks`), separately in
    every dimension. Where items were drawn together, a p-value is not below that of the interval's
    error, as in `find_severity`.
    """
    submissions = evidence.submissions
    if len(submissions.dimensions) < 2:
        return [not_identifiable("halo", "fewer_than_two_dimensions", unit=CORRELATION)]
    residuals = purged_residuals(evidence)
    disputed = sum(ratings.n_disputed > 0 for ratings in evidence.by_dimension)
    reason = _reason(residuals, disputed=disputed)
    if reason is not None:
        return [not_identifiable("halo", reason, unit=CORRELATION)]
    n_raters = submissions.n_raters
    product = _products(residuals.z)
    null = np.concatenate(list(_null_products(residuals, n_raters, rng)), axis=1)
    more, more_of_all = _lost_freedom(residuals, n_raters)
    null *= more[:, None]
    reasons = too_few_ratings(residuals.rater, residuals.draw, n_raters=n_raters, least=_LEAST)
    enough = np.array([reason is None for reason in reasons])
    observed = np.bincount(residuals.rater, product, n_raters)
    p_all = own_p_values(product.sum(keepdims=True), null.sum(axis=0)[None, :], tail="upper")
    p_each = pooled_p_values(np.where(enough, observed, np.nan), null, tail="upper")
    overall, each = _of_all(residuals, product, more_of_all), _of_each(residuals, product, more)
    if is_clustered(residuals.item, residuals.draw):
        p_all = np.fmax(p_all, t_p_values(*overall, tail="upper"))
        p_each = np.where(enough, np.fmax(p_each, t_p_values(*each, tail="upper")), np.nan)
    return joint_findings(
        submissions,
        "halo",
        CORRELATION,
        dimension=None,
        overall=(interval(*overall), p_all),
        each=(interval(*each), p_each),
        reasons=reasons,
    )


def purged_residuals(evidence: BiasEvidence) -> Residuals:
    """Residuals of the ratings after everything but halo is removed."""
    submissions = evidence.submissions
    n, n_dimensions = submissions.value.shape
    z = np.zeros((n, n_dimensions))
    present = np.zeros((n, n_dimensions))
    position = submissions.position()
    overall, count = submissions.overall(), np.bincount(submissions.rater, minlength=1)
    mean = np.bincount(submissions.rater, overall, len(count)) / np.maximum(count, 1)
    previous, _ = submissions.previous(overall - mean[submissions.rater])
    for column, ratings in enumerate(evidence.by_dimension):
        present[ratings.rows, column] = ratings.paired
        if ratings.n_disputed < _LEAST_DISPUTED:
            continue
        level = ratings.reliable_level()
        level = level - level.mean()
        covariates = [level, level**2, position[ratings.rows], previous[ratings.rows]]
        residual = np.where(ratings.paired, purge(ratings, covariates), 0.0)
        spread = np.sqrt((ratings.raters @ residual**2) / np.maximum(ratings.common, 1))
        safe = np.where(spread > 1e-6 * np.ptp(ratings.value), spread, np.inf)
        z[ratings.rows, column] = residual / safe[ratings.rater]
    varies = (z != 0).any(axis=0)
    if varies.sum() >= 2:  # a dimension without residuals forms no pairs
        present[:, ~varies] = 0.0
    keep = present.sum(axis=1) >= 2
    item, rater, draw = submissions.item, submissions.rater, submissions.draw
    return Residuals(item[keep], rater[keep], draw[keep], z[keep], present[keep])


def _reason(residuals: Residuals, *, disputed: int) -> Reason | None:
    """Reason why halo cannot be tested, or None; raters differ on some dimensions."""
    if not len(residuals.item):
        return "no_pairable_items"
    size = np.bincount(residuals.item)
    if not (size >= 2).any():
        return "no_pairable_items"
    if (size >= 2).sum() < _LEAST_ITEMS:
        return "too_few_items"
    varying = (residuals.z != 0).any(axis=0)
    if varying.sum() >= 2:
        return None
    return "too_few_items" if disputed >= 2 else "no_disagreement"


def _lost_freedom(residuals: Residuals, n_raters: int) -> tuple[Floats, float]:
    """Factors by which the sums of products of each rater, (M,), and of all vary more than shown.

    Purged residuals of two dimensions lie in a common space with fewer dimensions than shuffled
    ones, because a mean and slopes were fitted for each rater; a sum of products in nu dimensions,
    with given lengths, has a standard deviation proportional to 1 / sqrt(nu).
    """
    size = np.bincount(residuals.item)[residuals.item]
    shuffled = np.bincount(residuals.rater, 1 - 1 / size, n_raters)
    lost = _PURGED * (n_raters - 1) / n_raters  # items absorb the part common to all raters
    each = np.asarray(np.sqrt(shuffled / np.maximum(shuffled - lost, 1.0)), dtype=float)
    left = np.maximum(shuffled - lost, 1.0)[shuffled > 0].sum()
    return each, float(np.sqrt(shuffled.sum() / left))


def _products(z: Floats) -> Floats:
    """Sum over pairs of dimensions of z_a z_b, shape (n,)."""
    total = z.sum(axis=1)
    return np.asarray((total**2 - (z**2).sum(axis=1)) / 2, dtype=float)


def _null_products(
    residuals: Residuals, n_raters: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Yield each rater's sum of products with the dimensions shuffled separately, shape (M, b)."""
    n, n_dimensions = residuals.z.shape
    raters = sparse.csr_array((np.ones(n), (residuals.rater, np.arange(n))), shape=(n_raters, n))
    sources = [
        _blocks(residuals, column).shuffles(rng=source)
        for column, source in enumerate(rng.spawn(n_dimensions))
    ]
    for blocks in zip(*sources[1:], strict=True):  # the first dimension is not shuffled
        total = np.repeat(residuals.z[:, :1], blocks[0].shape[1], axis=1)
        squares = total**2
        for column, rows in enumerate(blocks, start=1):
            z = residuals.z[rows, column]
            total += z
            squares += z**2
        yield np.asarray(raters @ ((total**2 - squares) / 2), dtype=float)


def _blocks(residuals: Residuals, column: int) -> Blocks:
    """Blocks that a shuffle moves: an item's ratings on a dimension, and its missing ratings."""
    rated = residuals.present[:, column].astype(np.int64)
    return Blocks.of_items(residuals.item * 2 + rated, residuals.rater, residuals.draw)


def _of_each(
    residuals: Residuals, product: Floats, more: Floats
) -> tuple[Floats, Floats, Integers]:
    """Each rater's mean correlation, its error and degrees of freedom, (M,) each.

    Errors are larger by a factor (M,).
    """
    n_raters = len(more)
    pairs = np.maximum(np.bincount(residuals.rater, residuals.pairs, n_raters), 1e-12)
    value = np.bincount(residuals.rater, product, n_raters) / pairs
    influence = product - value[residuals.rater] * _squares(residuals)
    squares, count = squares_by_rater(
        influence, rater=residuals.rater, draw=residuals.draw, n_raters=n_raters
    )
    return value, more * np.sqrt(squares) / pairs, count - 1


def _of_all(residuals: Residuals, product: Floats, more: float) -> tuple[Floats, Floats, Integers]:
    """The same over all raters, errors clustered by draw, (1,) each."""
    pairs = residuals.pairs.sum()
    value = product.sum() / pairs
    by_draw = np.bincount(residuals.draw, product - value * _squares(residuals))
    error = more * np.sqrt((by_draw**2).sum()) / pairs
    return np.array([value]), np.array([error]), np.array([count_terms(by_draw) - 1])


def _squares(residuals: Residuals) -> Floats:
    """Sum over pairs of dimensions of (z_a^2 + z_b^2) / 2, shape (n,)."""
    others = residuals.present.sum(axis=1) - 1
    return np.asarray((residuals.z**2).sum(axis=1) * others / 2, dtype=float)
