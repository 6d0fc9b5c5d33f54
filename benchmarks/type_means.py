"""Coverage of the range of a document type's mean, where raters differ by document type.

    OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.type_means

prints the table and writes it to benchmarks/results/type_means.md.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ocrjury.estimation import means_by_group

RESULT = Path(__file__).parent / "results" / "type_means.md"
RUNS, TYPES, PER_DOCUMENT = 400, 4, 2
DOCUMENT_SD, NOISE_SD = 0.8, 0.5
TASTES = (0.0, 0.1, 0.2, 0.4)


@dataclass(frozen=True)
class Design:
    """Number of raters, documents of a type, and how much raters differ in all types alike."""

    raters: int
    documents: int
    severity: float

    def ratings(self, taste: float, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Documents and their ratings; every type's true mean is 3."""
        shift = self.severity * rng.normal(size=self.raters)[:, None]
        shift = shift + taste * rng.normal(size=(self.raters, TYPES))
        n = TYPES * self.documents
        kind = np.repeat(np.arange(TYPES), self.documents)
        level = rng.normal(3, DOCUMENT_SD, size=n)
        rater = np.array([rng.choice(self.raters, PER_DOCUMENT, replace=False) for _ in range(n)])
        noise = NOISE_SD * rng.normal(size=rater.shape)
        value = level[:, None] + shift[rater, kind[:, None]] + noise
        columns = {"item": np.repeat(np.arange(n), PER_DOCUMENT), "rater": rater.ravel()}
        items = {"item": np.arange(n), "kind": kind, "inclusion_probability": 1e-6}
        return pd.DataFrame({**columns, "rating": value.ravel()}), pd.DataFrame(items)


DESIGNS = [
    Design(raters, documents, severity)
    for severity in (0.1, 0.4)
    for documents in (25, 100)
    for raters in (2, 3, 4, 6, 12)
]
HEAD = f"""# Ranges of the means of document types

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.type_means`. {RUNS} simulated evaluations
for each cell: {TYPES} document types of a pool without end, {PER_DOCUMENT} ratings of a document,
documents of a type with a standard deviation of {DOCUMENT_SD:g} points, noise of {NOISE_SD:g}. A
rater is stricter or more lenient in all types alike, by a *severity*, and in each of them by a
*taste* besides. Cells: how often the 95 % range of a type's mean for other raters holds what
infinitely many raters would find (standard error about .7 points at 95 %), and its mean length.

| raters | documents of a type | severities | {" | ".join(f"tastes {x:g}" for x in TASTES)} |
|--:|--:|--:|{"---|" * len(TASTES)}
"""


def main() -> None:
    """Measure every cell, print the table and write it."""
    lines = []
    with ProcessPoolExecutor(2) as pool:
        for design in DESIGNS:
            cells = list(pool.map(_cell, [design] * len(TASTES), TASTES))
            start = f"| {design.raters} | {design.documents} | {design.severity:g} | "
            lines.append(f"{start}{' | '.join(cells)} |")
            sys.stderr.write(f"{lines[-1]}\n")
    RESULT.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _cell(design: Design, taste: float) -> str:
    held, length = [], []
    for seed in range(RUNS):
        rng = np.random.default_rng([seed, design.raters, design.documents])
        ratings, items = design.ratings(taste, rng)
        means = means_by_group(ratings, items=items, group="kind").values()
        held += [mean.low <= 3 <= mean.high for mean in means]
        length += [mean.high - mean.low for mean in means]
    return f"{np.mean(held):.1%}, {np.mean(length):.2f}"


if __name__ == "__main__":
    main()
