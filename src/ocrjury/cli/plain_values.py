"""What commands print as JSON: plain values, where ``nan`` is null and ids keep their kind."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def plain(value: Any) -> Any:
    """Value as strict JSON can hold it.

    Examples
    --------
    >>> plain({"a": float("nan"), 2: (3, None)})
    {'a': None, '2': [3, None]}
    """
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    return None if value != value else str(value)  # noqa: PLR0124  # nothing but nan differs


def rows_of(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """Rows of a frame as plain values."""
    return [plain(row) for row in frame.astype(object).to_dict("records")]


def json_text(value: Any) -> str:
    """JSON with every letter as it is."""
    return json.dumps(plain(value), ensure_ascii=False, indent=2, allow_nan=False)
