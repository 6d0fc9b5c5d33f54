"""Spread of the ratings of an item, as measured by the reference text."""

import numpy as np
import pandas as pd

from ocrjury.adaptive.rating_state import Dimensions
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable


def rating_spread(dimensions: Dimensions) -> "pd.Series[float]":
    """Mean over dimensions of the standard deviation of each item's ratings.

    The deviation divides by the number of ratings. Dimensions on which an item has fewer than two
    ratings are left out; ``nan`` if that is all of them.
    """
    per_dimension = [_of_table(table) for _, table in dimensions.values()]
    return pd.concat(per_dimension).groupby(level=0, sort=False).mean()


def _of_table(table: RatingTable) -> "pd.Series[float]":
    """Standard deviation of each item's ratings on one dimension."""
    if not table.scale.ordered:
        raise InputError(
            f"ratings on {table.scale} have no standard deviation. Choose another policy, for "
            'example "information" or "three_step_adjudication".'
        )
    number = np.bincount(table.item, minlength=table.n_items)
    safe = np.maximum(number, 1)
    ratings = table.values  # noqa: PD011  # a table, not a frame
    mean = np.bincount(table.item, ratings, table.n_items) / safe
    squares = np.bincount(table.item, (ratings - mean[table.item]) ** 2, table.n_items)
    spread = np.where(number > 1, np.sqrt(squares / safe), np.nan)
    return pd.Series(spread, index=pd.Index(list(table.items), dtype=object))
