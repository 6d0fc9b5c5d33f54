"""Values and frames on their way into JSON: plain values, where ``nan`` is null."""

import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_PYTHON = frozenset({str, int, bool, float, dict, list, NoneType})


def records(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """One mapping per row; what is missing or not finite is None."""
    return [plain(row) for row in frame.to_dict(orient="records")]


def plain(value: Any) -> Any:
    """Value as strict JSON can hold it; ids keep their kind.

    Examples
    --------
    >>> plain({"a": float("nan"), 2: (3, None)})
    {'a': None, '2': [3, None]}
    """
    if type(value) not in _PYTHON and hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
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
    return None if str(value) in {"<NA>", "NaT"} else str(value)  # of pandas
