"""Items of the next round: where one more rating has the highest expected gain for its price."""

from collections.abc import Collection, Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.adaptive.defaults import CAP, EXPLORE, TARGET_CONFIDENCE
from ocrjury.adaptive.rating_gain import first_gain, worthwhile
from ocrjury.adaptive.rating_state import RatingState, build_state, by_dimension
from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

Cap = int | Mapping[Any, int]


def next_ratings(
    truth: Truth | Mapping[Any, Truth],
    table: RatingTable | Mapping[Any, RatingTable],
    *,
    budget: int,
    target_confidence: float = TARGET_CONFIDENCE,
    cap: Cap = CAP,
    explore: float = EXPLORE,
    cost: Mapping[Any, float] | None = None,
    weights: Mapping[Any, float] | None = None,
    raters: Collection[Hashable] | None = None,
    seed: int,
) -> pd.DataFrame:
    """Ratings to ask for next, ordered by worth for their price.

    The worth of a rating is its expected information in bits about whether the label is right, plus
    three times the expected rise of the label's probability, which is 0 where it can only confirm.

    An item below the target confidence may get more than one rating, as long as it is expected to
    stay below the target after the ratings already chosen. A second rating counts half of what it
    adds, a third a quarter, and so on, because a later round could still collect it, knowing the
    first. A share of the budget goes to items drawn at random, so that confident errors are
    detected and the model can be checked against a sample. A rating with an expected gain below a
    hundredth of a bit is not chosen: if no item is below the target, or no rating would gain more,
    there is no further round. With ``explore=1`` the model's expectations are not used, and only
    the target ends the rounds.

    The gain of a rating depends on its weight among the item's ratings in the inference: see
    `ocrjury.truth.labels.Truth.dependence`, and the temperature of a calibrated truth.

    Parameters
    ----------
    truth, table
        Truth and the ratings it was inferred from, or one of each per dimension.
    budget
        Largest number of ratings to ask for.
    target_confidence
        Items at or above it, on every dimension with a weight, are only drawn at random. It is
        meant for calibrated confidence: see `ocrjury.truth.calibrate`.
    cap
        Largest number of ratings of an item, including those it already has: one number or {item:
        number}, where fewer raters are left for some items.
    explore
        Share of the ratings for items drawn at random among those below the cap whose category is
        not known. With 1 all are drawn, fewest ratings first; `check_gain` tells when to do so.
    cost
        {rater: price of a rating}, 1 unless given. An item's price is the mean over the raters who
        have not rated it.
    weights
        {dimension: value of a bit}, 1 each unless given.
    raters
        Raters who may be asked; None: those of the table. Others, such as adjudicators or those who
        left, count for neither price nor gain.
    seed
        Seed for the draw and for ties; the order of rows and items has no influence.

    Returns
    -------
    DataFrame
        Columns item, gain (expected information about whether the label is right in bits, mean over
        the raters who have not rated the item), reason (``"gain"``, then ``"explore"``); one row
        per rating. Empty if no rating is worth collecting. `ocrjury.adaptive.choose_raters` assigns
        them.

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
    check_budget(budget)
    check_shares(target_confidence=target_confidence, explore=explore)
    state = build_state(by_dimension(truth, table), weights, raters_left=raters)
    caps = caps_of(state, cap)
    price = rater_prices(state, cost)
    rng = np.random.default_rng(seed)
    tie_breaker = rng.random(len(state.items))
    below_cap = state.n_ratings < caps
    item, gain, worth = worthwhile(
        state,
        below_cap,
        price=price,
        target_confidence=target_confidence,
        caps=caps,
        budget=budget,
    )
    order = np.lexsort((tie_breaker[item], -np.round(worth / price[item], 9)))
    below_cap &= ~state.known
    unsure = below_cap & state.unsure(target_confidence)
    n_worthwhile = int(unsure.sum()) if explore == 1 else len(item)
    n_explore = _exploring(budget, explore, n_worthwhile=n_worthwhile, n_free=int(below_cap.sum()))
    chosen = order[: budget - n_explore]
    below_cap[item[chosen]] = False
    drawn = rng.permutation(np.flatnonzero(below_cap))
    if explore == 1:
        drawn = drawn[np.argsort(state.n_ratings[drawn], kind="stable")]
    drawn = drawn[:n_explore]
    # Choosing the best items may leave fewer items to draw than expected.
    rest = order[len(chosen) :]
    rest = rest[~np.isin(item[rest], drawn)][: n_explore - len(drawn)]
    chosen = np.concatenate([chosen, rest])
    return rating_frame(
        state,
        np.concatenate([item[chosen], drawn]),
        gain=np.concatenate([gain[chosen], first_gain(state, drawn)]),
        reason=["gain"] * len(chosen) + ["explore"] * len(drawn),
    )


def _exploring(budget: int, explore: float, *, n_worthwhile: int, n_free: int) -> int:
    """Number of ratings for items drawn at random; none if no other rating is worthwhile."""
    if not n_worthwhile:
        return 0
    # The tiny addition keeps a fifth of 5 at 1.
    share = int(explore * budget + 1e-9)
    by_gain = min(n_worthwhile, budget - share)
    if explore < 1:
        share = min(share, round(by_gain * explore / (1 - explore)))
    return min(share, n_free)


def rating_frame(
    state: RatingState, places: Integers, *, gain: Floats, reason: list[str]
) -> pd.DataFrame:
    """One row per requested rating: item, gain, reason."""
    items = [state.items[place] for place in places.tolist()]
    return pd.DataFrame({"item": items, "gain": gain, "reason": reason})


def caps_of(state: RatingState, cap: Cap) -> Integers:
    """Largest number of ratings of each item, shape (N,)."""
    if not isinstance(cap, Mapping):
        if cap < 1 or cap != int(cap):
            raise InputError(f"cap must be a whole number of ratings from 1; found {cap!r}.")
        return np.full(len(state.items), cap, dtype=np.int64)
    absent = [item for item in state.items if item not in cap]
    if absent:
        raise InputError(
            f"cap must name every item; {len(absent)} are absent, for example {absent[0]!r}."
        )
    numbers = [cap[item] for item in state.items]
    wrong = [number for number in numbers if number < 0 or number != int(number)]
    if wrong:
        raise InputError(f"cap must be whole numbers of ratings, none below 0; found {wrong[0]!r}.")
    return np.array(numbers, dtype=np.int64)


def check_budget(budget: int) -> None:
    """Raise if a budget is no number of ratings."""
    if budget < 0 or budget != int(budget):
        raise InputError(f"budget must be a whole number of ratings, not below 0; found {budget}.")


def check_shares(**shares: float) -> None:
    """Raise if an option, by its name, is no share."""
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise InputError(f"{name} must be between 0 and 1; found {share!r}.")


def rater_prices(state: RatingState, cost: Mapping[Any, float] | None) -> Floats:
    """Mean price of a rating by the raters left who have not rated the item, shape (N,).

    A rater missing in ``cost`` costs 1; where everyone has rated the item, the mean is over all who
    may be asked.
    """
    given = cost or {}
    check_prices(given)
    if not state.askable.any():
        return np.ones(len(state.items))
    price = np.array([float(given.get(rater, 1.0)) for rater in state.raters]) * state.askable
    n_free = state.free_raters()
    remaining = price.sum() - state.rated @ price
    everyone = np.full(len(state.items), price.sum() / state.askable.sum())
    return np.asarray(np.divide(remaining, n_free, out=everyone, where=n_free > 0))


def check_prices(cost: Mapping[Any, float] | None) -> None:
    """Raise if a price is not a finite number above 0."""
    wrong = {rater: price for rater, price in (cost or {}).items() if not 0 < price < np.inf}
    if wrong:
        raise InputError(f"cost must be finite numbers above 0; found {wrong!r}.")
