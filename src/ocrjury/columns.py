"""Columns of data frames: checked, and read as numbers."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.errors import InputError

LEAST_CONFIDENCE = "min_word_confidence"
"""Column that readers of pages add: the confidence of the least certain word."""


def check_columns(frame: pd.DataFrame, names: Sequence[str], what: str = "the frame") -> None:
    """Raise if a column is absent; ``what`` names the frame."""
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise InputError(
            f"{what} has no column {', '.join(map(repr, absent))}; found "
            f"{', '.join(map(repr, frame.columns))}."
        )


def numeric_column(frame: pd.DataFrame, name: str) -> Floats:
    """Column as floats, nan where it is absent or not a number."""
    if name not in frame.columns:
        return np.full(len(frame), np.nan)
    return pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
