"""When an adjudicator is worth more than further raters: bits per unit of cost, item by item.

The rule: an unsure item goes to the expert where a unit of money spent on the expert is expected to
tell more than one spent on raters, or where raters can say no more: the item is at its cap,
everyone has rated it, or another rating would tell next to nothing while the expert's would.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.adaptive.information import information_gain
from ocrjury.adaptive.panel import (
    Booleans,
    Floats,
    Integers,
    Panel,
    View,
    build_panel,
    by_dimension,
)
from ocrjury.adaptive.prices import rater_prices
from ocrjury.adaptive.rating_gain import first_gain, least_gain
from ocrjury.adaptive.selection import check_numbers
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

EXPERT, RATERS, NEITHER = "expert", "raters", "neither"


def price_experts(
    truth: Truth | Mapping[Any, Truth],
    table: RatingTable | Mapping[Any, RatingTable],
    *,
    expert_cost: float,
    expert_accuracy: float = 0.95,
    target_confidence: float = 0.9,
    cap: int = 6,
    cost: Mapping[Any, float] | None = None,
    weights: Mapping[Any, float] | None = None,
) -> pd.DataFrame:
    """Return, for every unsure item, whether the expert or further raters are worth their price.

    Parameters
    ----------
    truth, table, target_confidence, cap, cost, weights
        As of `ocrjury.adaptive.next_ratings`.
    expert_cost
        Price of one decision, in the unit of ``cost``: 3 costs as much as three ratings.
    expert_accuracy
        Share of decisions that are right. The expert's errors spread over categories like those of
        a typical rater.

    Returns
    -------
    DataFrame
        Columns item, expert_gain, rater_gain (bits about whether the label is right; 0 where no
        rating can be asked for), expert_per_cost, rater_per_cost, choice (``"expert"``,
        ``"raters"``, or ``"neither"`` if both would tell next to nothing), reason (a clause in
        words); the dearest doubts first.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> from ocrjury.truth import dawid_skene
    >>> t = RatingTable.from_matrix(
    ...     [[1, 1, 1], [0, 0, 0], [1, 0, None], [1, 1, 1]], scale=Scale.binary()
    ... )
    >>> truth = dawid_skene(t)
    >>> price_experts(truth, t, expert_cost=20)["choice"].tolist()
    ['raters']
    >>> price_experts(truth, t, expert_cost=1, cap=2)[["choice", "reason"]].to_numpy().tolist()
    [['expert', 'the item is at its cap of 2 ratings']]
    """
    check_numbers(budget=0, cap=cap, target_confidence=target_confidence)
    _check_expert(expert_cost, expert_accuracy)
    panel = build_panel(by_dimension(truth, table), weights)
    items = np.flatnonzero(panel.unsure(target_confidence))
    price = rater_prices(panel, cost)[items]
    full = panel.n_ratings[items] >= cap
    nobody = panel.free_raters()[items] == 0
    expert = _expert_gain(panel, items, expert_accuracy)
    rater = np.where(full | nobody, 0.0, first_gain(panel, items))
    least = least_gain(panel)
    better = (expert >= least) & ((rater < least) | (expert / expert_cost > rater / price))
    neither = ~better & (rater < least)
    reasons = _reasons(better, full=full, nobody=nobody, silent=rater < least, cap=cap)
    choice = np.select([better, neither], [EXPERT, NEITHER], default=RATERS)
    found = pd.DataFrame(
        {
            "item": pd.Series([panel.items[place] for place in items.tolist()], dtype=object),
            "expert_gain": expert,
            "rater_gain": rater,
            "expert_per_cost": expert / expert_cost,
            "rater_per_cost": rater / price,
            "choice": choice,
            "reason": reasons,
        }
    )
    order = np.lexsort((np.arange(len(items)), -np.round(expert, 9)))
    return found.iloc[order].reset_index(drop=True).infer_objects()


def _expert_gain(panel: Panel, items: Integers, accuracy: float) -> Floats:
    """Weighted gain of one decision, shape (n,)."""
    total = np.zeros(len(items))
    for view in panel.views:
        confusion = expert_confusion(view, accuracy)
        total += view.weight * information_gain(view.probabilities[items], confusion)
    return total


def expert_confusion(view: View, accuracy: float) -> Floats:
    """Confusion matrix of an expert of known accuracy, shape (K, K)."""
    n_categories = len(view.typical)
    if n_categories == 1:
        return np.ones((1, 1))
    errors = view.typical * (1 - np.eye(n_categories))
    total = errors.sum(axis=1, keepdims=True)
    evenly = (1 - np.eye(n_categories)) / (n_categories - 1)
    spread = np.divide(errors, total, out=evenly, where=total > 0)
    return np.asarray(accuracy * np.eye(n_categories) + (1 - accuracy) * spread)


def _reasons(
    better: Booleans, *, full: Booleans, nobody: Booleans, silent: Booleans, cap: int
) -> list[str]:
    """Why each item goes where it goes."""
    reasons = np.select(
        [better & full, better & nobody, better & silent, better, full, nobody, silent],
        [
            f"the item is at its cap of {cap} ratings",
            "every rater has rated the item",
            "another rating would tell next to nothing",
            "the expert tells more for the price",
            f"the item is at its cap of {cap} ratings, and the expert would tell next to nothing",
            "every rater has rated the item, and the expert would tell next to nothing",
            "neither the expert nor another rating would tell anything",
        ],
        default="another rating tells more for the price",
    )
    return [str(reason) for reason in reasons]


def _check_expert(cost: float, accuracy: float) -> None:
    """Raise if the expert's price or accuracy is out of range."""
    if not 0 < cost < np.inf:
        raise InputError(f"expert_cost must be a finite number above 0; found {cost!r}.")
    if not 0 <= accuracy <= 1:
        raise InputError(f"expert_accuracy must be between 0 and 1; found {accuracy!r}.")
