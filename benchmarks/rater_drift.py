"""Coverage of the range of a change between two evaluations, where raters change too.

    OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.rater_drift

prints the table and writes it to benchmarks/results/rater_drift.md.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.estimation import RatedSample, trend

RESULT = Path(__file__).parent / "results" / "rater_drift.md"
RUNS, DOCUMENTS, PER_DOCUMENT, TRUE, CHANGES = 400, 100, 2, 0.3, 5
DOCUMENT_SD, CHANGE_SD, SEVERITY_SD, NOISE_SD = 0.8, 0.3, 0.3, 0.5
DRIFTS = (0.0, 0.1, 0.2, 0.4)
RATERS = (2, 3, 4, 6, 12)
HEAD = f"""# Ranges of a change between two evaluations

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.rater_drift`. {RUNS} simulated campaigns
for each row: {CHANGES + 1} evaluations of the same {DOCUMENTS} documents of a pool without end by
the same raters, {PER_DOCUMENT} ratings of a document by raters drawn anew, documents {TRUE:g}
points better each time with a standard deviation of {CHANGE_SD:g}, severities with one of
{SEVERITY_SD:g}, noise of {NOISE_SD:g} points. A drift is by how many points a rater's severity of
one evaluation differs from what it is on average; *drifts* is their standard deviation. Cells: how
often the 95 % range of the change since the evaluation before, for other raters, holds the true one
(standard error 1.1 points at 95 %), and its mean length. Earlier drifts of the raters count in each
(`trend`).

| raters | drifts | {" | ".join(f"change {place + 1}" for place in range(CHANGES))} |
|--:|--:|{"---|" * CHANGES}
"""


def main() -> None:
    """Measure every cell, print the table and write it."""
    rows = [(raters, drift) for raters in RATERS for drift in DRIFTS]
    lines = []
    with ProcessPoolExecutor(2) as pool:
        for (raters, drift), cells in zip(rows, pool.map(_row, rows), strict=True):
            lines.append(f"| {raters} | {drift:g} | {cells} |")
            sys.stderr.write(f"{lines[-1]}\n")
    RESULT.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _row(row: tuple[int, float]) -> str:
    raters, drift = row
    held, length = [], []
    for seed in range(RUNS):
        rng = np.random.default_rng([seed, raters])
        severity = SEVERITY_SD * rng.normal(size=raters)
        level = rng.normal(3, DOCUMENT_SD, size=DOCUMENTS)
        campaign = {}
        for week in range(CHANGES + 1):
            moved = severity + drift * rng.normal(size=raters)
            campaign[str(week)] = _rated(level, moved, rng)
            level = level + TRUE + CHANGE_SD * rng.normal(size=DOCUMENTS)
        change = trend(campaign)[1:]
        held.append((change["change_low"] <= TRUE) & (change["change_high"] >= TRUE))
        length.append(change["change_high"] - change["change_low"])
    cells = zip(np.mean(held, axis=0), np.mean(length, axis=0), strict=True)
    return " | ".join(f"{share:.1%}, {points:.2f}" for share, points in cells)


def _rated(level: Floats, severity: Floats, rng: np.random.Generator) -> RatedSample:
    raters, n = len(severity), len(level)
    rater = np.array([rng.choice(raters, PER_DOCUMENT, replace=False) for _ in range(n)])
    value = level[:, None] + severity[rater] + NOISE_SD * rng.normal(size=rater.shape)
    columns = {"item": np.repeat(np.arange(n), PER_DOCUMENT), "rater": rater.ravel()}
    items = pd.DataFrame({"item": np.arange(n), "inclusion_probability": 1e-6})
    return RatedSample(pd.DataFrame({**columns, "rating": value.ravel()}), items)


if __name__ == "__main__":
    main()
