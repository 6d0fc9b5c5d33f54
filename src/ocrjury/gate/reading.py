"""An estimate as the gate reads it: beside its floor, with its bounds, and in words."""

from dataclasses import dataclass
from math import nan

from ocrjury.estimate import Estimate
from ocrjury.language import counted
from ocrjury.rounding import fixed, given
from ocrjury.statistics import statistic

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Reading:
    """An estimate of one dimension with its one-sided bounds and the floor.

    ``enough``: whether there are enough items for a PASS; ``continuous``: whether the scale has no
    categories.
    """

    dimension: str
    name: str
    estimate: Estimate
    floor: float
    enough: bool
    continuous: bool = False
    lower: float = nan
    upper: float = nan
    confidence: float = nan

    @property
    def words(self) -> dict[str, str]:
        """Values with which the sentences on the estimate are filled."""
        return {
            "dimension": self.dimension,
            "statistic": statistic(self.name).label,
            "value": self.number(self.estimate.value),
            "items": counted(self.estimate.n_items, "item"),
            "required": self.required,
        }

    @property
    def lower_words(self) -> dict[str, str]:
        """The same with the lower bound."""
        return {**self.words, "lower": self.number(self.lower), "confidence": self._confidence}

    @property
    def upper_words(self) -> dict[str, str]:
        """The same with the upper bound."""
        return {**self.words, "upper": self.number(self.upper), "confidence": self._confidence}

    def number(self, value: float) -> str:
        """Value in the reader's unit, with enough digits to differ visibly from the floor."""
        return beside(value, self.floor, self.name)

    @property
    def required(self) -> str:
        """Floor in the reader's unit."""
        return short_in_unit(self.floor, self.name)

    @property
    def _confidence(self) -> str:
        return f"{100 * self.confidence:.3g}%"


def beside(value: float, limit: float, name: str, *, places: int = 3) -> str:
    """Value of a statistic in the reader's unit, with enough digits to differ from a limit.

    Examples
    --------
    >>> beside(0.797, 0.8, "share_within"), beside(0.597, 0.6, "weighted_kappa", places=2)
    ('79.7%', '0.597')
    """
    scale, unit, digits = _style(name)
    digits = min(digits, places)
    while (
        digits < 6
        and abs(value - limit) > _ROUNDING
        and fixed(scale * value, digits) == fixed(scale * limit, digits)
    ):
        digits += 1
    return f"{fixed(scale * value, digits)}{unit}"


def short_in_unit(number: float, name: str) -> str:
    """A given number of a statistic, such as its floor, in the reader's unit.

    Examples
    --------
    >>> short_in_unit(0.75, "adjacent_agreement"), short_in_unit(0.8, "krippendorff_alpha")
    ('75%', '0.8')
    """
    scale, unit, _ = _style(name)
    return f"{given(scale * number)}{unit}"


def mean_text(name: str, mean: float) -> str:
    """Mean of a statistic over dimensions in the reader's unit."""
    scale, unit, digits = _style(name)
    return f"{fixed(scale * mean, digits)}{unit}"


def _style(name: str) -> tuple[int, str, int]:
    """Factor, unit and digits of a statistic."""
    return (100, "%", 0) if statistic(name).is_share else (1, "", 3)
