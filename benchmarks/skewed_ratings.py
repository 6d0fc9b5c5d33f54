"""Coefficients, their ranges, and who is named strict, where most ratings are alike.

    OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.skewed_ratings

prints the tables and writes them to benchmarks/results/skewed_ratings.md.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from ocrjury import RatingTable, Scale
from ocrjury.agreement import conger_kappa, krippendorff_alpha, measure_agreement
from ocrjury.agreement.mean_kappa import mean_pairwise_weighted_kappa
from ocrjury.findings.severity_tolerance import is_outside, tolerance_of
from ocrjury.rater_model.severity import rater_severities

RESULT = Path(__file__).parent / "results" / "skewed_ratings.md"
RUNS, FEW_RUNS, WHOLE, SEED = 400, 1000, 100_000, 20261130
LEVELS = (5, 2)
TOP = (0.3, 0.7, 0.85, 0.95)
COMMON = (8, 13, 20, 30, 60)
COLUMNS = {
    "krippendorff_alpha": "α",
    "mean_pairwise_weighted_kappa": "weighted κ",
    "mean_pairwise_kappa": "κ",
    "gwet_ac": "AC1",
    "icc": "ICC(2,1)",
    "exact_agreement": "exact",
    "adjacent_agreement": "within ±1",
    "human_agreement": "A^HH",
}
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """Items whose quality is normal, and raters who see it with errors of unlike size.

    Attributes
    ----------
    levels, top
        Levels of the scale, and the share of items at the best; the others have equal shares.
    raters, per_item
        Raters in all, and how many of them rate an item.
    careless
        Share of the last rater's ratings that are drawn at random.
    """

    levels: int
    top: float
    raters: int
    per_item: int
    careless: float = 0.0
    errors: tuple[float, float] = (0.3, 0.6)

    @property
    def scale(self) -> Scale:
        """Scale of the ratings."""
        return Scale.binary() if self.levels == 2 else Scale.likert(1, self.levels)

    def table(self, rng: np.random.Generator, items: int) -> RatingTable:
        """Ratings of new items."""
        quality = rng.normal(size=(items, 1))
        seen = quality + np.linspace(*self.errors, self.raters) * rng.normal(
            size=(items, self.raters)
        )
        cuts = ndtri((1 - self.top) * np.arange(1, self.levels) / (self.levels - 1))
        rating = np.searchsorted(cuts, seen).astype(float) + (self.levels > 2)
        guess = rng.integers(self.levels, size=items) + (self.levels > 2)
        rating[:, -1] = np.where(rng.random(items) < self.careless, guess, rating[:, -1])
        order = rng.random(rating.shape).argsort(axis=1).argsort(axis=1)
        rating[order >= self.per_item] = np.nan
        return RatingTable.from_matrix(rating, scale=self.scale)


HEAD = f"""# Where most ratings are alike

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.skewed_ratings`. The quality of items is
normal; raters see it with errors of .3 to .6 of its standard deviation and cut it into levels, of
which the best has a given share and the others have equal shares. Truth is a coefficient's value
on {WHOLE:,} items of the same raters.

## How often a range holds the truth

95 % ranges of the table of agreement, {RUNS} simulated evaluations in each row (standard error
about 1.1 points at 95 %). *Careless*: the share of one rater's ratings that are drawn at random.
A dash: the coefficient does not fit the scale.

| levels | at the best | items | raters | careless | {" | ".join(COLUMNS.values())} |
|--:|--:|--:|---|--:|{"--:|" * len(COLUMNS)}
"""
FEW = f"""
## Kappas of few common items

Mean over {FEW_RUNS:,} pairs of raters on five levels, less the value on {WHOLE:,} items. Pairs
without a coefficient are left out, as in the report.

| at the best | coefficient | {" | ".join(f"{n} items" for n in COMMON)} |
|--:|---|{"--:|" * len(COMMON)}
"""
NAMED = f"""
## Who is named strict or lenient

Share of {RUNS} simulated evaluations on five levels in which the report names at least one rater
as strict or lenient, though their severities are alike; beside it the share if the printed range
of each rater decided.

| at the best | items | raters | named | by printed ranges |
|--:|--:|---|--:|--:|
"""


def main() -> None:
    """Measure every table, print it and write it."""
    text = ""
    with ProcessPoolExecutor(2) as pool:
        for head, rows, row in (
            (HEAD, list(_designs()), _held),
            (FEW, [*product(TOP, ("weighted κ", "Conger’s weighted κ", "α"))], _too_low),
            (NAMED, [*product(TOP, ((60, 3, 3), (60, 5, 2), (200, 6, 3)))], _named),
        ):
            text += head
            for line in pool.map(row, rows):
                sys.stderr.write(f"{line}\n")
                text += f"{line}\n"
    RESULT.write_text(text, encoding="utf-8")


def _designs() -> Iterator[tuple[World, int]]:
    for levels, top in product(LEVELS, TOP):
        for items, raters, per_item, careless in (
            (60, 3, 3, 0.0),
            (200, 3, 3, 0.0),
            (120, 6, 2, 0.0),
            (200, 6, 3, 0.3),
        ):
            yield World(levels, top, raters, per_item, careless), items


@cache
def _truth(world: World) -> dict[str, float]:
    whole = world.table(np.random.default_rng([SEED, 1]), WHOLE)
    return {key: estimate.value for key, estimate in measure_agreement(whole, ci=None).items()}


def _held(design: tuple[World, int]) -> str:
    world, items = design
    truth, rng = _truth(world), np.random.default_rng([SEED, 2])
    held: dict[str, list[bool]] = {key: [] for key in COLUMNS}
    for _ in range(RUNS):
        estimates = measure_agreement(world.table(rng, items))
        for key in COLUMNS:
            estimate = estimates[key]
            if not np.isnan(estimate.low):
                held[key].append(estimate.low <= truth[key] <= estimate.high)
    cells = [f"{100 * np.mean(of):.0f} %" if len(of) > RUNS / 2 else "-" for of in held.values()]
    who = f"{world.per_item} of {world.raters}"
    start = f"| {world.levels} | {world.top:.0%} | {items} | {who} | {world.careless:.0%} "
    return f"{start}| {' | '.join(cells)} |"


COEFFICIENTS = {
    "weighted κ": mean_pairwise_weighted_kappa,
    "Conger’s weighted κ": lambda table: conger_kappa(table, weights="quadratic", ci=None),
    "α": lambda table: krippendorff_alpha(table, ci=None),
}


def _too_low(cell: tuple[float, str]) -> str:
    top, name = cell
    world, coefficient = World(5, top, 2, 2), COEFFICIENTS[name]
    rng = np.random.default_rng([SEED, 3])
    truth = coefficient(world.table(rng, WHOLE)).value
    cells = []
    for items in COMMON:
        values = [coefficient(world.table(rng, items)).value for _ in range(FEW_RUNS)]
        cells.append(f"{np.nanmean(values) - truth:+.2f}")
    return f"| {top:.0%} | {name} | {' | '.join(cells)} |"


def _named(cell: tuple[float, tuple[int, int, int]]) -> str:
    top, (items, raters, per_item) = cell
    world, rng = (
        World(5, top, raters, per_item, errors=(0.6, 0.6)),
        np.random.default_rng([SEED, 4]),
    )
    tolerance = tolerance_of(world.scale)
    all_at_once, one_by_one = 0, 0
    for _ in range(RUNS):
        severities = list(rater_severities(world.table(rng, items)).values())
        all_at_once += any(is_outside(x, tolerance, of=raters) for x in severities)
        one_by_one += any(is_outside(x, tolerance, of=1) for x in severities)
    shares = f"{all_at_once / RUNS:.0%} | {one_by_one / RUNS:.0%}"
    return f"| {top:.0%} | {items} | {per_item} of {raters} | {shares} |"


if __name__ == "__main__":
    main()
