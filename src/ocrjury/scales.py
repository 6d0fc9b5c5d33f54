"""Rating scales: the values that a rating may take, and their level of measurement."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self, TypeAlias

from ocrjury.errors import InputError
from ocrjury.language import Phrase, phrase
from ocrjury.rounding import given

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


def check_scale(scale: object) -> None:
    """Raise `InputError` with what to write if a scale is something else, such as its name."""
    if not isinstance(scale, Scale):
        raise InputError(
            f"scale must be a Scale; found {scale!r}. Write Scale.likert(1, 5), Scale.binary(), "
            "Scale.nominal(names) or Scale.interval(0, 100)."
        )


@dataclass(frozen=True)
class Scale:
    """A declared scale; it is never guessed from the observed values.

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
        """Scale of the whole numbers from ``low`` to ``high``, in order."""
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
        """Scale of 0 and 1, in order."""
        return cls("binary", (0, 1), 0.0, 1.0)

    @classmethod
    def nominal(cls, categories: Sequence[Hashable]) -> Self:
        """Scale of categories without an order."""
        unordered = tuple(categories)
        unusable = [category for category in unordered if not _is_category(category)]
        if unusable:
            raise InputError(
                f"Scale.nominal needs text or numbers as categories; found {unusable[0]!r}."
            )
        if len(set(unordered)) != len(unordered) or not unordered:
            raise InputError(
                f"Scale.nominal needs at least one category and each only once; "
                f"found {list(unordered)!r}."
            )
        return cls("nominal", unordered)

    @classmethod
    def interval(cls, low: float, high: float) -> Self:
        """Continuous scale of all numbers from ``low`` to ``high``."""
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise InputError(
                f"Scale.interval needs two finite numbers, the first below the second; "
                f"found {low!r} and {high!r}."
            )
        return cls("interval", (), float(low), float(high))

    @property
    def level(self) -> Level:
        """Level of measurement of this scale."""
        return _OWN_LEVEL[self.kind]

    @property
    def ordered(self) -> bool:
        """Whether the categories are ordered."""
        return self.kind != "nominal"

    @cached_property
    def codes(self) -> dict[Hashable, int]:
        """Place of every category, from 0."""
        return {category: code for code, category in enumerate(self.categories)}

    @property
    def numbers(self) -> tuple[float, ...]:
        """Number for each category; on a nominal scale its place from 0."""
        numbers = self.categories if self.ordered else range(len(self.categories))
        return tuple(float(number) for number in numbers)  # type: ignore[arg-type]  # ordered: numbers

    def __str__(self) -> str:
        """Scale in English words."""
        return str(self.words)

    @property
    def words(self) -> Phrase:
        """Scale in words."""
        low, high = given(self.low), given(self.high)
        match self.kind:
            case "likert":
                return phrase("likert {low} to {high}", low=low, high=high)
            case "binary":
                return phrase("binary {low} to {high}", low=low, high=high)
            case "interval":
                return phrase("interval {low} to {high}", low=low, high=high)
            case "nominal":
                return phrase(
                    "nominal {categories}", categories=", ".join(map(str, self.categories))
                )


def _is_category(value: object) -> bool:
    """Return whether a value can be a category: it has a hash and equals itself."""
    try:
        hash(value)
    except TypeError:
        return False
    return value is not None and bool(value == value)  # noqa: PLR0124  # nan does not


Scales: TypeAlias = Scale | Mapping[str, Scale]
"""One scale for all dimensions, or the scale of each by its name."""


def scale_of(scales: Scales, dimension: str) -> Scale:
    """Scale of a dimension.

    Raises
    ------
    InputError
        If there are scales by dimension, and none for this one.

    Examples
    --------
    >>> str(scale_of({"usable": Scale.binary()}, "usable"))
    'binary 0 to 1'
    """
    if not isinstance(scales, Mapping):
        return scales
    if dimension not in scales:
        raise InputError(
            f"there is no scale for the dimension {dimension!r}; there are scales for "
            f"{', '.join(map(repr, scales)) or 'none'}."
        )
    return scales[dimension]


def one_scale(scales: Scales) -> Scale | None:
    """Scale that all dimensions share, None if they differ.

    Examples
    --------
    >>> one_scale({"usable": Scale.binary(), "meaning": Scale.likert(1, 5)}) is None
    True
    """
    if not isinstance(scales, Mapping):
        return scales
    first, *others = scales.values()
    return first if all(other == first for other in others) else None


def lengths_of(scales: Mapping[str, Scale]) -> dict[str, float]:
    """Length of each dimension's scale, by which ranges compare; empty where all scales are one.

    Two names differ by one.

    Examples
    --------
    >>> lengths_of({"usable": Scale.binary(), "meaning": Scale.likert(1, 5)})
    {'usable': 1.0, 'meaning': 4.0}
    """
    if one_scale(scales) is not None:
        return {}
    return {name: own.high - own.low if own.ordered else 1.0 for name, own in scales.items()}
