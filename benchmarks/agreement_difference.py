"""Coverage of the interval of a difference of two coefficients, where both are truly the same.

    .venv/bin/python -m benchmarks.agreement_difference

prints the table and writes it to benchmarks/results/agreement_difference.md.
"""

import sys
from pathlib import Path

import numpy as np

from benchmarks.known_agreement import MIXED_OCR, RaterGroup
from ocrjury import RatingTable
from ocrjury.agreement import agreement_difference

RESULT = Path(__file__).parent / "results" / "agreement_difference.md"
RUNS, NOISE = 400, 0.7
STATISTICS = ("krippendorff_alpha", "human_agreement")
HEAD = f"""# The difference of two coefficients

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.agreement_difference`. {RUNS} pairs of
teams for each cell, which are truly alike: the raters of `benchmarks/known_agreement.py` with
normal noise of {NOISE} on a scale from 1 to 5. Cells: how often the 95 % interval of
`agreement_difference` holds 0 (standard error 1.1 points), and its mean length.

| statistic | items | two teams on the same items | two rounds on other items |
|---|--:|--:|--:|
"""


def main() -> None:
    """Measure every cell, print the table and write it."""
    lines = []
    for statistic in STATISTICS:
        for n in (20, 50, 200):
            cells = [_cell(statistic, n, shared=shared) for shared in (True, False)]
            lines.append(f"| {statistic} | {n} | {' | '.join(cells)} |")
            sys.stderr.write(f"{lines[-1]}\n")
    RESULT.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _cell(statistic: str, n: int, *, shared: bool) -> str:
    group = RaterGroup("raters", MIXED_OCR)
    held, length = [], []
    for seed in range(RUNS):
        rng = np.random.default_rng([seed, n, shared])
        truth, other = rng.choice(np.arange(1, 6), (2, n), p=group.shares)
        first = _ratings(rng, group, truth, prefix="a")
        second = _ratings(rng, group, truth if shared else other, prefix="a" if shared else "b")
        found = agreement_difference(first, second, statistic=statistic)
        held.append(found.low <= 0 <= found.high)
        length.append(found.high - found.low)
    return f"{np.mean(held):.1%}, length {np.mean(length):.3f}"


def _ratings(
    rng: np.random.Generator, group: RaterGroup, truth: np.ndarray, *, prefix: str
) -> RatingTable:
    """Ratings of items of known levels."""
    noise = rng.normal(0, NOISE, (len(truth), group.raters))
    ratings = np.clip(np.rint(truth[:, None] + noise), 1, 5)
    items = [f"{prefix}{place}" for place in range(len(truth))]
    return RatingTable.from_matrix(ratings, scale=group.scale, items=items)


if __name__ == "__main__":
    main()
