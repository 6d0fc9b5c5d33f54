"""Coverage of the two ranges of a difference between systems, where raters have tastes.

    OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.system_differences

prints the table and writes it to benchmarks/results/system_differences.md.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ocrjury.estimation import RatedSample
from ocrjury.estimation.system_differences import Ranges, compare_groups, compare_pairs

RESULT = Path(__file__).parent / "results" / "system_differences.md"
RUNS, PAGES, TRUE = 400, 100, 0.3
PAGE_SD, DIFFERENCE_SD, SEVERITY_SD, NOISE_SD = 0.8, 0.5, 0.4, 0.5
TASTES = (0.0, 0.1, 0.2, 0.4)


@dataclass(frozen=True)
class Design:
    """Raters, how many judge an output, and whether others judge the other output of a page."""

    raters: int
    per_output: int
    apart: bool

    def ratings(self, taste: float, rng: np.random.Generator) -> pd.DataFrame:
        """Ratings of two systems on every page; a rater's taste is for or against the first."""
        severity = SEVERITY_SD * rng.normal(size=self.raters)
        mind = taste * rng.normal(size=self.raters)
        level = rng.normal(3, PAGE_SD, size=PAGES)
        better = TRUE + DIFFERENCE_SD * rng.normal(size=PAGES)
        rows = []
        for page in range(PAGES):
            first = rng.choice(self.raters, self.per_output, replace=False)
            other = rng.choice(self.raters, self.per_output, replace=False) if self.apart else first
            for system, half, who in ((0, 0.5, first), (1, -0.5, other)):
                value = level[page] + half * (better[page] + mind[who]) + severity[who]
                noise = NOISE_SD * rng.normal(size=len(who))
                rows += [(page, system, *pair) for pair in zip(who, value + noise, strict=True)]
        return pd.DataFrame(rows, columns=["page", "system", "rater", "rating"])

    def found(self, ratings: pd.DataFrame) -> Ranges:
        """Difference of the first system less the second, for a pool without end."""
        return _by_mean(ratings) if self.apart else _by_page(ratings)


DESIGNS = (
    *(Design(raters, 2, apart=False) for raters in (2, 3, 4, 6, 12)),
    Design(6, 1, apart=False),
    *(Design(raters, 2, apart=True) for raters in (2, 4, 6)),
    Design(6, 1, apart=True),
)
HEAD = f"""# Ranges of a difference between two systems

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.system_differences`. {RUNS} simulated
evaluations for each cell: {PAGES} pages of a pool without end, on which the first system is
{TRUE:g} points better with a standard deviation of {DIFFERENCE_SD:g}, severities with one of
{SEVERITY_SD:g}, noise of {NOISE_SD:g} points. A taste is by how many points more a rater likes the
first system than others do. *Same raters* judge both outputs of a page (`compare_pairs`); *other
raters* are drawn for each output (`compare_groups`). Cells: how often the 95 % range for these
raters, and that for other raters, holds what infinitely many raters would find (standard error 1.1
points at 95 %), and its mean length.

| raters | of an output | other output | {" | ".join(f"tastes {taste:g}" for taste in TASTES)} |
|--:|--:|---|{"---|" * len(TASTES)}
"""


def main() -> None:
    """Measure every cell, print the table and write it."""
    lines = []
    with ProcessPoolExecutor(2) as pool:
        for design in DESIGNS:
            cells = list(pool.map(_cell, [design] * len(TASTES), TASTES))
            who = "other raters" if design.apart else "same raters"
            start = f"| {design.raters} | {design.per_output} | {who} | "
            lines.append(f"{start}{' | '.join(cells)} |")
            sys.stderr.write(f"{lines[-1]}\n")
    RESULT.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _cell(design: Design, taste: float) -> str:
    held, length = [], []
    for seed in range(RUNS):
        rng = np.random.default_rng([seed, design.raters, design.per_output])
        both = design.found(design.ratings(taste, rng))
        held.append([one.low <= TRUE <= one.high for one in both])
        length.append([one.high - one.low for one in both])
    cells = zip(np.mean(held, axis=0), np.mean(length, axis=0), strict=True)
    return " / ".join(f"{share:.1%}, {points:.2f}" for share, points in cells)


def _by_page(ratings: pd.DataFrame) -> Ranges:
    wide = ratings.pivot_table(index=["page", "rater"], columns="system", values="rating")
    of_each = (wide[0] - wide[1]).rename("rating").reset_index()
    items = pd.DataFrame({"item": range(PAGES), "inclusion_probability": 1e-6})
    return compare_pairs(RatedSample(of_each.rename(columns={"page": "item"}), items))


def _by_mean(ratings: pd.DataFrame) -> Ranges:
    named = ratings.assign(item=2 * ratings["page"] + ratings["system"])
    items = named.drop_duplicates("item", ignore_index=True)[["item", "page", "system"]]
    items = items.assign(inclusion_probability=1e-6, cluster=items["page"])
    sample = RatedSample(named, items, np.zeros((len(items), 0)), [])
    nothing: dict[object, list[float]] = {0: [], 1: []}
    return compare_groups(sample, nothing, group="system", unit="page", of=(0, 1), coordinated=True)


if __name__ == "__main__":
    main()
