"""Items that only a person's decision can settle, and the decisions made.

An adjudicator settles an item on a dimension by agreeing with some rater: then two independent
people agree. Otherwise the panel votes, and the median of its votes is final; of categories, which
have no median, the most frequent one.
"""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.adaptive.rating_state import by_dimension
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

COLUMNS = ["item", "rater", "dimension", "rating", "round_kind"]
DECISION = ["item", "dimension", "rating"]


def settled_values(
    ratings: pd.DataFrame, *, ordered: bool | Mapping[str, bool] = True
) -> dict[str, dict[Hashable, float]]:
    """Final values, which override the model, by dimension and item.

    Parameters
    ----------
    ratings
        One row per rating: item, rater, dimension, rating, round_kind.
    ordered
        Whether the scale has an order, or that of each dimension. On a nominal scale, whose ratings
        are places in its list of categories, a panel's most frequent vote stands; of tied ones the
        category declared first.

    Examples
    --------
    >>> ratings = pd.DataFrame(
    ...     [
    ...         ("a", "R01", "meaning", 5, "main"),
    ...         ("a", "R02", "meaning", 2, "main"),
    ...         ("a", "A01", "meaning", 2, "adjudication"),
    ...     ],
    ...     columns=COLUMNS,
    ... )
    >>> settled_values(ratings)
    {'meaning': {'a': 2.0}}
    """
    settled: dict[str, dict[Hashable, float]] = {}
    if not ratings["round_kind"].isin(["adjudication", "panel"]).any():
        return settled  # as in most rounds, for which the rest is not worth its time
    decided = _decided(ratings)
    for item, dimension, rating in _rows(decided[decided["confirmed"]]):
        settled.setdefault(str(dimension), {})[item] = float(rating)
    votes = ratings[ratings["round_kind"] == "panel"]
    for dimension, cast in votes.groupby("dimension", sort=False):
        by_item = cast.groupby("item", sort=False)["rating"]
        in_order = ordered[str(dimension)] if isinstance(ordered, Mapping) else ordered
        verdicts = by_item.agg(_lower_median if in_order else _first_mode)
        settled.setdefault(str(dimension), {}).update(verdicts.astype(float).to_dict())
    return settled


def unsettled_items(ratings: pd.DataFrame) -> list[Hashable]:
    """Items on which the adjudicator agrees with no rater on some dimension, in sorted order.

    Parameters
    ----------
    ratings
        As in `settled_values`; items that the panel voted on are left out.
    """
    decided = _decided(ratings)
    voted = set(ratings.loc[ratings["round_kind"] == "panel", "item"])
    alone = decided.loc[~decided["confirmed"], "item"]
    return [item for item in dict.fromkeys(sorted(alone)) if item not in voted]


def _decided(ratings: pd.DataFrame) -> pd.DataFrame:
    """Adjudicators' ratings, each with whether some rater gave the same rating."""
    decided = ratings.loc[ratings["round_kind"] == "adjudication", DECISION]
    if decided.empty:
        return decided.assign(confirmed=False)
    by_rater = ratings["round_kind"].isin(["main", "adaptive"])
    rated = set(_rows(ratings[by_rater & ratings["item"].isin(decided["item"])]))
    return decided.assign(confirmed=[decision in rated for decision in _rows(decided)])


def _rows(ratings: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    """Item, dimension and rating of every row; `DataFrame.itertuples` takes longer on few rows."""
    return zip(*(ratings[name] for name in DECISION), strict=True)


def _lower_median(values: "pd.Series[float]") -> float:
    """Median that is itself a vote; of two middle votes the lower."""
    return float(values.sort_values().iloc[(len(values) - 1) // 2])


def _first_mode(values: "pd.Series[float]") -> float:
    """Most frequent vote, the lowest place of tied ones."""
    return float(values.mode().iloc[0])


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
