"""How far each rating lies from those of colleagues on the same item.

Model y_ir = mu_i + b_r + e_ir of `ocrjury.rater_model`. A rating's deviation from the mean of its
item's other ratings, all after severities, is m e / (m - 1) where the item has m ratings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.stats import t as student

from ocrjury.bias.findings import Reason
from ocrjury.bias.submissions import Booleans, Floats, Integers, Submissions
from ocrjury.rater_model import AdditiveFit, fit_additive, fit_reliable

_LEAST = 20  # ratings of a rater from which slopes are taken out
_ROUNDS = 200
_MANY = 100  # raters


class Interval(NamedTuple):
    """Values with their 95 % confidence bounds, each of shape (T,)."""

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """n ratings on one dimension, or on all together, and their additive fit.

    Attributes
    ----------
    rows
        Submission of each rating, shape (n,).
    item, rater, value
        Shape (n,).
    size
        Ratings of its item, m, shape (n,).
    fit
        The additive fit.
    raters
        1 where a rating is of a rater, shape (M, n).
    dimension
        None for all together.
    """

    rows: Integers
    item: Integers
    rater: Integers
    value: Floats
    size: Integers
    fit: AdditiveFit
    raters: sparse.csr_array
    dimension: str | None = None

    @property
    def paired(self) -> Booleans:
        """Which ratings have a colleague's beside them, shape (n,)."""
        return np.asarray(self.size >= 2)

    @property
    def common(self) -> Integers:
        """How many items each rater shares with a colleague, shape (M,)."""
        return np.bincount(self.rater[self.paired], minlength=self.raters.shape[0])

    @property
    def varies(self) -> bool:
        """Whether raters ever differ by more than their severities."""
        extent = float(np.ptp(self.value)) if len(self.value) else 0.0
        return bool(np.abs(self.fit.residual).max(initial=0.0) > 1e-9 * max(extent, 1e-9))

    @property
    def why_flat(self) -> Reason:
        """Why there is nothing to explain where raters never differ."""
        return "no_disagreement" if np.ptp(self.value) > 0 else "no_variation"

    def deviation(self) -> Floats:
        """Each rating less the mean of colleagues', after severities (n,); 0 if alone."""
        return self.from_colleagues(self.fit.residual)

    def from_colleagues(self, residual: Floats) -> Floats:
        """Return what residuals from the item's mean are as distances from colleagues (n,)."""
        return np.asarray(residual * self.size / np.maximum(self.size - 1, 1), dtype=float)

    def reliable_level(self) -> Floats:
        """Effect of each rating's item, in which raters who scatter count less (n,).

        Their errors would leave a part of the items' quality in everybody's residuals. Among very
        many raters none counts for much.
        """
        n_items, n_raters = len(self.fit.item_effect), self.raters.shape[0]
        if n_raters > _MANY:
            return self.fit.item_effect[self.item]
        fit = fit_reliable(self.item, self.rater, self.value, n_items=n_items, n_raters=n_raters)
        return fit.item_effect[self.item]

    def residual_of(self, covariate: Floats) -> Floats:
        """Covariate less its item and rater effects, shape (n,)."""
        return fit_additive(
            self.item,
            self.rater,
            covariate,
            n_items=len(self.fit.item_effect),
            n_raters=self.raters.shape[0],
        ).residual


def panel_of(submissions: Submissions, value: Floats, dimension: str | None = None) -> Panel:
    """Panel of one value per submission, ``nan`` where there is none."""
    rows = np.flatnonzero(np.isfinite(value))
    item, rater, y = submissions.item[rows], submissions.rater[rows], value[rows]
    n, n_raters = len(rows), submissions.n_raters
    fit = fit_additive(item, rater, y, n_items=submissions.n_items, n_raters=n_raters)
    size = np.bincount(item, minlength=max(submissions.n_items, 1))[item]
    raters = sparse.csr_array((np.ones(n), (rater, np.arange(n))), shape=(n_raters, n))
    return Panel(rows, item, rater, y, size, fit, raters, dimension)


def purge(panel: Panel, covariates: Sequence[Floats]) -> Floats:
    """Ratings less their item, and less each rater's mean and slopes on covariates.

    Parameters
    ----------
    covariates
        Each of shape (n,). A rater with fewer than 20 ratings has a mean only.

    Returns
    -------
    ndarray
        Residuals of the joint least-squares fit, shape (n,), reached by projecting on items and
        on raters in turn.
    """
    basis = _rater_basis(panel, covariates)
    per_item = np.bincount(panel.item).astype(float)
    per_item[per_item == 0] = 1.0
    e = panel.value - panel.value.mean()
    enough = 1e-7 * max(float(np.ptp(panel.value)), 1e-12)
    for _ in range(_ROUNDS):
        before = e
        e = e - (np.bincount(panel.item, e) / per_item)[panel.item]
        slopes = panel.raters @ (basis * e[:, None])
        e = e - (basis * slopes[panel.rater]).sum(axis=1)
        if np.abs(e - before).max(initial=0.0) < enough:
            break
    return np.asarray(e, dtype=float)


def within_raters(panel: Panel, covariates: Sequence[Floats]) -> Floats:
    """Ratings less each rater's mean and slopes on covariates, shape (n,)."""
    basis = _rater_basis(panel, covariates)
    e = panel.value - panel.value.mean()
    slopes = panel.raters @ (basis * e[:, None])
    return np.asarray(e - (basis * slopes[panel.rater]).sum(axis=1), dtype=float)


def interval(value: Floats, error: Floats, *, df: npt.ArrayLike) -> Interval:
    """Values with their t intervals."""
    freedom = np.maximum(np.asarray(df, dtype=float), 1.0)
    reach = student.ppf(0.975, freedom) * error
    return Interval(value, value - reach, value + reach)


def _rater_basis(panel: Panel, covariates: Sequence[Floats]) -> Floats:
    """Columns, orthonormal within each rater, that span mean and covariates (n, k)."""
    count = np.bincount(panel.rater, minlength=panel.raters.shape[0]).astype(float)
    columns = [1 / np.sqrt(np.maximum(count, 1.0))[panel.rater]]
    allowed = (count >= _LEAST)[panel.rater]
    for covariate in covariates:
        rest = np.where(allowed, covariate, 0.0)
        length = np.sqrt(panel.raters @ rest**2)
        for _ in range(2):  # twice is enough: Gram-Schmidt loses accuracy once
            for column in columns:
                rest = rest - column * (panel.raters @ (column * rest))[panel.rater]
        left = np.sqrt(panel.raters @ rest**2)
        safe = np.where(left > 1e-8 * length, left, np.inf)
        columns.append(rest / safe[panel.rater])
    return np.stack(columns, axis=1)
