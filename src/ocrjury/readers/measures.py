"""Numbers of an OCR file: confidences as shares, sizes and places as they are."""

import math

from ocrjury.readers.cells import as_number
from ocrjury.readers.content_errors import BadContentError

_ROUNDING = 1e-6


def number(value: object, position: str) -> float:
    """Finite number, also one written as text."""
    found = as_number(value)
    if found is None or not math.isfinite(found):
        raise BadContentError("no number where one must be", position)
    return found


def size(value: object, position: str) -> float:
    """Width or height, 0 if there is none."""
    return 0.0 if value is None or value == "" else max(number(value, position), 0.0)


def share(value: object, position: str, *, top: float = 1.0) -> float | None:
    """Confidence that goes from 0 to ``top`` as one from 0 to 1, None if missing.

    >>> share("87", "line 1", top=100)
    0.87
    """
    if value is None or value == "":
        return None
    found = as_number(value)
    if found is None or math.isnan(found):
        raise BadContentError("a confidence that is no number", position)
    if not 0 <= found <= top * (1 + _ROUNDING):
        raise BadContentError(f"a confidence outside 0 to {top:g} (found {found:g})", position)
    return min(found / top, 1.0)
