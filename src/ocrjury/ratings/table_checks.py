"""Refusals of what functions on ratings cannot take, with what they expect."""

from ocrjury.errors import InputError
from ocrjury.ratings.table import RatingTable


def check_table(table: object, caller: str) -> None:
    """Raise `InputError` with what to write if ratings are no `RatingTable`."""
    if not isinstance(table, RatingTable):
        raise InputError(
            f"{caller} needs a RatingTable; found {type(table).__name__}. Write "
            "RatingTable.from_matrix(values, scale=Scale.likert(1, 5)) for one row per item and "
            "one column per rater, or RatingTable.from_long(frame, scale=...) for a frame item, "
            "rater, rating."
        )
