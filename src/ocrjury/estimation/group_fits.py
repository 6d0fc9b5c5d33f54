"""Fit of every group of a sample: raters and slopes of the whole, residuals of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.errors import InputError
from ocrjury.estimation.greg import LEAST_FREEDOM, checked_auxiliary, regression
from ocrjury.estimation.headline import fit_rated
from ocrjury.estimation.linear_estimate import LinearMean
from ocrjury.estimation.rater_error import RatedFit
from ocrjury.estimation.rating_data import RatingData
from ocrjury.rater_model import AdditiveFit


@dataclass(frozen=True)
class Known:
    """Groups of a sample and what is known of them besides ratings.

    Attributes
    ----------
    order
        Groups in the order of their names.
    code
        Place of the group of each sampled item, -1 where it is of none.
    auxiliary
        Auxiliaries with a constant, of items and of groups; None without any.
    """

    order: list[object]
    code: Integers
    auxiliary: tuple[Floats, Mapping[object, Floats]] | None


@dataclass(frozen=True)
class GroupFits:
    """Fits of groups.

    Attributes
    ----------
    whole
        Fit of all rated items.
    name
        Of the estimator.
    inside
        Which rated items of the whole are of each group.
    by_group
        Fits of the groups that have a rated item.
    """

    whole: RatedFit
    name: str
    inside: Mapping[object, Booleans]
    by_group: Mapping[object, RatedFit]


def known_groups(
    group: "pd.Series[Any]",
    *,
    auxiliary: npt.ArrayLike | None,
    pool_means: Mapping[object, npt.ArrayLike] | None,
    of: Booleans | None = None,
) -> Known:
    """Groups by the name of each sampled item's; with ``of`` those of these items only."""
    names = [None if pd.isna(name) else name for name in group]
    counts = np.ones(len(names), dtype=bool) if of is None else of
    wanted = {name for name, own in zip(names, counts, strict=True) if own}
    order = sorted(wanted, key=lambda name: (name is None, str(name)))
    place = {name: number for number, name in enumerate(order)}
    code = [place[name] if own else -1 for name, own in zip(names, counts, strict=True)]
    known = _checked(auxiliary, pool_means, groups=order, n=len(names))
    return Known(order, np.array(code, dtype=np.int64), known)


def fit_groups(data: RatingData, groups: Known, *, additive: AdditiveFit) -> GroupFits:
    """Fits of groups; some sampled item needs a rating."""
    whole = fit_rated(data, None, additive)
    model = _model(whole, groups.auxiliary)
    at = groups.code[whole.rows]
    inside = {name: at == place for place, name in enumerate(groups.order)}
    fits = {
        name: _of_group(whole, model, own, predicted=model.predicted.get(name, 0.0))
        for name, own in inside.items()
        if own.any()
    }
    return GroupFits(whole, model.name, inside, fits)


@dataclass(frozen=True)
class _Model:
    """Regression on the auxiliaries: residual of every score, and prediction of each group.

    ``leverage`` is that of the rated items, shape (n,) as ``unexplained``.
    """

    name: str
    unexplained: Floats
    leverage: Floats
    predicted: Mapping[object, float]


def _model(whole: RatedFit, known: tuple[Floats, Mapping[object, Floats]] | None) -> _Model:
    """Regression over all rated items, or none where there is no auxiliary."""
    nothing = np.zeros(len(whole.y))
    plain = _Model("Hajek", whole.y, nothing, {})
    if known is None:
        return plain
    columns, means = known
    fitted = regression(columns[whole.rows], whole.y, 1 / whole.mean.pi)
    if fitted is None:
        return plain
    predicted = {name: float(fitted.slopes @ mean) for name, mean in means.items()}
    unexplained = whole.y - columns[whole.rows] @ fitted.slopes
    return _Model("GREG", unexplained, fitted.leverage, predicted)


def _of_group(whole: RatedFit, model: _Model, inside: Booleans, *, predicted: float) -> RatedFit:
    """Weighted mean of one group, and the ratings behind it."""
    pi, e = whole.mean.pi[inside], model.unexplained[inside]
    weight = 1 / pi / (1 / pi).sum()
    own = float(weight @ e)
    residual = (e - own) / np.maximum(1 - model.leverage[inside], LEAST_FREEDOM)
    if np.ptp(whole.y[inside]) == 0:
        residual = np.zeros(len(e))
    mean = LinearMean(weight, residual, pi, predicted + own, max(len(e) - 1, 1), model.name)
    cluster = None if whole.mean.cluster is None else whole.mean.cluster[inside]
    rows, y = whole.rows[inside], whole.y[inside]
    return RatedFit(whole.data, whole.additive, rows, y, mean.drawn_in(cluster))


def _checked(
    auxiliary: npt.ArrayLike | None,
    pool_means: Mapping[object, npt.ArrayLike] | None,
    *,
    groups: list[object],
    n: int,
) -> tuple[Floats, dict[object, Floats]] | None:
    """Auxiliaries with a constant, of items and of groups."""
    if auxiliary is None and pool_means is None:
        return None
    if auxiliary is None or pool_means is None:
        raise InputError("auxiliary and pool_means belong together; give both or neither.")
    absent = [name for name in groups if name not in pool_means]
    if absent:
        raise InputError(
            f"pool_means needs the means of every group drawn; {absent[0]!r} is absent. They are "
            "those of the columns over the group's documents in the whole pool."
        )
    full_means, columns = {}, np.empty((n, 0))
    for name in groups:
        columns, mean = checked_auxiliary(auxiliary, pool_means[name], n)
        full_means[name] = np.concatenate([[1.0], mean])
    return np.column_stack([np.ones(n), columns]), full_means
