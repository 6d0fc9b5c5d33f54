"""Expected price of a rating before the rater is chosen."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ocrjury.adaptive.rating_state import RatingState
from ocrjury.arrays import Floats
from ocrjury.errors import InputError


def rater_prices(state: RatingState, cost: Mapping[Any, float] | None) -> Floats:
    """Mean price of a rating by the raters who have not rated the item, shape (N,).

    A rater missing in ``cost`` costs 1; where everyone has rated the item, the mean is over all.
    """
    given = cost or {}
    check_prices(given)
    price = np.array([float(given.get(rater, 1.0)) for rater in state.raters])
    if not len(price):
        return np.ones(len(state.items))
    n_free = state.free_raters()
    remaining = price.sum() - state.rated @ price
    everyone = np.full(len(state.items), price.mean())
    return np.asarray(np.divide(remaining, n_free, out=everyone, where=n_free > 0))


def check_prices(cost: Mapping[Any, float] | None) -> None:
    """Raise if a price is not a finite number above 0."""
    wrong = {rater: price for rater, price in (cost or {}).items() if not 0 < price < np.inf}
    if wrong:
        raise InputError(f"cost must be finite numbers above 0; found {wrong!r}.")
