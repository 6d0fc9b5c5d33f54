"""Additive model of ratings: item plus rater plus error, with variance components.

Model: y_ir = mu_i + b_r + e_ir for n ratings of N items by M raters, on any incomplete design.
A severity b_r is a shift of the rating: below 0 the rater is stricter than the others. Raters may
count with unequal weights w_r.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ocrjury.arrays import Floats, Integers, as_written
from ocrjury.errors import InputError
from ocrjury.rater_model.laplacian import (
    DENSE,
    group_means,
    pseudo_inverse,
    raters_laplacian,
    solve,
)
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table


@dataclass(frozen=True, slots=True, eq=False)
class AdditiveFit:
    """Item and rater effects of one set of ratings, and their variance components.

    Attributes
    ----------
    item_effect
        Score of each item at the average severity of its raters' group, shape (N,); ``nan``
        for an item without ratings.
    severity
        Shift of each rater, shape (M,), with (weighted) mean 0 within each group, so 0 for a rater
        who is a group alone; ``nan`` for a rater without ratings.
    severity_error
        Standard error of each severity, shape (M,); ``nan`` where the residual variance is, and
        for a rater who is a group alone: nothing shows that severity.
    residual
        Rating minus item effect minus severity, shape (n,).
    group
        Number of the connected group of each rater, shape (M,). Severities are comparable
        only within a group: no chain of common items connects two groups.
    weight
        Weight of each rater, shape (M,).
    df
        Degrees of freedom of the residuals.
    residual_variance, rater_variance, item_variance
        Variance components, never below 0; ``nan`` where the design does not identify them. The
        residual variance is that of a rater of weight 1.
    severity_variance
        The rater variance with the noise of the severities still in it.
    laplacian
        Information of the severities in units of the residual variance, shape (M, M).
    """

    item_effect: Floats
    severity: Floats
    severity_error: Floats
    residual: Floats
    group: Integers
    weight: Floats
    df: int
    residual_variance: float
    rater_variance: float
    item_variance: float
    severity_variance: float
    laplacian: sparse.csr_array

    @property
    def n_groups(self) -> int:
        """Number of groups of raters that are not connected by common items."""
        return int(self.group.max()) + 1 if len(self.group) else 0

    @property
    def connected(self) -> bool:
        """Whether all raters can be compared with each other."""
        return self.n_groups <= 1

    def contrast_variance(self, coefficient: npt.ArrayLike) -> float:
        """Error variance of a linear combination of severities.

        Parameters
        ----------
        coefficient
            Shape (M,), summing to 0 within each group.
        """
        c = np.asarray(coefficient, dtype=float)
        solved = solve(self.laplacian, c, group=self.group)
        return self.residual_variance * max(0.0, float(c @ solved))


def fit_additive_table(table: RatingTable) -> AdditiveFit:
    """Additive fit of a table of ratings; repeated ratings are allowed.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[4, 5], [2, 3], [3, 4]], scale=Scale.likert(1, 5))
    >>> fit_additive_table(table).severity.round(6).tolist()
    [-0.5, 0.5]
    """
    check_table(table, "fit_additive_table")
    return fit_additive(
        table.item, table.rater, table.values, n_items=table.n_items, n_raters=table.n_raters
    )


def fit_additive(
    item: npt.ArrayLike,
    rater: npt.ArrayLike,
    value: npt.ArrayLike,
    *,
    n_items: int | None = None,
    n_raters: int | None = None,
    rater_weight: npt.ArrayLike | None = None,
) -> AdditiveFit:
    """Item effects, severities and variance components by least squares.

    Parameters
    ----------
    item, rater
        Place of each rating's item and rater from 0, shape (n,).
    value
        The ratings, shape (n,), finite.
    n_items, n_raters
        N and M; by default one more than the largest place.
    rater_weight
        Weight of each rater, shape (M,), above 0; None: 1 for all.

    Notes
    -----
    Item effects are eliminated first, which leaves the Laplacian of the raters' graph: a system
    of M equations that is singular once per connected group, where the mean is set to 0. Which
    raters are connected is read from the design, never from the size of a number. The
    components are unbiased moments: the sum of squared severities estimates the rater variance
    after subtracting the contribution of the residual variance (Searle, Casella and McCulloch 1992,
    Variance Components, chapter 5). On a complete table with equal weights they
    equal those of the two-way analysis of variance.
    """
    i, r, y = _checked(item, rater, value)
    n_items, n_raters = _count(i, n_items, "n_items"), _count(r, n_raters, "n_raters")
    weight = _weights(rater_weight, n_raters)
    w = weight[r]
    per_item = np.bincount(i, w, n_items).astype(float)
    laplacian = raters_laplacian(i, r, w, shape=(n_items, n_raters))
    # A symmetric graph is strongly connected where it is connected, which is seen in less time.
    n_groups, group = connected_components(laplacian, connection="strong")
    if n_groups > 1:  # numbered as their first raters come
        group = connected_components(laplacian, directed=False)[1]
    group = group.astype(np.int64)
    inverse = pseudo_inverse(laplacian, group) if n_raters <= DENSE else None
    seen = np.bincount(r, minlength=n_raters) > 0
    with np.errstate(invalid="ignore"):
        mean = np.bincount(i, w * y, n_items) / per_item
        right = np.bincount(r, w * (y - mean[i]), n_raters).astype(float)
        severity = solve(laplacian, right, group=group, inverse=inverse)
        severity -= group_means(severity, group, weight * seen)
        effect = np.bincount(i, w * (y - severity[r]), n_items) / per_item
    residual = y - effect[i] - severity[r]
    contrasts = int(seen.sum()) - len(np.unique(group[seen]))
    df = len(y) - int((per_item > 0).sum()) - contrasts
    noise = float(w @ residual**2) / df if df > 0 else np.nan
    compared = np.bincount(group[seen], minlength=n_raters)[group] > 1
    spread = _centred_spread(laplacian, group, weight * seen, inverse=inverse)
    between, measured = _rater_variance(severity, noise * spread, group=group, weight=weight * seen)
    return AdditiveFit(
        item_effect=effect,
        severity=np.where(seen, severity, np.nan),
        severity_error=np.where(compared, np.sqrt(noise * spread), np.nan),
        residual=residual,
        group=group,
        weight=weight,
        df=df,
        residual_variance=noise,
        rater_variance=between,
        item_variance=_item_variance(effect, per_item, noise),
        severity_variance=measured,
        laplacian=laplacian,
    )


def _centred_spread(
    laplacian: sparse.csr_array, group: Integers, weight: Floats, *, inverse: Floats | None
) -> Floats:
    """Variance of each centred severity in units of the residual variance (M,)."""
    n_raters = len(group)
    if inverse is None:
        information = laplacian.diagonal()
        safe = np.where(information > 0, information, 1.0)
        return np.asarray(np.where(information > 0, 1 / safe, 0.0), dtype=float)
    same = group[:, None] == group
    total = np.maximum(same @ weight, 1e-300)
    centre = np.eye(n_raters) - same * weight / total[:, None]
    spread = (centre @ inverse * centre).sum(axis=1)
    return np.asarray(np.clip(spread, 0.0, None), dtype=float)


def _rater_variance(
    severity: Floats, error: Floats, *, group: Integers, weight: Floats
) -> tuple[float, float]:
    """Moment estimate of the rater variance, and what it is with the noise of the severities.

    Within a group, the weighted mean of squared severities is on average the rater variance times
    1 - sum(omega^2), plus the weighted mean of their error variances.
    """
    total = np.bincount(group, weight, len(group))[group]
    omega = np.divide(weight, total, out=np.zeros(len(group)), where=total > 0)
    members = np.bincount(group, weight > 0, len(group))[group]
    free = float((members * omega * (1 - omega)).sum())
    if free <= 1e-12 or not np.isfinite(error).all():
        return np.nan, np.nan
    share = members * omega / free
    return max(0.0, float(share @ (severity**2 - error))), float(share @ severity**2)


def _item_variance(effect: Floats, per_item: Floats, noise: float) -> float:
    """Moment estimate of the item variance."""
    rated = per_item > 0
    if rated.sum() < 2 or np.isnan(noise):
        return np.nan
    return max(0.0, float(effect[rated].var(ddof=1) - (noise / per_item[rated]).mean()))


def _weights(rater_weight: npt.ArrayLike | None, n_raters: int) -> Floats:
    """Weight of each rater."""
    if rater_weight is None:
        return np.ones(n_raters)
    weight = np.asarray(rater_weight, dtype=float)
    if weight.shape != (n_raters,) or not (np.isfinite(weight) & (weight > 0)).all():
        raise InputError(
            f"rater_weight needs {n_raters} finite numbers above 0; found shape {weight.shape}"
            f"{f', smallest {weight.min():g}' if weight.size else ''}."
        )
    return weight


def _checked(
    item: npt.ArrayLike, rater: npt.ArrayLike, value: npt.ArrayLike
) -> tuple[Integers, Integers, Floats]:
    """Items, raters and values as arrays."""
    i, r = np.asarray(item, dtype=np.int64), np.asarray(rater, dtype=np.int64)
    y = np.asarray(value, dtype=float)
    if not (i.shape == r.shape == y.shape and y.ndim == 1):
        raise InputError(
            f"item, rater and value need one entry per rating each; found shapes {i.shape}, "
            f"{r.shape} and {y.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(y) | (i < 0) | (r < 0))
    if len(bad):
        raise InputError(
            f"{len(bad)} rating(s) are not finite or have a place below 0; the first is "
            f"value {as_written(y[bad[0]])!r} at place {bad[0]}. Leave missing ratings out."
        )
    return i, r, y


def _count(places: Integers, given: int | None, name: str) -> int:
    """Number of items or raters, checked against the places."""
    needed = int(places.max()) + 1 if len(places) else 0
    if given is None:
        return needed
    if given < needed:
        raise InputError(f"{name} is {given}, but the places go up to {needed - 1}.")
    return given
