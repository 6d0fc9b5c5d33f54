"""The items of the next round: where one more rating is expected to tell most for its price."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.adaptive.information import (
    count_outcomes,
    expected_confidence,
    information_gain,
    repeated_outcomes,
)
from ocrjury.adaptive.panel import (
    Booleans,
    Floats,
    Integers,
    Panel,
    build_panel,
    by_dimension,
)
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

_LEAST_GAIN = 1e-9  # bits; below, another rating tells nothing
_LATER = 0.5  # worth of a bit that a later round could ask for as well
_MOST_CELLS = 20_000_000  # items times outcomes looked at together


def next_ratings(
    truth: Truth | Mapping[Any, Truth],
    table: RatingTable | Mapping[Any, RatingTable],
    *,
    budget: int,
    target_confidence: float = 0.9,
    cap: int = 6,
    explore: float = 0.2,
    cost: Mapping[Any, float] | None = None,
    weights: Mapping[Any, float] | None = None,
    seed: int,
) -> pd.DataFrame:
    """Return the ratings to ask for next, the most informative for their price first.

    An item below the target confidence may be asked about more than once, as long as it is expected
    to stay below the target after the ratings already asked for. Each further rating counts half of
    what it adds to them, and the next one half of that, because a later round could still ask for
    it and would know what the others said. A share of the budget goes to items drawn at random, so
    that confident errors come to light and the model can be checked against a sample.

    Parameters
    ----------
    truth, table
        Truth and the ratings it was inferred from, or one of each per dimension.
    budget
        Most ratings to ask for.
    target_confidence
        Items at or above it, on every dimension with a weight, are only drawn at random. Compare
        it with calibrated confidence: see `ocrjury.truth.calibrate`.
    cap
        Most ratings that an item may have, those it has already included.
    explore
        Share of the ratings for items drawn at random among those below the cap.
    cost
        {rater: price of a rating}; a rater left out costs 1. An item's price is the mean over the
        raters who have not rated it.
    weights
        {dimension: worth of a bit}, 1 each unless given.
    seed
        For the draw and for ties; the order of rows and items has no influence.

    Returns
    -------
    DataFrame
        Columns item, gain (bits that the rating is expected to tell about whether the label is
        right, mean over the raters who have not rated the item), reason (``"gain"``, then
        ``"explore"``); one row per rating. Empty if no item is below the target and the cap.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> from ocrjury.truth import dawid_skene
    >>> t = RatingTable.from_matrix(
    ...     [[1, 1, 1], [0, 0, 0], [1, 0, None], [1, 1, 1]], scale=Scale.binary()
    ... )
    >>> next_ratings(dawid_skene(t), t, budget=1, seed=0)[["item", "reason"]].to_numpy().tolist()
    [[2, 'gain']]
    """
    _check_numbers(budget=budget, target_confidence=target_confidence, cap=cap, explore=explore)
    panel = build_panel(by_dimension(truth, table), weights)
    price = _prices(panel, cost)
    rng = np.random.default_rng(seed)
    luck = rng.random(len(panel.items))
    below_cap = panel.n_ratings < cap
    item, gain = _worthwhile(panel, below_cap, target_confidence=target_confidence, cap=cap)
    order = np.lexsort((luck[item], -np.round(gain / price[item], 9)))
    n_explore = _exploring(budget, explore, n_worthwhile=len(item), n_free=int(below_cap.sum()))
    chosen = order[: budget - n_explore]
    below_cap[item[chosen]] = False
    drawn = rng.permutation(np.flatnonzero(below_cap))[:n_explore]
    return _frame(panel, (item[chosen], gain[chosen]), (drawn, _first_gain(panel, drawn)))


def _worthwhile(
    panel: Panel, below_cap: Booleans, *, target_confidence: float, cap: int
) -> tuple[Integers, Floats]:
    """Return item and gain of every rating that is worth asking for, an item's first one first."""
    unsure = np.zeros(len(panel.items), dtype=bool)
    for view in panel.views:
        unsure |= view.confidence < target_confidence
    items = np.flatnonzero(unsure & below_cap)
    room = cap - panel.n_ratings[items]
    gains = [_first_gain(panel, items)]
    for times in range(2, _deepest(panel, items, room) + 1):
        more = _further_gain(panel, items, times, target_confidence=target_confidence)
        gains.append(
            np.where(room >= times, np.minimum(gains[-1], more * _LATER ** (times - 1)), 0.0)
        )
    table = np.array(gains)
    depth, place = np.nonzero(table > _LEAST_GAIN)
    return items[place], table[depth, place]


