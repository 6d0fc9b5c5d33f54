"""The items of the next round: where one more rating is expected to tell most for its price."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.adaptive.panel import Floats, Integers, Panel, build_panel, by_dimension
from ocrjury.adaptive.prices import rater_prices
from ocrjury.adaptive.rating_gain import first_gain, worthwhile
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth


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
    """Ratings to ask for next, those most worth their price first.

    A rating is worth the bits that it is expected to tell about whether the label is right, and
    three times the expected rise of the label's probability, which is 0 where it can only confirm.

    An item below the target confidence may be asked about more than once, as long as it is expected
    to stay below the target after the ratings already asked for. Each further rating counts half of
    what it adds to them, and the next one half of that, because a later round could still ask for
    it and would know what the others said. A share of the budget goes to items drawn at random, so
    that confident errors come to light and the model can be checked against a sample. A rating
    that is expected to tell less than a hundredth of a bit is not asked for: where no item is
    below the target, or no rating would tell more, there is no further round. Who asks evenly does
    not take the model's word for what ratings tell; then only the target ends it.

    What a rating will tell depends on how much the truth will let it weigh beside the others of its
    item: see `ocrjury.truth.labels.Truth.rooted`, and the temperature of a calibrated truth.

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
        Share of the ratings for items drawn at random among those below the cap whose category is
        not known. With 1 all are, those with the fewest ratings first; `check_gain` says when.
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
        ``"explore"``); one row per rating. Empty if no rating is worth asking for. Who is to give
        them: `ocrjury.adaptive.choose_raters`.

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
    check_numbers(budget=budget, target_confidence=target_confidence, cap=cap, explore=explore)
    panel = build_panel(by_dimension(truth, table), weights)
    price = rater_prices(panel, cost)
    rng = np.random.default_rng(seed)
    luck = rng.random(len(panel.items))
    below_cap = panel.n_ratings < cap
    item, gain, worth = worthwhile(
        panel,
        below_cap,
        price=price,
        target_confidence=target_confidence,
        cap=cap,
        budget=budget,
    )
    order = np.lexsort((luck[item], -np.round(worth / price[item], 9)))
    below_cap &= ~panel.known
    unsure = below_cap & panel.unsure(target_confidence)
    n_worthwhile = int(unsure.sum()) if explore == 1 else len(item)
    n_explore = _exploring(budget, explore, n_worthwhile=n_worthwhile, n_free=int(below_cap.sum()))
    chosen = order[: budget - n_explore]
    below_cap[item[chosen]] = False
    drawn = rng.permutation(np.flatnonzero(below_cap))
    if explore == 1:
        drawn = drawn[np.argsort(panel.n_ratings[drawn], kind="stable")]
    drawn = drawn[:n_explore]
    # Fewer items may be left to draw than there were before the best were taken.
    rest = order[len(chosen) :]
    rest = rest[~np.isin(item[rest], drawn)][: n_explore - len(drawn)]
    chosen = np.concatenate([chosen, rest])
    return rating_frame(
        panel,
        np.concatenate([item[chosen], drawn]),
        gain=np.concatenate([gain[chosen], first_gain(panel, drawn)]),
        reason=["gain"] * len(chosen) + ["explore"] * len(drawn),
    )


def _exploring(budget: int, explore: float, *, n_worthwhile: int, n_free: int) -> int:
    """How many ratings go to items drawn at random; none if no other is worthwhile."""
    if not n_worthwhile:
        return 0
    # The tiny addition keeps a fifth of 5 at 1.
    share = int(explore * budget + 1e-9)
    by_gain = min(n_worthwhile, budget - share)
    if explore < 1:
        share = min(share, round(by_gain * explore / (1 - explore)))
    return min(share, n_free)


def rating_frame(
    panel: Panel, places: Integers, *, gain: Floats, reason: list[str]
) -> pd.DataFrame:
    """One row per rating to ask for: item, gain, reason."""
    items = [panel.items[place] for place in places.tolist()]
    return pd.DataFrame({"item": items, "gain": gain, "reason": reason})


def check_numbers(
    *, budget: int, cap: int, target_confidence: float = 0.9, explore: float = 0.2
) -> None:
    """Raise if an option is out of range."""
    if budget < 0 or budget != int(budget):
        raise InputError(f"budget must be a whole number of ratings, not below 0; found {budget}.")
    if cap < 1 or cap != int(cap):
        raise InputError(f"cap must be a whole number of ratings from 1; found {cap!r}.")
    for name, share in (("target_confidence", target_confidence), ("explore", explore)):
        if not 0 <= share <= 1:
            raise InputError(f"{name} must be between 0 and 1; found {share!r}.")
