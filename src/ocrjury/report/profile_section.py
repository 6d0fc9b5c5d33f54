"""What each rater's ratings look like, without any test."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One rater's ratings on one dimension; nan where a scale has no numbers.

    ``rank`` is 1 for the strictest; ``skew`` and ``kurtosis`` (excess) are moment ratios, ``sd``
    divides by n - 1; ``counts`` are ratings per level of the scale.
    """

    rater: str
    rank: int | None
    count: int
    mean: float
    sd: float
    median: float
    skew: float
    kurtosis: float
    low: float
    high: float
    counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Profiles:
    """The raters of one dimension, the strictest first."""

    dimension: str
    rows: tuple[Profile, ...]
