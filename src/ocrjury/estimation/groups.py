"""Mean of every group of the pool, such as a document type, borrowing strength from the whole."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Booleans
from ocrjury.columns import check_columns
from ocrjury.estimate import Estimate
from ocrjury.estimation.gold import GoldLevel
from ocrjury.estimation.group_fits import GroupFits, fit_groups, known_groups
from ocrjury.estimation.headline import WHOSE, additive_of, check_options
from ocrjury.estimation.interval import GOLD_CORRECTED, MIN_ITEMS, few_cases, nearest_share
from ocrjury.estimation.linear_estimate import no_items
from ocrjury.estimation.rater_error import RatedFit, Raters, gold_level, rated_interval
from ocrjury.estimation.rating_data import RatingData, rating_data
from ocrjury.estimation.strata import Population, Strata, checked_strata
from ocrjury.estimation.tastes import Tastes, tastes_between
from ocrjury.language import phrase
from ocrjury.rater_model import AdditiveFit


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
        10 cases one begins with "Too few cases". No interval either where all documents of a group
        are rated alike (``items_alike``), which does not prove that its others are, unless it is a
        share.

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
    of: Booleans | None = None,
    additive: AdditiveFit | None = None,
    design: Strata | None = None,
    raters: Raters = "others",
    confidence: float,
) -> dict[object, Estimate]:
    """`means_by_group` of data that were checked; ``group`` is that of each sampled item.

    With ``of`` the groups are of these items only, and ``additive`` judges the raters otherwise
    than by these ratings.
    """
    groups = known_groups(group, auxiliary=auxiliary, pool_means=pool_means, of=of)
    if not data.sampled.any():
        return dict.fromkeys(groups.order, no_items(f"Hajek, {WHOSE[raters]}"))
    fits = fit_groups(data, groups, additive=additive or additive_of(data, raters))
    level = gold_level(fits.whole)
    tastes = tastes_between(fits.by_group.values())
    common = _Common(fits, level, tastes, raters, confidence, data.shares, design)
    return {name: _of_group(common, name) for name in groups.order}


@dataclass(frozen=True)
class _Common:
    """Fit and options shared by all groups."""

    fits: GroupFits
    level: GoldLevel
    tastes: Tastes | None
    raters: Raters
    confidence: float
    share: bool
    design: Strata | None


def _of_group(common: _Common, name: object) -> Estimate:
    """Estimate of one group."""
    whole, inside = common.fits.whole, common.fits.inside[name]
    method = f"{common.fits.name} of the group, {WHOSE[common.raters]}"
    if not inside.any():
        return no_items(method)
    fit = common.fits.by_group[name]
    level = common.level.of_share(fit.mean.value) if common.share else common.level
    beyond = () if level is common.level else level.warnings
    counted = fit if common.design is None else _in_strata(fit, whole, common.design, inside=inside)
    few = _few(fit, share=common.share)
    value = nearest_share(fit.mean.value) if common.share else fit.mean.value
    estimate = Estimate(
        value - level.shift,
        n_items=len(fit.rows),
        n_raters=fit.n_raters,
        n_ratings=int(np.isin(whole.data.item, fit.rows).sum()),
        method=f"{method}, {GOLD_CORRECTED}" if level.part else method,
        warnings=(*few, *beyond),
        few=bool(few),
        gold_corrected=level.part is not None,
    )
    with_range = rated_interval(
        estimate,
        counted,
        level=level,
        raters=common.raters,
        share=common.share,
        confidence=common.confidence,
        whole=whole,
        tastes=None if common.tastes is None else common.tastes.of(fit),
    )
    if common.share or with_range.reason or not _are_alike(fit):
        return with_range
    return replace(with_range, low=math.nan, high=math.nan, se=math.nan, reason="items_alike")


def _are_alike(fit: RatedFit) -> bool:
    """Return whether a group's documents are all rated alike while it may have others."""
    return bool(np.ptp(fit.item_means) == 0 and (fit.mean.pi < 1).any())


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
