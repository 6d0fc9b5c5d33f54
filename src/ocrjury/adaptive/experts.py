"""Expert or further raters: bits per unit of cost, item by item.

The rule: an unsure item goes to the expert if a unit of cost is expected to buy more information
from the expert than from raters, or if raters cannot help: the item is at its cap, everyone has
rated it, or another rating would add almost nothing while the expert's decision would.
"""

from collections.abc import Collection, Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.adaptive.defaults import CAP, TARGET_CONFIDENCE
from ocrjury.adaptive.information import information_gain
from ocrjury.adaptive.rating_gain import first_gain, least_gain
from ocrjury.adaptive.rating_state import View, build_state, by_dimension
from ocrjury.adaptive.selection import Cap, caps_of, check_shares, rater_prices
from ocrjury.arrays import Booleans, Floats, Integers
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
    target_confidence: float = TARGET_CONFIDENCE,
    cap: Cap = CAP,
    cost: Mapping[Any, float] | None = None,
    weights: Mapping[Any, float] | None = None,
    raters: Collection[Hashable] | None = None,
) -> pd.DataFrame:
    """Choice between the expert and further raters for every unsure item, by gain per cost.

    Parameters
    ----------
    truth, table, target_confidence, cap, cost, weights, raters
        As in `ocrjury.adaptive.next_ratings`.
    expert_cost
        Price of one decision, in the unit of ``cost``: 3 is the price of three ratings.
    expert_accuracy
        Share of decisions that are right. The expert's errors are distributed over categories like
        those of a typical rater.

    Returns
    -------
    DataFrame
        Columns item, expert_gain, rater_gain (bits about whether the label is right; 0 where no
        rating can be collected), expert_per_cost, rater_per_cost, choice (``"expert"``,
        ``"raters"``, or ``"neither"`` if both would add almost nothing), reason (a clause in
        words); largest expert gain first.

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
    check_shares(target_confidence=target_confidence, expert_accuracy=expert_accuracy)
    if not 0 < expert_cost < np.inf:
        raise InputError(f"expert_cost must be a finite number above 0; found {expert_cost!r}.")
    state = build_state(by_dimension(truth, table), weights, raters_left=raters)
    items = np.flatnonzero(state.unsure(target_confidence))
    price = rater_prices(state, cost)[items]
    caps = caps_of(state, cap)[items]
    at_cap = state.n_ratings[items] >= caps
    all_rated = state.free_raters()[items] == 0
    expert = np.zeros(len(items))
    for view in state.views:
        decision = expert_confusion(view, expert_accuracy)
        expert += view.weight * information_gain(view.probabilities[items], decision)
    rater = np.where(at_cap | all_rated, 0.0, first_gain(state, items))
    least = least_gain(state)
    better = (expert >= least) & ((rater < least) | (expert / expert_cost > rater / price))
    neither = ~better & (rater < least)
    reasons = _reasons(
        better, at_cap=at_cap, all_rated=all_rated, little_gain=rater < least, caps=caps
    )
    choice = np.select([better, neither], [EXPERT, NEITHER], default=RATERS)
    choices = pd.DataFrame(
        {
            "item": pd.Series([state.items[place] for place in items.tolist()], dtype=object),
            "expert_gain": expert,
            "rater_gain": rater,
            "expert_per_cost": expert / expert_cost,
            "rater_per_cost": rater / price,
            "choice": choice,
            "reason": reasons,
        }
    )
    order = np.lexsort((np.arange(len(items)), -np.round(expert, 9)))
    return choices.iloc[order].reset_index(drop=True).infer_objects()


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
    better: Booleans,
    *,
    at_cap: Booleans,
    all_rated: Booleans,
    little_gain: Booleans,
    caps: Integers,
) -> list[str]:
    """Reason for each item's choice."""
    full = np.array([f"the item is at its cap of {cap} ratings" for cap in caps], dtype=object)
    reasons = np.select(
        [
            better & at_cap,
            better & all_rated,
            better & little_gain,
            better,
            at_cap,
            all_rated,
            little_gain,
        ],
        [
            full,
            "every rater has rated the item",
            "another rating would add almost no information",
            "a decision adds more information for the price",
            full + ", and a decision would add almost nothing",
            "every rater has rated the item, and a decision would add almost nothing",
            "neither a decision nor another rating would add information",
        ],
        default="another rating adds more information for the price",
    )
    return [str(reason) for reason in reasons]