def _first_gain(panel: Panel, items: Integers) -> Floats:
    """Return the weighted gain of one rating by a rater who has not rated the item, shape (n,)."""
    total = np.zeros(len(items))
    for view in panel.views:
        shares = view.probabilities[items]
        free = ~panel.rated[np.ix_(items, view.raters)]
        gain = np.zeros(len(items))
        for rater, confusion in enumerate(view.confusion):
            who = free[:, rater]
            gain[who] += information_gain(shares[who], confusion)
        n_free = free.sum(axis=1)
        typical = information_gain(shares, view.typical)
        total += view.weight * np.divide(gain, n_free, out=typical, where=n_free > 0)
    return total


def _further_gain(panel: Panel, items: Integers, times: int, *, target_confidence: float) -> Floats:
    """Return what the last of several ratings adds; 0 where those before it probably suffice."""
    total = np.zeros(len(items))
    unsettled = np.zeros(len(items), dtype=bool)
    for view in panel.views:
        shares = view.probabilities[items]
        before = repeated_outcomes(view.typical, times - 1)
        after = repeated_outcomes(view.typical, times)
        added = information_gain(shares, after) - information_gain(shares, before)
        total += view.weight * added
        unsettled |= expected_confidence(shares, before) < target_confidence
    return np.where(unsettled, total, 0.0)


def _deepest(panel: Panel, items: Integers, room: Integers) -> int:
    """Return how many further ratings of an item are looked at together."""
    times = 1
    widest = max((view.probabilities.shape[1] for view in panel.views), default=1)
    while (
        times < room.max(initial=1)
        and count_outcomes(widest, times + 1) * max(len(items), 1) <= _MOST_CELLS
    ):
        times += 1
    return times


def _exploring(budget: int, explore: float, *, n_worthwhile: int, n_free: int) -> int:
    """Return how many ratings go to items drawn at random; none if no other is worthwhile."""
    if not n_worthwhile:
        return 0
    # The tiny addition keeps a fifth of 5 at 1.
    share = int(explore * budget + 1e-9)
    by_gain = min(n_worthwhile, budget - share)
    if explore < 1:
        share = min(share, round(by_gain * explore / (1 - explore)))
    return min(share, n_free)


def _prices(panel: Panel, cost: Mapping[Any, float] | None) -> Floats:
    """Return the mean price of a rating by those who have not rated the item, shape (N,)."""
    given = cost or {}
    wrong = {rater: price for rater, price in given.items() if not 0 < price < np.inf}
    if wrong:
        raise InputError(f"cost must be finite numbers above 0; found {wrong!r}.")
    price = np.array([float(given.get(rater, 1.0)) for rater in panel.raters])
    if not len(price):
        return np.ones(len(panel.items))
    free = ~panel.rated
    n_free = free.sum(axis=1)
    everyone = np.full(len(panel.items), price.mean())
    return np.asarray(np.divide(free @ price, n_free, out=everyone, where=n_free > 0))


def _frame(
    panel: Panel, chosen: tuple[Integers, Floats], drawn: tuple[Integers, Floats]
) -> pd.DataFrame:
    """Return the chosen and the drawn items as rows."""
    places = [*chosen[0].tolist(), *drawn[0].tolist()]
    reasons = ["gain"] * len(chosen[0]) + ["explore"] * len(drawn[0])
    return pd.DataFrame(
        {
            "item": [panel.items[place] for place in places],
            "gain": np.concatenate([chosen[1], drawn[1]]),
            "reason": reasons,
        }
    )


def _check_numbers(*, budget: int, target_confidence: float, cap: int, explore: float) -> None:
    """Raise if an option is out of range."""
    if budget < 0 or budget != int(budget):
        raise InputError(f"budget must be a whole number of ratings, not below 0; found {budget}.")
    if cap < 1 or cap != int(cap):
        raise InputError(f"cap must be a whole number of ratings from 1; found {cap!r}.")
    for name, share in (("target_confidence", target_confidence), ("explore", explore)):
        if not 0 <= share <= 1:
            raise InputError(f"{name} must be between 0 and 1; found {share!r}.")
