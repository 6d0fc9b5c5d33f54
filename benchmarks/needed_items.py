"""Simulate whether as many items as the gate asks for bring a PASS with the chance it names.

    .venv/bin/python -m benchmarks.needed_items

prints the table and writes it to benchmarks/results/needed_items.md (about 2 minutes).
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.gate import measured
from benchmarks.known_agreement import GROUPS, RARE, Floats, RaterGroup
from ocrjury.gate import GatePolicy, Verdict, judge

RESULT = Path(__file__).parent / "results" / "needed_items.md"
POLICY = replace(GatePolicy.preset("default"), looks=2)
FOUND, FOUND_OF_RARE, NEAR = (0.75, 0.80), (0.80, 0.85), 0.01
FIRST, MOST_TRIES = (50, 100), 8_000


@dataclass(frozen=True, slots=True)
class Cell:
    """Evaluations of one group of raters in which alpha was found as it is."""

    group: RaterGroup
    alpha: float
    first: int

    def first_looks(self, rng: np.random.Generator, tries: int) -> Iterator[tuple[Floats, int]]:
        """Ratings in doubt whose value is the true one, and how many items they need."""
        noise = self.group.noise_for(self.alpha)
        for _ in range(tries):
            ratings = self.group.matrix(rng, self.first, noise)
            verdict = verdict_of(self.group, ratings, look=1)
            need, value = verdict.needed_items, verdict.by_dimension["d"].value
            if need is not None and abs(value - self.alpha) <= NEAR:
                yield ratings, need

    def line(self, runs: int) -> str | None:
        """Row of the table, None where too few evaluations are in doubt."""
        rng = np.random.default_rng([self.first, round(1000 * self.alpha)])
        noise, needed, decided = self.group.noise_for(self.alpha), [], []
        for ratings, need in self.first_looks(rng, MOST_TRIES):
            more = np.concatenate([ratings, self.group.matrix(rng, need, noise)])
            needed.append(need)
            decided.append(verdict_of(self.group, more, look=2, before=self.first).decision)
            if len(needed) == runs:
                break
        if len(needed) < runs / 4:
            return None
        passed = decided.count("PASS") / len(decided)
        error = (passed * (1 - passed) / len(decided)) ** 0.5
        return (
            f"| {self.group.name} | {self.alpha:g} | {self.first} | {len(decided)} | "
            f"{np.median(needed):.0f} | {passed:.0%} ± {error:.0%} | "
            f"{decided.count('FAIL') / len(decided):.0%} |"
        )


def verdict_of(
    group: RaterGroup, ratings: Floats, *, look: int, before: int | None = None
) -> Verdict:
    """Verdict at a look of the two that are planned."""
    estimates = {"d": measured(group.table(ratings))}
    known = None if before is None else {"d": [before]}
    return judge(estimates, POLICY, look=look, items_before=known)


def cells() -> list[Cell]:
    """All cells of the table."""
    found = [(group, FOUND) for group in GROUPS] + [(group, FOUND_OF_RARE) for group in RARE]
    return [Cell(group, alpha, n) for group, of in found for n in FIRST for alpha in of]


def main() -> None:
    """Run the simulation, print the table and write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()
    lines = [line for cell in cells() if (line := cell.line(arguments.runs)) is not None]
    text = "\n".join([preface(arguments.runs), *lines])
    sys.stdout.write(f"{text}\n")
    if not arguments.no_write:
        RESULT.write_text(f"{text}\n", encoding="utf-8")


def preface(runs: int) -> str:
    """What the table shows."""
    return f"""# As many items as the gate asks for

Made by `.venv/bin/python -m benchmarks.needed_items` with fixed seeds. The default policy with two
looks is INCONCLUSIVE at the first and names a number of further items; they come from the same
population, and the second look judges all items. The number aims at a PASS in
{POLICY.chance:.0%} of cases if the true agreement is the value found, so only evaluations count
whose value lies within {NEAR:g} of the true alpha: {runs} in each row, or as many as
{MOST_TRIES:,} tries gave. Rows with fewer than a quarter of that, because the first look
passes or asks for more than ten times its items, are left out.

Shares differ from {POLICY.chance:.0%} because the standard error found is not the true one
either: a value well above the floor is in doubt where its error came out too large; near the floor
a number is named, and not called out of reach, where its error came out too small.

| raters | true alpha | items | evaluations | median needed | then PASS | FAIL |
|---|--:|--:|--:|--:|--:|--:|"""


if __name__ == "__main__":
    main()
