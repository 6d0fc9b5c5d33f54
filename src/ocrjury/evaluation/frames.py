"""Frames on their way into JSON columns."""

import math
from typing import Any

import pandas as pd


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """One mapping per row; what is missing or not finite is None."""
    return [
        {str(name): plain(value) for name, value in row.items()}
        for row in frame.to_dict(orient="records")
    ]


def plain(value: Any) -> Any:
    """Value that strict JSON can write."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return None if value is pd.NA or value is pd.NaT else value
