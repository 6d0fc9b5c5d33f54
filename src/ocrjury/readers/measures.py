"""Numbers of an OCR file: confidences as shares from 0 to 1, sizes and coordinates unchanged."""

import math

from ocrjury.readers.cells import as_number
from ocrjury.readers.content_errors import BadContentError

_ROUNDING = 1e-6


def number(value: object, position: str) -> float:
    """Finite number, given as a number or as text."""
    parsed = as_number(value)
    if parsed is None or not math.isfinite(parsed):
        raise BadContentError("not a number", position)
    return parsed


def size(value: object, position: str) -> float:
    """Width or height, 0 if missing."""
    return 0.0 if value is None or value == "" else max(number(value, position), 0.0)


def share(value: object, position: str, *, top: float = 1.0) -> float | None:
    """Confidence on a scale from 0 to ``top``, rescaled to 0 to 1; None if missing.

    >>> share("87", "line 1", top=100)
    0.87
    """
    if value is None or value == "":
        return None
    confidence = as_number(value)
    if confidence is None or math.isnan(confidence):
        raise BadContentError("a confidence that is not a number", position)
    if not 0 <= confidence <= top * (1 + _ROUNDING):
        raise BadContentError(f"a confidence outside 0 to {top:g} (found {confidence:g})", position)
    return min(confidence / top, 1.0)
