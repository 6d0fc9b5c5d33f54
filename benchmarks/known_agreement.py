"""Groups of raters with known agreement, and the power of the best test on their ratings."""

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
import numpy.typing as npt

from ocrjury import RatingTable, Scale
from ocrjury.agreement import krippendorff_alpha

FIVE, BINARY = Scale.likert(1, 5), Scale.binary()
CONTINUOUS = Scale.interval(-20, 20)
Floats = npt.NDArray[np.float64]

GOOD_OCR = (0.02, 0.03, 0.10, 0.35, 0.50)
MIXED_OCR = (0.05, 0.10, 0.20, 0.35, 0.30)
LARGE = 400_000  # alpha over so many items counts as true


@dataclass(frozen=True)
class RaterGroup:
    """Raters who see the item's level plus noise, rounded; binary raters err with a share.

    Attributes
    ----------
    shares
        Shares of the levels; empty for a continuous scale.
    raters, per_item
        Raters in all, and how many of them rate an item.
    """

    name: str
    shares: tuple[float, ...] = ()
    raters: int = 3
    per_item: int = 3

    @property
    def scale(self) -> Scale:
        """Scale that the levels are on."""
        return {0: CONTINUOUS, 2: BINARY, 5: FIVE}[len(self.shares)]

    def rate(self, rng: np.random.Generator, n_items: int, noise: float) -> RatingTable:
        """Ratings of new items."""
        return self.table(self.matrix(rng, n_items, noise))

    def table(self, ratings: Floats, weight: Floats | None = None) -> RatingTable:
        """Ratings as a table."""
        return RatingTable.from_matrix(ratings, scale=self.scale, item_weight=weight)

    def matrix(self, rng: np.random.Generator, n_items: int, noise: float) -> Floats:
        """Ratings of new items, one row for each, shape (n_items, raters)."""
        truth = self._truth(rng, n_items)
        shape = (n_items, self.raters)
        if self.scale is BINARY:
            ratings = np.where(rng.random(shape) < noise, 1.0 - truth, truth)
        else:
            ratings = truth + rng.normal(0, noise, shape)
        if self.scale is FIVE:
            ratings = np.clip(np.round(ratings), 1, 5)
        if self.per_item < self.raters:
            assigned = np.argsort(rng.random(shape), axis=1) < self.per_item
            ratings = np.where(assigned, ratings, np.nan)
        return np.asarray(ratings, dtype=float)

    def _truth(self, rng: np.random.Generator, n_items: int) -> Floats:
        """Quality of new items, shape (n_items, 1)."""
        if not self.shares:
            return rng.normal(size=(n_items, 1))
        first = int(self.scale.low)
        levels = np.arange(first, first + len(self.shares))
        return np.asarray(rng.choice(levels, (n_items, 1), p=self.shares), dtype=float)

    @cache  # noqa: B019  # lives as long as the script
    def noise_for(self, alpha: float) -> float:
        """Noise at which alpha over very many items has the wanted value."""
        if not self.shares:
            return ((1 - alpha) / alpha) ** 0.5
        low, high = 0.0, 0.5 if self.scale is BINARY else 3.0
        for _ in range(18):
            middle = (low + high) / 2
            table = self.rate(np.random.default_rng(99), LARGE, middle)
            low, high = (middle, high) if krippendorff_alpha(table).value > alpha else (low, middle)
        return (low + high) / 2


GROUPS = (
    RaterGroup("3 raters, mixed OCR", MIXED_OCR),
    RaterGroup("3 raters, good OCR", GOOD_OCR),
    RaterGroup("2 raters, mixed OCR", MIXED_OCR, 2, 2),
    RaterGroup("2 of 6 raters, mixed OCR", MIXED_OCR, 6, 2),
    RaterGroup("2 raters, continuous", (), 2, 2),
    RaterGroup("3 raters, binary, 70 % right", (0.3, 0.7)),
)
RARE = (
    RaterGroup("3 raters, binary, 95 % right", (0.05, 0.95)),
    RaterGroup("2 raters, binary, 95 % right", (0.05, 0.95), 2, 2),
)


def most_powerful(
    group: RaterGroup,
    n_items: int,
    *,
    floor: float,
    alpha: float,
    size: float,
    draws: int = 100_000,
) -> float:
    """How often the best test tells binary ratings with this alpha from ratings at the floor.

    Parameters
    ----------
    size
        Share of the groups at the floor that it may pass. They have the same share of ratings in
        the rare category.

    Notes
    -----
    Neyman and Pearson's likelihood ratio of the counts of patterns, randomised where it is tied.
    """
    good = pattern_shares(group.shares[0], group.noise_for(alpha), group.raters)
    bad = _with_alpha(floor, float(good @ np.arange(group.raters + 1)) / group.raters, group.raters)
    rng = np.random.default_rng(n_items)
    ratio = np.log(good / bad)
    at_floor, at_alpha = (rng.multinomial(n_items, p, draws) @ ratio for p in (bad, good))
    cut = np.quantile(at_floor, 1 - size)
    (above, tied), (passed, perhaps) = (
        ((ratios > cut + 1e-9).mean(), (np.abs(ratios - cut) <= 1e-9).mean())
        for ratios in (at_floor, at_alpha)
    )
    return float(passed + (size - above) / tied * perhaps)


def _with_alpha(alpha: float, share: float, raters: int) -> Floats:
    """Shares of patterns with this alpha, and this share of ratings in the rare category."""
    low, high = 0.0, share
    for _ in range(60):
        error = (low + high) / 2
        patterns = pattern_shares((share - error) / (1 - 2 * error), error, raters)
        low, high = (error, high) if _alpha_of(patterns) > alpha else (low, error)
    return pattern_shares((share - low) / (1 - 2 * low), low, raters)


def pattern_shares(rare: float, error: float, raters: int) -> Floats:
    """Probability that k raters call an item rare, shape (raters + 1,)."""
    k = np.arange(raters + 1)
    ways = np.array([comb(raters, int(count)) for count in k])
    hit, miss = 1 - error, error
    is_rare, is_not = hit**k * miss ** (raters - k), miss**k * hit ** (raters - k)
    return np.asarray(ways * (rare * is_rare + (1 - rare) * is_not), dtype=float)


def _alpha_of(share: Floats) -> float:
    """Alpha over very many items with these shares of patterns."""
    raters, k = len(share) - 1, np.arange(len(share))
    observed = float(share @ (2 * k * (raters - k))) / (raters * (raters - 1))
    mean = float(share @ k) / raters
    return 1 - observed / (2 * mean * (1 - mean))
