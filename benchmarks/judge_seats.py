"""How often the alternative annotator test lets a judge pass, by what the judge is worth.

Simulates teams of raters and judges with fixed seeds:

    OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.judge_seats

prints the table and writes it to benchmarks/results/judge_seats.md.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ocrjury import RatingTable, Scale
from ocrjury.agreement import judge_replacement

Floats = npt.NDArray[np.float64]

RESULT = Path(__file__).parent / "results" / "judge_seats.md"
RUNS, LARGE = 500, 40_000
SCALE = Scale.likert(1, 5)
LEVELS = np.arange(1.0, 6.0)
MIXED, CLEAN = (0.05, 0.07, 0.13, 0.25, 0.50), (0.02, 0.02, 0.03, 0.08, 0.85)
NOISE, CARELESS = 0.7, 2.5
ITEMS, ALLOWANCES = (50, 100, 200), (0.1, 0.2)
TEXT = """# The alternative annotator test: how often a judge passes

{runs:,} simulated teams for each cell. Every item has a true level (half of the items 5); raters
and judge add normal noise, round, and stay on the scale from 1 to 5. Raters have noise {noise:g}.

* **at the limit**: the judge is worse than each rater by exactly the allowance, so that passing is
  an error. The test promises an expected share of wrong replacements of 5 %.
* **at the limit, one careless**: the same, and one more rater with noise {careless:g}, whom the
  judge truly beats. Half of the raters are needed to pass.
* **as a rater**: the judge has the noise of a rater. **useless**: a level by lot, as often as in
  truth. **always 5**: whatever the item.

Columns: raters (and ratings of each item), items, share of passes at an allowance of .1 and of .2.

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.judge_seats`."""


@dataclass(frozen=True)
class Team:
    """Number of raters, how many rate each item, and the noise of one more who is careless."""

    raters: int
    per_item: int
    careless: bool = False

    @property
    def name(self) -> str:
        """Name in the table."""
        one = ", one careless" if self.careless else ""
        return f"{self.raters + self.careless} ({self.per_item}){one}"


TEAMS = (Team(2, 2), Team(3, 3), Team(6, 6), Team(6, 2))
WITH_CARELESS = (Team(2, 3, careless=True), Team(4, 5, careless=True))


def truth_of(rng: np.random.Generator, items: int, shares: tuple[float, ...]) -> Floats:
    """True levels."""
    return rng.choice(LEVELS, items, p=shares)


def seen(truth: Floats, noise: Floats, rng: np.random.Generator) -> Floats:
    """Levels that somebody with noise gives."""
    drawn = rng.normal(size=(*truth.shape, *noise.shape)) * noise
    return np.clip(np.round(truth.reshape(-1, *[1] * noise.ndim) + drawn), 1, 5)


def rated(team: Team, truth: Floats, rng: np.random.Generator) -> RatingTable:
    """Ratings of a team."""
    noise = np.array([NOISE] * team.raters + [CARELESS] * team.careless)
    ratings = seen(truth, noise, rng)
    if team.per_item < len(noise):
        place = np.argsort(rng.random(ratings.shape), axis=1)
        ratings = np.where(place < team.per_item, ratings, np.nan)
    return RatingTable.from_matrix(ratings, scale=SCALE)


@cache
def noise_at_the_limit(team: Team, allowance: float) -> float:
    """Noise of a judge that is worse than each of the equal raters by the allowance."""
    low, high = 0.3, 4.0
    while high - low > 0.005:
        middle = (low + high) / 2
        rng = np.random.default_rng(5)
        truth = truth_of(rng, LARGE, MIXED)
        table = rated(team, truth, rng)
        scores = seen(truth, np.array(middle), rng)
        seats = judge_replacement(table, scores.tolist()).seats[: team.raters]
        worse = np.mean([seat.rater_wins - seat.judge_wins for seat in seats])
        low, high = (middle, high) if worse < allowance else (low, middle)
    return (low + high) / 2


def passes(team: Team, judge: str, *, items: int, allowance: float, runs: int) -> float:
    """Share of teams in which a judge passes."""
    shares = CLEAN if judge.endswith("most items clean") else MIXED
    passed = 0
    for seed in range(runs):
        rng = np.random.default_rng([seed, items])
        truth = truth_of(rng, items, shares)
        table = rated(team, truth, rng)
        scores = judged(judge, team, truth, rng=rng, allowance=allowance)
        passed += bool(judge_replacement(table, scores.tolist(), allowance=allowance).passes)
    return passed / runs


def judged(
    judge: str, team: Team, truth: Floats, *, rng: np.random.Generator, allowance: float
) -> Floats:
    """Scores of a judge."""
    if judge.startswith("always 5"):
        return np.full(len(truth), 5.0)
    if judge == "useless":
        return rng.permutation(truth)
    noise = NOISE if judge == "as a rater" else noise_at_the_limit(team, allowance)
    return seen(truth, np.array(noise), rng)


def report(*, runs: int) -> Iterator[str]:
    """Yield the lines of the result."""
    yield TEXT.format(runs=runs, noise=NOISE, careless=CARELESS)
    judges = ("at the limit", "as a rater", "useless", "always 5", "always 5, most items clean")
    for judge, teams in [(name, TEAMS) for name in judges] + [("at the limit", WITH_CARELESS)]:
        yield f"\n## Judge {judge}{', one careless' if teams is WITH_CARELESS else ''}\n"
        yield "| raters | items | allowance .1 | allowance .2 |"
        yield "|---|--:|--:|--:|"
        for team, items in product(teams, ITEMS):
            cells = [
                f"{passes(team, judge, items=items, allowance=one, runs=runs):.1%}"
                for one in ALLOWANCES
            ]
            yield f"| {team.name} | {items} | {cells[0]} | {cells[1]} |"


def main() -> None:
    """Run, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()
    text = "\n".join(report(runs=arguments.runs)) + "\n"
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
