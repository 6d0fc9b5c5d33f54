"""Mean of every group of the pool, such as a document type, borrowing strength from the whole."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Booleans, Floats
from ocrjury.columns import check_columns
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.greg import LEAST_FREEDOM, checked_auxiliary, regression
from ocrjury.estimation.interval import few_cases, is_share
from ocrjury.estimation.linear import LinearMean, no_items
from ocrjury.estimation.rated import WHOSE, additive_of, check_options, fit_rated
from ocrjury.estimation.rater_error import GoldLevel, RatedFit, Raters, gold_level, rated_interval
from ocrjury.estimation.rating_data import RatingData, rating_data
from ocrjury.estimation.strata import Population, Strata, checked_strata
from ocrjury.language import phrase

MIN_ITEMS = 20
"""With fewer rated documents of a group, its interval is a rough guide."""


def means_by_group(
    ratings: pd.DataFrame,
    *,
    items: pd.DataFrame,
    group: str,
    auxiliary: npt.ArrayLike | None = None,
    pool_means: Mapping[object, npt.ArrayLike] | None = None,
    gold: pd.DataFrame | None = None,
    raters: Raters = "others",
    strata: npt.ArrayLike | None = None,
    population: Population | None = None,
    confidence: float = 0.95,
) -> dict[object, Estimate]:
    """Mean rating of each group of the pool that was drawn.

    Raters are judged by all their ratings, not by the few in a group, and so is their level
    against gold and what the auxiliaries say about a score. What a group differs by is measured in
    the group alone.

    Parameters
    ----------
    ratings, gold, raters, strata, population, confidence
        As in `rated_mean`; ratings of 0 and 1 make shares.
    items
        As in `rated_mean`, with the column ``group``.
    group
        Name of that column, such as ``doc_type``; missing values are a group of their own, None.
    auxiliary
        As in `rated_mean`, shape (n, p); without it the Hajek mean of each group.
    pool_means
        Mean of each column over each whole group of the pool, {group: (p,)}.

    Returns
    -------
    dict
        By group, in the order of their names. Undefined as in `hajek_mean`; with fewer than 20
        rated documents a warning begins with "Too few items", and for a share with fewer than
        10 cases one begins with "Too few cases".

    Notes
    -----
    Domain regression estimator (Sarndal, Swensson and Wretman 1992, section 10.6): the group's mean
    prediction by slopes of the whole sample, and the weighted mean of its own residuals, which
    keeps it right where the slopes are wrong for the group. With strata the variance is that of a
    domain: the other documents of a stratum count with 0, because how many of the group were drawn
    there is a matter of chance (section 10.3).

    Examples
    --------
    >>> items = pd.DataFrame({"doc_id": list("abcd"), "inclusion_probability": 0.1,
    ...                       "doc_type": ["bill", "bill", "form", "form"]})
    >>> ratings = pd.DataFrame(
    ...     {"item": list("aabbccdd"), "rater": ["x", "y"] * 4, "rating": [5, 4, 3, 3, 1, 2, 5, 3]}
    ... )
    >>> means = means_by_group(ratings, items=items, group="doc_type", raters="these")
    >>> {name: round(estimate.value, 2) for name, estimate in means.items()}
    {'bill': 3.75, 'form': 2.75}
    """
    check_options(raters, confidence)
    check_columns(items, [group], "items")
    return group_means_of(
        rating_data(ratings, items, gold),
        items[group],
        auxiliary=auxiliary,
        pool_means=pool_means,
        design=checked_strata(strata, population, len(items)),
        raters=raters,
        confidence=confidence,
    )


def group_means_of(
    data: RatingData,
    group: "pd.Series[Any]",
    *,
    auxiliary: npt.ArrayLike | None,
    pool_means: Mapping[object, npt.ArrayLike] | None,
    design: Strata | None = None,
    raters: Raters = "others",
    confidence: float,
) -> dict[object, Estimate]:
    """`means_by_group` of data that were checked; ``group`` is that of each sampled item."""
    names = [None if pd.isna(name) else name for name in group]
    order = sorted(set(names), key=lambda name: (name is None, str(name)))
    known = _checked(auxiliary, pool_means, groups=order, n=len(data.pi))
    if not data.sampled.any():
        return dict.fromkeys(order, no_items(f"Hajek, {WHOSE[raters]}"))
    whole = fit_rated(data, None, additive_of(data, raters))
    model = _model(whole, known)
    code = np.array([order.index(names[row]) for row in whole.rows], dtype=np.int64)
    level = gold_level(whole)
    share = is_share(data.value[data.sampled])
    common = _Common(whole, model, level, raters, confidence, share, design)
    return {name: _of_group(common, code == place, name) for place, name in enumerate(order)}


@dataclass(frozen=True)
class _Model:
    """Regression on the auxiliaries: residual of every score, and prediction of each group.

    ``leverage`` is that of the rated items, shape (n,) as ``unexplained``.
    """

    name: str
    unexplained: Floats
    leverage: Floats
    predicted: Mapping[object, float]


@dataclass(frozen=True)
class _Common:
    """Fit and options shared by all groups."""

    whole: RatedFit
    model: _Model
    level: GoldLevel
    raters: Raters
    confidence: float
    share: bool
    design: Strata | None


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


def _of_group(common: _Common, inside: Booleans, name: object) -> Estimate:
    """Estimate of one group."""
    whole, model = common.whole, common.model
    corrected = ", gold-corrected" if common.level.part else ""
    method = f"{model.name} of the group, {WHOSE[common.raters]}{corrected}"
    if not inside.any():
        return no_items(method)
    pi, e = whole.mean.pi[inside], model.unexplained[inside]
    weight = 1 / pi / (1 / pi).sum()
    own = float(weight @ e)
    residual = (e - own) / np.maximum(1 - model.leverage[inside], LEAST_FREEDOM)
    if np.ptp(whole.y[inside]) == 0:
        residual = np.zeros(len(e))
    value = model.predicted.get(name, 0.0) + own
    n = int(inside.sum())
    mean = LinearMean(weight, residual, pi, value, max(n - 1, 1), model.name)
    cluster = None if whole.mean.cluster is None else whole.mean.cluster[inside]
    mean = mean.drawn_in(cluster)
    fit = RatedFit(whole.data, whole.additive, whole.rows[inside], whole.y[inside], mean)
    counted = fit if common.design is None else _in_strata(fit, whole, common.design, inside=inside)
    few = _few(fit, share=common.share)
    estimate = Estimate(
        value - common.level.shift,
        n_items=n,
        n_raters=fit.n_raters,
        n_ratings=int(np.isin(whole.data.item, fit.rows).sum()),
        method=method,
        warnings=few,
        few=bool(few),
    )
    return rated_interval(
        estimate,
        counted,
        level=common.level,
        raters=common.raters,
        share=common.share,
        confidence=common.confidence,
        whole=whole,
    )


def _in_strata(fit: RatedFit, whole: RatedFit, design: Strata, *, inside: Booleans) -> RatedFit:
    """Fit of a group with the other rated items of its strata, which count with 0."""
    code = design.code[whole.rows]
    near = np.isin(code, code[inside])
    weight, residual = np.zeros(len(near)), np.zeros(len(near))
    weight[inside], residual[inside] = fit.mean.weight, fit.mean.residual
    mean = replace(
        fit.mean,
        weight=weight[near],
        residual=residual[near],
        pi=whole.mean.pi[near],
        cluster=None if whole.mean.cluster is None else whole.mean.cluster[near],
    )
    rows = whole.rows[near]
    stratified = design.of(rows).stratify(mean)
    return RatedFit(whole.data, whole.additive, rows, whole.y[near], stratified)


def _few(fit: RatedFit, *, share: bool) -> tuple[str, ...]:
    """Warnings that the estimate of a group rests on too few items, or a share on too few cases."""
    n = len(fit.rows)
    few = phrase(
        "Too few items: {n} of this group are rated; under {enough} its interval is a rough guide.",
        n=n,
        enough=MIN_ITEMS,
    )
    return (*([few] if n < MIN_ITEMS else []), *(few_cases(fit.item_means) if share else ()))


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
