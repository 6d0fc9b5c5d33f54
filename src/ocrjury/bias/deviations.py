"""Deviation of each rating from those of colleagues on the same item.

Model y_ir = mu_i + b_r + e_ir of `ocrjury.rater_model`. A rating's deviation from the mean of its
item's other ratings, all after severities, is m e / (m - 1) where the item has m ratings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import stdtr, stdtrit

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.bias.findings import Reason
from ocrjury.bias.permutation import Tail
from ocrjury.bias.submissions import Submissions
from ocrjury.rater_model import AdditiveFit, fit_additive, fit_reliable
from ocrjury.rater_model.severity import shared_draws

_LEAST = 20  # a rater with fewer ratings has a mean but no slopes
_ROUNDS = 200
_MANY = 100  # raters
_ROUNDING = 1e-9  # a smaller share of the largest term is rounding


class Interval(NamedTuple):
    """Values with their 95 % confidence bounds, each of shape (T,)."""

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class FittedRatings:
    """n ratings on one dimension, or averaged over all, with their additive fit.

    Attributes
    ----------
    rows
        Submission of each rating, shape (n,).
    item, rater, draw, value
        Shape (n,).
    size
        Ratings of its item, m, shape (n,).
    fit
        The additive fit.
    raters
        1 where a rating is by a rater, shape (M, n).
    dimension
        None if averaged over all.
    """

    rows: Integers
    item: Integers
    rater: Integers
    draw: Integers
    value: Floats
    size: Integers
    fit: AdditiveFit
    raters: sparse.csr_array
    dimension: str | None = None

    @property
    def paired(self) -> Booleans:
        """Mask of the ratings with another rating of the same item, shape (n,)."""
        return np.asarray(self.size >= 2)

    @property
    def common(self) -> Integers:
        """Number of items that each rater shares with a colleague, shape (M,)."""
        return np.bincount(self.rater[self.paired], minlength=self.raters.shape[0])

    def too_few(self, least: int) -> list[Reason | None]:
        """Reason why each rater shares too few items or draws with colleagues, or None."""
        n_raters = self.raters.shape[0]
        draws = shared_draws(self.item, self.rater, self.draw, n_raters=n_raters)
        return [
            _too_few(n, n_draws, least=least)
            for n, n_draws in zip(self.common.tolist(), draws.tolist(), strict=True)
        ]

    @property
    def varies(self) -> bool:
        """Whether raters ever differ by more than their severities."""
        extent = float(np.ptp(self.value)) if len(self.value) else 0.0
        return bool(np.abs(self.fit.residual).max(initial=0.0) > 1e-9 * max(extent, 1e-9))

    @property
    def n_disputed(self) -> int:
        """Number of items on which raters differ, 0 where they do by their severities alone."""
        if not self.varies:
            return 0
        mean = np.bincount(self.item, self.value)[self.item] / self.size
        differs = np.abs(self.value - mean) > 1e-9 * (1 + np.abs(self.value))
        return len(np.unique(self.item[differs]))

    @property
    def why_flat(self) -> Reason:
        """Reason why there is nothing to explain where raters never differ."""
        return "no_disagreement" if np.ptp(self.value) > 0 else "no_variation"

    def deviation(self) -> Floats:
        """Each rating minus the mean of colleagues' ratings, after severities (n,); 0 if alone."""
        return self.from_colleagues(self.fit.residual)

    def from_colleagues(self, residual: Floats) -> Floats:
        """Residuals from the item's mean, converted to distances from the colleagues' mean (n,)."""
        return np.asarray(residual * self.size / np.maximum(self.size - 1, 1), dtype=float)

    def reliable_level(self) -> Floats:
        """Effect of each rating's item, with less weight on erratic raters (n,).

        Their errors would leave part of the items' quality in all residuals. With very many raters
        no single one matters, and all have equal weight.
        """
        n_items, n_raters = len(self.fit.item_effect), self.raters.shape[0]
        if n_raters > _MANY:
            return self.fit.item_effect[self.item]
        fit = fit_reliable(self.item, self.rater, self.value, n_items=n_items, n_raters=n_raters)
        return fit.item_effect[self.item]

    def residual_of(self, covariate: Floats) -> Floats:
        """Covariate minus its item and rater effects, shape (n,)."""
        return fit_additive(
            self.item,
            self.rater,
            covariate,
            n_items=len(self.fit.item_effect),
            n_raters=self.raters.shape[0],
        ).residual


def _too_few(items: int, draws: int, *, least: int) -> Reason | None:
    """Reason why a rater shares too few items or draws with colleagues, or None."""
    if items < least:
        return "too_few_common_items" if items else "no_pairable_items"
    return "fewer_than_two_draws" if draws < 2 else None


def fit_ratings(
    submissions: Submissions, value: Floats, dimension: str | None = None
) -> FittedRatings:
    """Additive fit of one value per submission, ``nan`` where there is none."""
    rows = np.flatnonzero(np.isfinite(value))
    item, rater, y = submissions.item[rows], submissions.rater[rows], value[rows]
    n, n_raters = len(rows), submissions.n_raters
    fit = fit_additive(item, rater, y, n_items=submissions.n_items, n_raters=n_raters)
    size = np.bincount(item, minlength=max(submissions.n_items, 1))[item]
    raters = sparse.csr_array((np.ones(n), (rater, np.arange(n))), shape=(n_raters, n))
    draw = submissions.draw[rows]
    return FittedRatings(rows, item, rater, draw, y, size, fit, raters, dimension)


