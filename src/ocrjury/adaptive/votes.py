"""Votes on each item, as the reference text uses them: their spread, and three-step adjudication.

In three-step adjudication two people rate; where they differ a third one does; where all three
differ, experts discuss.
"""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.adaptive.rating_state import Dimensions
from ocrjury.arrays import Integers
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable

FIRST, THIRD, PANEL, SETTLED = "first_ratings", "third_rater", "panel", "settled"
STEPS = (SETTLED, PANEL, THIRD, FIRST)
"""Steps from last to first: an item's step is that of its least advanced dimension."""


def adjudication_steps(table: RatingTable | Mapping[Any, RatingTable]) -> pd.DataFrame:
    """Step that every item has reached by its votes.

    Parameters
    ----------
    table
        Ratings, or {dimension: ratings}.

    Returns
    -------
    DataFrame
        Columns item, n_ratings (on the dimension with fewest), step: ``"first_ratings"`` with
        fewer than two, ``"third_rater"`` where two differ, ``"settled"`` where one value has more
        votes than any other and at least two, ``"panel"`` where three or more have no such value.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> t = RatingTable.from_matrix(
    ...     [[4, 4, None], [4, 5, None], [4, 5, 5], [3, 4, 5]], scale=Scale.likert(1, 5)
    ... )
    >>> adjudication_steps(t)["step"].tolist()
    ['settled', 'third_rater', 'settled', 'panel']
    """
    tables = {None: table} if isinstance(table, RatingTable) else table
    least: dict[Hashable, tuple[int, int]] = {}
    for ratings in tables.values():
        counts = ratings.counts()
        reached = zip(counts.sum(axis=1).tolist(), _steps(counts).tolist(), strict=True)
        for item, (number, step) in zip(ratings.items, reached, strict=True):
            known = least.get(item, (number, step))
            least[item] = (min(number, known[0]), max(step, known[1]))
    return pd.DataFrame(
        {
            "item": list(least),
            "n_ratings": [number for number, _ in least.values()],
            "step": [STEPS[step] for _, step in least.values()],
        }
    )


def _steps(counts: Integers) -> Integers:
    """Place in `STEPS` of each item, from its votes per category, shape (N, K)."""
    number = counts.sum(axis=1)
    most = counts.max(axis=1, initial=0)
    unique = (counts == most[:, None]).sum(axis=1) == 1
    settled = (most >= 2) & unique
    at = {name: place for place, name in enumerate(STEPS)}
    return np.select(
        [number < 2, settled, number == 2],
        [at[FIRST], at[SETTLED], at[THIRD]],
        default=at[PANEL],
    )


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
