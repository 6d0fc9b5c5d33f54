"""Ratings on several dimensions, one table for each."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from ocrjury.ratings.identity import check_columns
from ocrjury.ratings.table import RatingTable
from ocrjury.scales import Scale, Scales, one_scale, scale_of

if TYPE_CHECKING:
    import pandas as pd

COMMON = Scale.interval(0, 100)
"""Scale on which dimensions with unlike scales meet: each from its lower to its upper end."""


def rating_tables(
    ratings: "pd.DataFrame",
    *,
    scale: Scales,
    dimensions: Sequence[str] | None = None,
    item_weight: str | Mapping[Hashable, float] | None = None,
    cluster: str | Mapping[Hashable, Hashable] | None = None,
) -> dict[str, RatingTable]:
    """One table for each dimension of a long frame item, rater, dimension, rating.

    Parameters
    ----------
    scale
        Of all dimensions, or by dimension.
    dimensions
        Names of the dimensions, in this order; None: all, in order of appearance.
    item_weight, cluster
        As in `RatingTable.from_long`.
    """
    check_columns(ratings, ["item", "rater", "dimension", "rating"])
    names = ratings["dimension"].unique().tolist()
    wanted = names if dimensions is None else dimensions
    return {
        name: RatingTable.from_long(
            ratings if names == [name] else ratings[ratings["dimension"] == name],
            scale=scale_of(scale, name),
            item_weight=item_weight,
            cluster=cluster,
        )
        for name in wanted
    }


def are_stretched(scales: Scales) -> bool:
    """Return whether `on_one_scale` stretches dimensions, which takes unlike scales with an order.

    Examples
    --------
    >>> are_stretched({"usable": Scale.binary(), "meaning": Scale.likert(1, 5)})
    True
    >>> are_stretched({"fault": Scale.nominal(["none", "sign"]), "meaning": Scale.likert(1, 5)})
    False
    """
    if isinstance(scales, Scale):
        return False
    ordered = {name: scale for name, scale in scales.items() if scale.ordered}
    return bool(ordered) and one_scale(ordered) is None


def on_one_scale(ratings: "pd.DataFrame", *, scale: Scales) -> "tuple[pd.DataFrame, Scale | None]":
    """Ratings of the dimensions whose scale has an order, and the one scale that they are on.

    Dimensions with unlike scales are stretched to `COMMON`. Without such a dimension there are no
    rows and no scale.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dimension": ["meaning", "usable"], "rating": [2.0, 1.0]})
    >>> scales = {"meaning": Scale.likert(1, 5), "usable": Scale.binary()}
    >>> on_one_scale(frame, scale=scales)[0]["rating"].tolist()
    [25.0, 100.0]
    """
    own = {name: scale_of(scale, name) for name in ratings["dimension"].unique().tolist()}
    ordered = {name: each for name, each in own.items() if each.ordered}
    rows = ratings[ratings["dimension"].isin(list(ordered))]
    if not ordered:
        return rows, None
    shared = one_scale(ordered)
    if shared is not None:
        return rows, shared
    low = rows["dimension"].map({name: each.low for name, each in ordered.items()})
    length = rows["dimension"].map({name: each.high - each.low for name, each in ordered.items()})
    return rows.assign(rating=COMMON.high * (rows["rating"].astype(float) - low) / length), COMMON
