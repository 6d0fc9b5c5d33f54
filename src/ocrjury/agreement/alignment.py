"""A^HA, the agreement of an automatic judge with humans of the GDPval paper."""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ocrjury.agreement.intervals import (
    IntervalOptions,
    Sizes,
    effective_draws,
    resampled,
    undefined,
)
from ocrjury.agreement.patterns import clusters_of, usable
from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable
from ocrjury.resampling import SummedStatistic

Scores: TypeAlias = "Mapping[Hashable, Any] | pd.Series[Any] | Sequence[Any]"


def judge_alignment(table: RatingTable, scores: Scores) -> Estimate:
    """A^HA: mean nearness of an automatic judge's scores to the raters' ratings.

    Parameters
    ----------
    scores
        The judge's score of each item on the raters' scale, by item (a mapping or a series)
        or in the order of ``table.items``; an item without a score (absent, None or ``nan``)
        is left out.
        On ordered scales a score may be fractional.

    Returns
    -------
    Estimate
        In [0, 1], with a jackknife interval over items. Compare it with `human_agreement`,
        its ceiling. ``nan`` with reason ``no_items`` if no rated item has a score.

    Raises
    ------
    InputError
        If a score lies outside the scale, or a sequence does not have N scores.

    Notes
    -----
    Patwardhan et al. (2025), GDPval, arXiv:2510.04374: A = E[1 - |H - J|], mean over the humans
    of an item, then over items.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[4, 5], [1, 2]], scale=Scale.likert(1, 5))
    >>> judge_alignment(table, [4, 2]).value
    0.875
    """
    table = usable(table, "judge_alignment")
    score = scores_on_scale(table, scores, who="judge_alignment")
    nearness = _nearness(table, score[table.item])
    known = ~np.isnan(nearness)
    item = table.item[known]
    size = np.bincount(item, minlength=table.n_items)
    total = np.bincount(item, weights=nearness[known], minlength=table.n_items)
    weight = np.ones(table.n_items) if table.item_weight is None else table.item_weight
    keep = size > 0
    n_raters = np.count_nonzero(np.bincount(table.rater[known], minlength=1))
    cluster = clusters_of(table, keep)
    n_clusters = None if cluster is None else len(np.unique(cluster))
    n = Sizes(
        int(keep.sum()),
        int(n_raters),
        int(size[keep].sum()),
        n_clusters,
        effective_draws(table, keep),
    )
    if not n.n_items:
        return undefined(table, "no_items", "A^HA")
    features = np.column_stack([total[keep] / size[keep], np.ones(n.n_items)])
    statistic = SummedStatistic(
        features * weight[keep, None],
        np.ones(n.n_items),
        lambda sums: sums[:, 0] / sums[:, 1],
        cluster=cluster,
    )
    options = IntervalOptions("jackknife")
    return resampled(statistic, n, method="A^HA", options=options, share=True)


def scores_on_scale(table: RatingTable, scores: Scores, *, who: str) -> Floats:
    """Score of every item as a number or a code, ``nan`` without one; ``who`` names the caller."""
    return _numbers(table, _in_order(table, scores, who=who))


def _in_order(table: RatingTable, scores: Scores, *, who: str) -> list[Any]:
    """Scores in the order of the table's items, None where there is none."""
    if isinstance(scores, pd.Series) and not scores.index.is_unique:
        repeated = scores.index[scores.index.duplicated()][0]
        raise InputError(f"{who} needs one score per item; the series has several of {repeated!r}.")
    if isinstance(scores, Mapping | pd.Series):
        return [scores.get(item) for item in table.items]
    if isinstance(scores, str) or len(scores) != table.n_items:
        raise InputError(
            f"{who} needs one score per item of the table ({table.n_items}); found "
            f"{len(scores)}. Pass a mapping from item to score to leave items out."
        )
    return list(scores)


def _numbers(table: RatingTable, scores: list[Any]) -> Floats:
    """Scores as numbers on the scale, ``nan`` where there is none."""
    scale = table.scale
    numbers = np.full(len(scores), np.nan)
    for place, score in enumerate(scores):
        if _is_missing(score):
            continue
        number = _number(score) if scale.ordered else float(_code(table, score))
        inside = scale.low <= number <= scale.high if scale.ordered else number >= 0
        if not inside:
            raise InputError(
                f"score {score!r} of item {table.items[place]!r} lies outside the raters' scale "
                f"({scale}). Bring the judge's scores onto that scale first."
            )
        numbers[place] = number
    return numbers


def _is_missing(score: Any) -> bool:
    """Return whether a score is missing: None, ``nan`` of any kind, or pandas' missing value."""
    missing = pd.isna(score)
    return isinstance(missing, bool) and missing


def _number(score: Any) -> float:
    """Score as a number, ``nan`` (outside every scale) if it is not one."""
    if isinstance(score, int | float | np.number | np.bool_):
        return float(score)
    return math.nan


def _code(table: RatingTable, score: Any) -> int:
    """Code of a category on the scale, -1 if the scale does not have it."""
    try:
        return table.scale.codes.get(score, -1)
    except TypeError:  # a list or the like
        return -1


def _nearness(table: RatingTable, score: Floats) -> Floats:
    """One minus the distance between each rating and the score of its item, shape (n,)."""
    if not table.scale.ordered:
        return np.where(np.isnan(score), np.nan, (table.values == score).astype(float))  # noqa: PD011  # no pandas object
    span = table.scale.high - table.scale.low
    return np.asarray(1 - np.abs(table.values - score) / span)  # noqa: PD011  # no pandas object