def purge(ratings: FittedRatings, covariates: Sequence[Floats]) -> Floats:
    """Ratings minus their item effect and minus each rater's mean and slopes on covariates.

    Parameters
    ----------
    covariates
        Each of shape (n,). A rater with fewer than 20 ratings has a mean only.

    Returns
    -------
    ndarray
        Residuals of the joint least-squares fit, shape (n,), computed by alternating projections
        on items and on raters.
    """
    basis = _rater_basis(ratings, covariates)
    per_item = np.bincount(ratings.item).astype(float)
    per_item[per_item == 0] = 1.0
    e = ratings.value - ratings.value.mean()
    enough = 1e-7 * max(float(np.ptp(ratings.value)), 1e-12)
    for _ in range(_ROUNDS):
        before = e
        e = e - (np.bincount(ratings.item, e) / per_item)[ratings.item]
        slopes = ratings.raters @ (basis * e[:, None])
        e = e - (basis * slopes[ratings.rater]).sum(axis=1)
        if np.abs(e - before).max(initial=0.0) < enough:
            break
    return np.asarray(e, dtype=float)


def within_raters(ratings: FittedRatings, covariates: Sequence[Floats]) -> Floats:
    """Ratings minus each rater's mean and slopes on covariates, shape (n,)."""
    basis = _rater_basis(ratings, covariates)
    e = ratings.value - ratings.value.mean()
    slopes = ratings.raters @ (basis * e[:, None])
    return np.asarray(e - (basis * slopes[ratings.rater]).sum(axis=1), dtype=float)


def squares_by_rater(
    term: Floats, *, rater: Integers, draw: Integers, n_raters: int
) -> tuple[Floats, Integers]:
    """Squares of terms summed within draws, summed by rater, and the number of draws, (M,)."""
    n_draws = int(draw.max(initial=0)) + 1
    pair, place = np.unique(rater * n_draws + draw, return_inverse=True)
    of_rater = pair // n_draws
    squares = np.bincount(of_rater, np.bincount(place, term) ** 2.0, n_raters)
    return np.asarray(squares, dtype=float), np.bincount(of_rater, minlength=n_raters)


def count_terms(term: npt.ArrayLike) -> int:
    """Number of terms that are more than what rounding leaves of 0.

    >>> count_terms(np.array([0.5, -2.0, 1e-16, 0.0]))
    2
    """
    size = np.abs(np.asarray(term, dtype=float))
    return int(np.count_nonzero(size > _ROUNDING * size.max(initial=0.0)))


def too_few_ratings(
    rater: Integers, draw: Integers, *, n_raters: int, least: int
) -> list[Reason | None]:
    """Reason why each rater has too few ratings, or ratings of too few draws, or None."""
    count = np.bincount(rater, minlength=n_raters)
    _, draws = squares_by_rater(np.ones(len(rater)), rater=rater, draw=draw, n_raters=n_raters)
    return [
        "too_few_ratings" if n < least else "fewer_than_two_draws" if n_draws < 2 else None
        for n, n_draws in zip(count.tolist(), draws.tolist(), strict=True)
    ]


def interval(value: Floats, error: Floats, df: npt.ArrayLike) -> Interval:
    """Values with their t intervals."""
    reach = stdtrit(_freedom(df), 0.975) * error
    return Interval(value, value - reach, value + reach)


def t_p_values(value: Floats, error: Floats, df: npt.ArrayLike, *, tail: Tail) -> Floats:
    """P-values of values; of both tails below .05 where `interval` does not contain 0.

    Where value and error are both 0 it is ``nan``.

    Examples
    --------
    >>> value, error = np.array([2.0, 0.1]), np.array([0.5, 0.5])
    >>> t_p_values(value, error, df=9, tail="both").round(3).tolist()
    [0.003, 0.846]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        t = value / error
    if tail == "both":
        return np.asarray(2 * stdtr(_freedom(df), -np.abs(t)))
    return np.asarray(stdtr(_freedom(df), -t if tail == "upper" else t))


def _freedom(df: npt.ArrayLike) -> Floats:
    return np.asarray(np.maximum(df, 1.0), dtype=float)


def _rater_basis(ratings: FittedRatings, covariates: Sequence[Floats]) -> Floats:
    """Columns, orthonormal within each rater, that span mean and covariates (n, k)."""
    count = np.bincount(ratings.rater, minlength=ratings.raters.shape[0]).astype(float)
    columns = [1 / np.sqrt(np.maximum(count, 1.0))[ratings.rater]]
    allowed = (count >= _LEAST)[ratings.rater]
    for covariate in covariates:
        remainder = np.where(allowed, covariate, 0.0)
        length = np.sqrt(ratings.raters @ remainder**2)
        for _ in range(2):  # twice is enough: one pass of Gram-Schmidt loses accuracy
            for column in columns:
                remainder = (
                    remainder - column * (ratings.raters @ (column * remainder))[ratings.rater]
                )
        norm = np.sqrt(ratings.raters @ remainder**2)
        safe = np.where(norm > 1e-8 * length, norm, np.inf)
        columns.append(remainder / safe[ratings.rater])
    return np.stack(columns, axis=1)
