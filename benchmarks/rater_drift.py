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
from ocrjury.estimation import RatedSample, compare_evaluations

RESULT = Path(__file__).parent / "results" / "rater_drift.md"
RUNS, DOCUMENTS, PER_DOCUMENT, TRUE = 400, 100, 2, 0.3
DOCUMENT_SD, CHANGE_SD, SEVERITY_SD, NOISE_SD = 0.8, 0.3, 0.3, 0.5
DRIFTS = (0.0, 0.1, 0.2, 0.4)
RATERS = (2, 3, 4, 6, 12)
HEAD = f"""# Ranges of a change between two evaluations

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.rater_drift`. {RUNS} simulated pairs of
evaluations for each cell: the same {DOCUMENTS} documents of a pool without end and the same raters,
{PER_DOCUMENT} ratings of a document by raters drawn anew, documents {TRUE:g} points better the
second time with a standard deviation of {CHANGE_SD:g}, severities with one of {SEVERITY_SD:g},
noise of {NOISE_SD:g} points. A drift is by how many points a rater's severity of one evaluation
differs from what it is on average. Cells: how often the 95 % range of the change holds the true one
(standard error 1.1 points at 95 %), and its mean length; `compare_evaluations(raters="others")`.

| raters | {" | ".join(f"drifts {drift:g}" for drift in DRIFTS)} |
|--:|{"---|" * len(DRIFTS)}
"""


def main() -> None:
    """Measure every cell, print the table and write it."""
    lines = []
    with ProcessPoolExecutor(2) as pool:
        for raters in RATERS:
            cells = list(pool.map(_cell, [raters] * len(DRIFTS), DRIFTS))
            lines.append(f"| {raters} | {' | '.join(cells)} |")
            sys.stderr.write(f"{lines[-1]}\n")
    RESULT.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _cell(raters: int, drift: float) -> str:
    held, length = [], []
    for seed in range(RUNS):
        rng = np.random.default_rng([seed, raters])
        severity = SEVERITY_SD * rng.normal(size=raters)
        level = rng.normal(3, DOCUMENT_SD, size=DOCUMENTS)
        later = level + TRUE + CHANGE_SD * rng.normal(size=DOCUMENTS)
        sides = [
            _rated(of, severity + drift * rng.normal(size=raters), rng) for of in (level, later)
        ]
        change = compare_evaluations(*sides)
        held.append(change.low <= TRUE <= change.high)
        length.append(change.high - change.low)
    return f"{np.mean(held):.1%}, {np.mean(length):.2f}"


def _rated(level: Floats, severity: Floats, rng: np.random.Generator) -> RatedSample:
    raters, n = len(severity), len(level)
    rater = np.array([rng.choice(raters, PER_DOCUMENT, replace=False) for _ in range(n)])
    value = level[:, None] + severity[rater] + NOISE_SD * rng.normal(size=rater.shape)
    columns = {"item": np.repeat(np.arange(n), PER_DOCUMENT), "rater": rater.ravel()}
    items = pd.DataFrame({"item": np.arange(n), "inclusion_probability": 1e-6})
    return RatedSample(pd.DataFrame({**columns, "rating": value.ravel()}), items)


if __name__ == "__main__":
    main()
