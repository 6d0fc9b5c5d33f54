"""Decisions of adjudicators and of the panel, and the items that are still open.

An adjudicator settles an item on a dimension by agreeing with some rater: then two independent
people agree. Otherwise the panel votes, and the median of its votes is final.
"""

from collections.abc import Hashable

import pandas as pd

COLUMNS = ["item", "rater", "dimension", "rating", "round_kind"]


def settled_values(ratings: pd.DataFrame) -> dict[str, dict[Hashable, float]]:
    """Final values, which override the model, by dimension and item.

    Parameters
    ----------
    ratings
        One row per rating: item, rater, dimension, rating, round_kind.

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
    decided = _decided(ratings)
    for decision in decided[decided["confirmed"]].to_dict(orient="records"):
        settled.setdefault(str(decision["dimension"]), {})[decision["item"]] = float(
            decision["rating"]
        )
    votes = ratings[ratings["round_kind"] == "panel"]
    for dimension, cast in votes.groupby("dimension", sort=False):
        medians = cast.groupby("item", sort=False)["rating"].agg(_lower_median)
        settled.setdefault(str(dimension), {}).update(medians.astype(float).to_dict())
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
    by_adjudicator = ratings["round_kind"] == "adjudication"
    by_rater = ratings["round_kind"].isin(["main", "adaptive"])
    rated = set(ratings.loc[by_rater, ["item", "dimension", "rating"]].itertuples(index=False))
    decided = ratings.loc[by_adjudicator, ["item", "dimension", "rating"]]
    confirmed = [tuple(row) in rated for row in decided.itertuples(index=False)]
    return decided.assign(confirmed=pd.Series(confirmed, index=decided.index, dtype=bool))


def _lower_median(values: "pd.Series[float]") -> float:
    """Median that is itself a vote; of two middle votes the lower."""
    return float(values.sort_values().iloc[(len(values) - 1) // 2])
