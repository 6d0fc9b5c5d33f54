"""Columns by which a file of ratings is known as an export of an evaluation.

Such a file holds ratings of all kinds; those that ``counts`` marks are what gate and headline use.
"""

import warnings
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ocrjury.language import phrase
from ocrjury.ratings.csv_tables import Table
from ocrjury.sentences import listed

if TYPE_CHECKING:
    import pandas as pd

ROUND = "round"
SESSION = "session"
"""Number of the rater's session in its round."""
KIND = "kind"
COUNTS = "counts"
"""1 for a first-pass rating of a main round, else 0."""
WEIGHT = "weight"
"""Documents of the pool for which the item stands where agreement is measured."""
PROBABILITY = "inclusion_probability"
"""Probability to be drawn and answered, with which the item stands in the headline."""
KNOWN = "known"
"""Known rating of a gold item that corrects the headline."""
CLUSTER = "cluster"
"""Number of the draw in which the item came; items with the same one were drawn together."""
ITEM_WEIGHT = "item_weight"
"""Weight of the item, where ratings are measured."""
LOOK = "look"
"""Look of the gate that saw the rating first."""
LOOKS = "looks"
"""Looks that the gate had planned by the newest one; empty where it may look at any time."""
SEED = "seed"
"""Seed of the evaluation, with which its tests shuffled the ratings."""
HEADLINE = "headline"
"""1 for ratings on the dimension of the number on the report's cover, else 0."""
AUXILIARY = "x:"
"""Beginning of the columns of auxiliary variables, each minus its mean over the pool."""
_OF_REVISIONS = ("rev", "event_id", "withdrawn", "set_aside")
MARKS = (KIND, COUNTS, WEIGHT, PROBABILITY)


def is_export(table: Table) -> bool:
    """Return whether a table is an export of an evaluation's ratings."""
    return set(MARKS) <= set(table.header)


def is_history(table: Table) -> bool:
    """Return whether a table is an export of every revision of an evaluation's ratings."""
    return set(_OF_REVISIONS) <= set(table.header)


def warn_of_uncounted(frame: "pd.DataFrame") -> None:
    """Warn of rows of an export that gate and headline leave out."""
    if not set(MARKS) <= set(frame.columns):
        return
    left_out = int((frame[COUNTS] != 1).sum())
    if left_out:
        warnings.warn(
            f"{left_out:,} of the {len(frame):,} ratings of this export do not count: gate and "
            f'headline take frame[frame["{COUNTS}"] == 1], with item_weight="{WEIGHT}".',
            UserWarning,
            stacklevel=3,
        )


def first_pass_rows(table: Table) -> tuple[Table, Mapping[str, int]]:
    """Rows of an export that count, and the number of the others by kind."""
    pairs = zip(table.columns[KIND], table.columns[COUNTS], strict=True)
    left_out = Counter(kind for kind, counts in pairs if counts != "1")
    return table.chosen({COUNTS: "1"}), dict(sorted(left_out.items()))


def left_out_text(left_out: Mapping[str, int]) -> str:
    """Say which ratings of an export count, and which were passed over.

    Examples
    --------
    >>> left_out_text({"adaptive": 120, "gold": 40})
    'first-pass ratings of main rounds, weighted as drawn; left out: 120 adaptive and 40 gold'
    """
    kinds = [
        phrase("{n} {kind}", n=f"{number:,}", kind=phrase(kind))
        for kind, number in left_out.items()
    ]
    return phrase(
        "first-pass ratings of main rounds, weighted as drawn; left out: {kinds}",
        kinds=listed(kinds) if kinds else phrase("none"),
    )
