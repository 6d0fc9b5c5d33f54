"""The band of an agreement statistic, and the colour level that repeats its word.

The bands themselves are those of `ocrjury.agreement.bands`.
"""

import math
from typing import NamedTuple

from ocrjury.agreement.bands import BANDS, interpret

_LEVELS = {
    "almost perfect": 4,
    "excellent": 4,
    "reliable": 4,
    "substantial": 3,
    "good": 3,
    "moderate": 2,
    "tentative": 2,
    "fair": 1,
}


class Band(NamedTuple):
    """A word, and a level from 0 (poor) to 4 (excellent)."""

    word: str
    level: int


def band(statistic: str, value: float) -> Band | None:
    """Return the band of a value, None if the value is undefined or the statistic has no bands.

    Examples
    --------
    >>> band("krippendorff_alpha", 0.743), band("mean_pairwise_kappa", 0.62)
    (Band(word='tentative', level=2), Band(word='substantial', level=3))
    >>> band("human_agreement", float("nan")) is None
    True
    """
    if statistic not in BANDS or math.isnan(value):
        return None
    word = interpret(statistic, value)
    return Band(word, _LEVELS.get(word, 0))


def words_by_level() -> dict[int, tuple[str, ...]]:
    """Return every word of the bands by its level, the best level first.

    Examples
    --------
    >>> words_by_level()[3]
    ('substantial', 'good')
    """
    words = dict.fromkeys(word for bands in BANDS.values() for _, word in bands)
    return {
        level: tuple(word for word in words if _LEVELS.get(word, 0) == level)
        for level in range(4, -1, -1)
    }
