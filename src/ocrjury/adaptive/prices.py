"""What a rating costs when nobody knows yet who will give it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ocrjury.adaptive.panel import Floats, Panel
from ocrjury.errors import InputError


def rater_prices(panel: Panel, cost: Mapping[Any, float] | None) -> Floats:
    """Mean price of a rating by those who have not rated the item, shape (N,).

    A rater whom ``cost`` leaves out costs 1; where everyone has rated, the mean is over all.
    """
    given = cost or {}
    check_prices(given)
    price = np.array([float(given.get(rater, 1.0)) for rater in panel.raters])
    if not len(price):
        return np.ones(len(panel.items))
    n_free = panel.free_raters()
    left = price.sum() - panel.rated @ price
    everyone = np.full(len(panel.items), price.mean())
    return np.asarray(np.divide(left, n_free, out=everyone, where=n_free > 0))


def check_prices(cost: Mapping[Any, float] | None) -> None:
    """Raise if a price is not a finite number above 0."""
    wrong = {rater: price for rater, price in (cost or {}).items() if not 0 < price < np.inf}
    if wrong:
        raise InputError(f"cost must be finite numbers above 0; found {wrong!r}.")
