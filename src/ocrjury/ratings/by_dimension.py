"""Ratings on several dimensions, one table for each."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from ocrjury.ratings.identity import check_columns
from ocrjury.ratings.table import RatingTable
from ocrjury.scales import Scale

if TYPE_CHECKING:
    import pandas as pd


def rating_tables(
    ratings: "pd.DataFrame",
    *,
    scale: Scale,
    dimensions: Sequence[str] | None = None,
    item_weight: Mapping[Hashable, float] | None = None,
) -> dict[str, RatingTable]:
    """One table for each dimension of a long frame item, rater, dimension, rating.

    Parameters
    ----------
    dimensions
        Names of the dimensions, in this order; None: all, in order of appearance.
    """
    check_columns(ratings, ["item", "rater", "dimension", "rating"])
    wanted = dimensions if dimensions is not None else ratings["dimension"].unique().tolist()
    return {
        name: RatingTable.from_long(
            ratings[ratings["dimension"] == name], scale=scale, item_weight=item_weight
        )
        for name in wanted
    }
