"""Items that more ratings will not settle, so that somebody has to decide."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ocrjury.adaptive.rating_state import by_dimension
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth


def disputed_items(
    truth_by_dimension: Mapping[Any, Truth],
    tables: Mapping[Any, RatingTable],
    *,
    target_confidence: float,
    cap: int,
) -> list[Any]:
    """Items that are unsure on some dimension and at their cap or contradicted there.

    Parameters
    ----------
    truth_by_dimension, tables
        Truth and ratings of each dimension.
    target_confidence
        Confidence below which an item is unsure.
    cap
        Largest number of ratings of an item. An item below the cap is contradicted if it has two
        or more ratings and no two of them agree.

    Returns
    -------
    list
        Distinct ids in the order of the truths.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> from ocrjury.truth import majority_vote
    >>> t = RatingTable.from_matrix([[1, 5], [3, 3]], scale=Scale.likert(1, 5))
    >>> disputed_items(
    ...     {"meaning": majority_vote(t)}, {"meaning": t}, target_confidence=0.9, cap=4
    ... )
    [0]
    """
    disputed: dict[Any, None] = {}
    for truth, table in by_dimension(truth_by_dimension, tables).values():
        stuck = _stuck(table, cap)
        for item, confidence in zip(truth.items, truth.confidence, strict=True):
            if confidence < target_confidence and item in stuck:
                disputed[item] = None
    return list(disputed)


def _stuck(table: RatingTable, cap: int) -> set[Any]:
    """Items at the cap, or with two or more ratings that all differ."""
    counts = table.counts()
    n_ratings = counts.sum(axis=1)
    contradicted = (n_ratings > 1) & (counts.max(axis=1, initial=0) == 1)
    return {table.items[place] for place in np.flatnonzero(contradicted | (n_ratings >= cap))}
