"""Ratings as the frames that measurements take."""

import pandas as pd

from ocrjury.ratings import RatingTable


def long_frame(table: RatingTable) -> pd.DataFrame:
    """The ratings as they were given: item, rater, rating."""
    scale = table.scale
    return pd.DataFrame(
        {
            "item": [table.items[place] for place in table.item],
            "rater": [table.raters[place] for place in table.rater],
            "rating": table.values  # noqa: PD011  # no frame
            if scale.kind == "interval"
            else [scale.categories[code] for code in table.codes],
        }
    )
