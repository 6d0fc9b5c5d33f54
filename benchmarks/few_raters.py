"""Coverage of ranges for other raters where few rated, or few items were rated twice.

    .venv/bin/python -m benchmarks.few_raters

prints the table and writes it to benchmarks/results/few_raters.md.
"""

import itertools
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from scipy.special import ndtr

from ocrjury.estimate import Estimate
from ocrjury.estimation import interval, rated_mean, rated_share
from ocrjury.estimation.change import compare_evaluations
from ocrjury.estimation.groups import means_by_group
from ocrjury.estimation.rated_sample import RatedSample

RESULT = Path(__file__).parent / "results" / "few_raters.md"
RUNS, SCORE_SD, NOISE_SD, WHOLE = 1000, 1.0, 0.5, 10**6
_T_QUANTILE = interval.t_quantile
Range = tuple[Estimate, float]
"""An estimate, and the truth."""


@dataclass(frozen=True)
class Design:
    """Raters, spread of their severities, items drawn of a pool, and how many two raters rate."""

    raters: int
    severity: float
    items: int
    twice: int
    pool: int = WHOLE
    shape: str = "normal"

    def rated_by(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Item and rater of each rating, in balanced pairs and then in turn."""
        pairs = rng.permutation(list(itertools.combinations(range(self.raters), 2)))
        single = np.arange(self.items - self.twice) % self.raters
        item = [np.repeat(np.arange(self.twice), 2), np.arange(self.twice, self.items)]
        rater = [np.resize(pairs, (self.twice, 2)).ravel(), single]
        return np.concatenate(item), np.concatenate(rater)

    def severities(self, rng: np.random.Generator) -> np.ndarray:
        """Of each rater, with mean 0 over all raters there could be."""
        if self.shape == "exponential":
            return self.severity * (rng.exponential(size=self.raters) - 1)
        return self.severity * rng.normal(size=self.raters)


DESIGNS = (
    Design(2, 0.0, 200, 200),
    Design(2, 0.3, 200, 200),
    Design(3, 0.0, 200, 77),
    Design(3, 0.3, 200, 200),
    Design(3, 0.3, 300, 77, pool=300),
    Design(3, 0.3, 200, 200, shape="exponential"),
    Design(6, 0.0, 200, 200),
    Design(6, 0.1, 300, 77, pool=300),
    Design(6, 0.2, 300, 77, pool=400),
    Design(6, 0.25, 200, 77),
    Design(6, 0.25, 200, 200),
    Design(6, 0.25, 200, 0),
    Design(12, 0.25, 200, 77),
)


@dataclass(frozen=True)
class World:
    """One evaluation: true scores of the items and the pool's mean, and who rated what."""

    design: Design
    scores: np.ndarray
    pool_mean: float
    item: np.ndarray
    rater: np.ndarray

    @property
    def items(self) -> pd.DataFrame:
        """Items as drawn, each with the same chance."""
        n = self.design.items
        kinds = np.where(np.arange(n) % 4 == 0, "bill", "form")
        return pd.DataFrame(
            {"item": range(n), "inclusion_probability": n / self.design.pool, "kind": kinds}
        )

    def ratings(self, severity: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
        """Ratings without the rounding of a scale."""
        noise = NOISE_SD * rng.normal(size=len(self.item))
        value = self.scores[self.item] + severity[self.rater] + noise
        return pd.DataFrame({"item": self.item, "rater": self.rater, "rating": value})


def world(design: Design, rng: np.random.Generator) -> World:
    """Items of a pool whose other scores are known by their mean alone."""
    scores, rest = SCORE_SD * rng.normal(size=design.items), design.pool - design.items
    total = scores.sum() + SCORE_SD * rng.normal() * np.sqrt(rest)
    return World(design, scores, float(total / design.pool), *design.rated_by(rng))


def mean(design: Design, rng: np.random.Generator) -> Range:
    """Headline without auxiliaries."""
    of = world(design, rng)
    return rated_mean(of.ratings(design.severities(rng), rng), items=of.items), of.pool_mean


def share(design: Design, rng: np.random.Generator) -> Range:
    """Share of ratings of half a point or more, in a pool without end."""
    of = world(replace(design, pool=WHOLE), rng)
    found = rated_share(of.ratings(design.severities(rng), rng), items=of.items, at_least=0.5)
    spread = np.sqrt(SCORE_SD**2 + design.severity**2 + NOISE_SD**2)
    return found, float(1 - ndtr(0.5 / spread))


def kinds(design: Design, rng: np.random.Generator) -> Range:
    """Mean of a quarter of a pool without end."""
    of = world(replace(design, pool=WHOLE), rng)
    ratings = of.ratings(design.severities(rng), rng)
    return means_by_group(ratings, items=of.items, group="kind")["bill"], 0.0


def change(design: Design, rng: np.random.Generator) -> Range:
    """Change from one evaluation to another of other items by other raters, which is none."""
    sides = []
    for raters in ("before", "after"):
        of = world(replace(design, pool=WHOLE), rng)
        ratings = of.ratings(design.severities(rng), rng)
        named = ratings.assign(
            rater=[f"{raters} {name}" for name in ratings["rater"]],
            item=[f"{raters} {name}" for name in ratings["item"]],
        )
        items = of.items.assign(item=[f"{raters} {name}" for name in of.items["item"]])
        sides.append(RatedSample(named, items))
    return compare_evaluations(*sides), 0.0


WHAT: dict[str, Callable[[Design, np.random.Generator], Range]] = {
    "mean": mean,
    "share": share,
    "mean of a quarter": kinds,
    "change": change,
}
HEAD = f"""# Ranges for other raters, of few raters

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.few_raters`. {RUNS} simulated evaluations
for each cell: scores with a standard deviation of {SCORE_SD:g} and ratings with noise of
{NOISE_SD:g} points, not rounded, severities with the standard deviation of the second column, items
drawn with equal chances, no gold, no auxiliaries. Cells: how often the 95 % interval of
`rated_mean(raters="others")`, `rated_share`, `means_by_group` and `compare_evaluations` (other
items, other raters) holds the truth for infinitely many raters (standard error .7 points at 95 %),
and its mean length; behind the stroke the same by Satterthwaite's degrees of freedom alone, from
the same ratings.

| raters | severities | items | rated twice | {" | ".join(WHAT)} |
|--:|---|---|--:|{"--:|" * len(WHAT)}
"""


def main() -> None:
    """Measure every cell, print the table and write it."""
    lines = []
    with ProcessPoolExecutor(2) as pool:
        for design in DESIGNS:
            cells = list(pool.map(_cell, [design] * len(WHAT), WHAT))
            of = f"{design.items}" if design.pool == WHOLE else f"{design.items} of {design.pool}"
            spread = f"{design.severity:g}, {design.shape}" if design.severity else "0"
            lines.append(
                f"| {design.raters} | {spread} | {of} | {design.twice} | {' | '.join(cells)} |"
            )
            sys.stderr.write(f"{lines[-1]}\n")
    RESULT.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _cell(design: Design, name: str) -> str:
    with mock.patch.object(interval, "t_quantile", _by_satterthwaite):
        before = _coverage(design, name)
    return f"{_coverage(design, name)} / {before}"


def _by_satterthwaite(parts: Sequence[interval.Part], confidence: float) -> float:
    return _T_QUANTILE([replace(part, measured=None) for part in parts], confidence)


def _coverage(design: Design, name: str) -> str:
    held, length = [], []
    for seed in range(RUNS):
        rng = np.random.default_rng([seed, design.raters, design.items])
        found, truth = WHAT[name](design, rng)
        held.append(found.low <= truth <= found.high)
        length.append(found.high - found.low)
    return f"{np.mean(held):.1%}, {np.mean(length):.2f}"


if __name__ == "__main__":
    main()
