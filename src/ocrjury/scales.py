"""The categories that a rating may take, and what may be computed with them."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

from ocrjury.errors import InputError

Kind = Literal["likert", "binary", "nominal", "interval"]
Level = Literal["nominal", "ordinal", "interval", "ratio"]
MOST_LEVELS = 100_000
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
_OWN_LEVEL: dict[Kind, Level] = {
    "likert": "ordinal",
    "binary": "nominal",
    "nominal": "nominal",
    "interval": "interval",
}


@dataclass(frozen=True)
class Scale:
    """A declared scale; it is never guessed from the values that happen to occur.

    Use the constructors `likert`, `binary`, `nominal` and `interval`.

    Examples
    --------
    >>> Scale.likert(1, 5).categories
    (1, 2, 3, 4, 5)
    >>> Scale.interval(0, 100).level
    'interval'
    """

    kind: Kind
    categories: tuple[Hashable, ...]
    low: float = math.nan
    high: float = math.nan

    @classmethod
    def likert(cls, low: int, high: int) -> Self:
        """Whole numbers from ``low`` to ``high``, in order."""
        whole = all(math.isfinite(end) and int(end) == end for end in (low, high))
        if not (whole and low < high):
            raise InputError(
                f"Scale.likert needs two whole numbers, the first below the second; "
                f"found {low!r} and {high!r}. Scale.interval takes fractions."
            )
        if high - low > MOST_LEVELS:
            raise InputError(
                f"Scale.likert has a category for every level, at most {MOST_LEVELS:,}; from "
                f"{low!r} to {high!r} there are more. Use Scale.interval."
            )
        return cls("likert", tuple(range(int(low), int(high) + 1)), float(low), float(high))

    @classmethod
    def binary(cls) -> Self:
        """Return 0 and 1, in order."""
        return cls("binary", (0, 1), 0.0, 1.0)

    @classmethod
    def nominal(cls, categories: Sequence[Hashable]) -> Self:
        """Names without an order."""
        names = tuple(categories)
        strange = [name for name in names if not _can_be_told(name)]
        if strange:
            raise InputError(
                f"Scale.nominal needs names, or numbers that stand for them; found {strange[0]!r}."
            )
        if len(set(names)) != len(names) or not names:
            raise InputError(
                f"Scale.nominal needs at least one category and each only once; "
                f"found {list(names)!r}."
            )
        return cls("nominal", names)

    @classmethod
    def interval(cls, low: float, high: float) -> Self:
        """All numbers from ``low`` to ``high``, as of a slider."""
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise InputError(
                f"Scale.interval needs two finite numbers, the first below the second; "
                f"found {low!r} and {high!r}."
            )
        return cls("interval", (), float(low), float(high))

    @property
    def level(self) -> Level:
        """Level of measurement that fits this scale."""
        return _OWN_LEVEL[self.kind]

    @property
    def ordered(self) -> bool:
        """Whether one category can be above another."""
        return self.kind != "nominal"

    @cached_property
    def codes(self) -> dict[Hashable, int]:
        """Place of every category, from 0."""
        return {category: code for code, category in enumerate(self.categories)}

    @property
    def numbers(self) -> tuple[float, ...]:
        """Number that stands for each category; of names, their places from 0."""
        names = self.categories if self.ordered else range(len(self.categories))
        return tuple(float(name) for name in names)  # type: ignore[arg-type]  # ordered ones are

    def __str__(self) -> str:
        """Scale as people write it."""
        if self.kind == "nominal":
            return "nominal " + ", ".join(str(name) for name in self.categories)
        return f"{self.kind} {self.low:g} to {self.high:g}"


def _can_be_told(name: object) -> bool:
    """Whether a category can be told from others: it has a hash, and equals itself."""
    try:
        hash(name)
    except TypeError:
        return False
    return name is not None and bool(name == name)  # noqa: PLR0124  # nan does not
