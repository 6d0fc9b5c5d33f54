"""Statistics in print, each in the unit that the table of statistics gives it."""

from ocrjury.pages.numbers import decimal, percent
from ocrjury.statistics import statistic


def in_unit(value: float | None, key: str, places: int = 2) -> str:
    """A value of a statistic: a share as a percentage, which needs two places less.

    Examples
    --------
    >>> in_unit(0.654, "krippendorff_alpha"), in_unit(0.9271, "adjacent_agreement")
    ('0.65', '93%')
    >>> in_unit(0.9271, "adjacent_agreement", 3)
    '92.7%'
    """
    if statistic(key).is_share:
        return percent(value, places - 2)
    return decimal(value, places)
