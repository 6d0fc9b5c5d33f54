"""Ratings saved by the default design, and the coverage of its intervals.

Draws samples from pools whose worth is known, many times, with fixed seeds:

    OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.sampling --peers FOLDER

prints the tables and writes them to benchmarks/results/sampling.md. FOLDER holds ppi-python and
samplics, see `benchmarks.sampling_peers`; without it their rows are left out.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import differing_raters, inferred_labels, sampling_speed
from benchmarks.sampling_runs import (
    DEFAULT,
    SETTINGS,
    WAYS,
    Setting,
    outcomes_of,
    pool_of,
)

RESULT = Path(__file__).parent / "results" / "sampling.md"
FOLDER = "OCRJURY_BENCH_PEERS"
COVERED = (0.94, 0.97)
TITLES = {
    "simulated": "Heavy-tailed pool",
    "scrambled": "The same, with the error rates of 70 % of the documents exchanged",
    "bundled": "Bundled pool (real error rates, simulated scores)",
}
PREFACE = """# Sampling and estimation

The default design draws half of the documents at random, 30 % stratified and 20 % by risk, in
one draw with known probabilities. Its estimate is `greg_mean` with `auxiliaries` of CER,
confidence and type. The large pool is `benchmarks.heavy_tailed_pool`: 46 % of the documents have
no error, CER goes up to 160 %, and people's scores correlate at -.85 with log CER. Raters make
no errors until the last parts. Seeds are fixed.

* **covers**: share of the 95 % intervals that contain the pool's true value; the standard error is
  0.6 points with 1,500 samples and 0.8 with 800.
* **for each of ours**: how many ratings of a simple random sample are worth one rating of this row:
  the variance of that sample's mean over the mean squared error.
* The **naive mean** weights every document of the sample equally.
* The **target design** draws in proportion to the spread of "unusable" in an earlier evaluation of
  the same size.
* ppi-python and samplics run in their own processes. ppi-python predicts by 5 - 2 log10(1 + 100
  CER), cut to the scale, and ignores inclusion probabilities and the finite pool. samplics has the
  weights of our draws and no auxiliaries.
* No row has scores of automatic judges. What they save as auxiliaries and in the draw
  is measured in [judge_scores.md](judge_scores.md).

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.sampling --peers FOLDER`."""


def main() -> None:
    """Run all settings, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--share", type=float, default=1.0, help="share of the samples")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--peers", type=Path, default=os.environ.get(FOLDER))
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()
    how = {"share": arguments.share, "processes": arguments.processes}
    text = "\n".join(report(**how, peers=arguments.peers)) + "\n"
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


def report(*, share: float, processes: int, peers: Path | None) -> Iterator[str]:
    """Yield the lines of the result."""
    yield PREFACE
    yield from sampling_speed.report()
    for setting in SETTINGS:
        estimates = outcomes_of(setting, share=share, processes=processes, peers=peers)
        yield from table(setting, estimates)
    yield from differing_raters.report(share=share, processes=processes)
    yield from inferred_labels.report(share=share, processes=processes)


def table(setting: Setting, estimates: pd.DataFrame) -> Iterator[str]:
    """Yield the section of one setting."""
    pool = pool_of(setting.pool)
    noun = "fields" if setting.pool == "bundled" else "documents"
    size, runs = len(pool.frame), int((estimates["way"] == DEFAULT).sum() / pool.outcomes.shape[1])
    yield f"\n## {TITLES[setting.pool]}, {setting.n} of {size:,} {noun}, {runs:,} samples\n"
    yield "| outcome | estimate | samples | bias | RMSE | covers | width | for each of ours | |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|---|"
    for outcome, truth in pool.truth.items():
        of = estimates[estimates["outcome"] == outcome]
        alike = pool.outcomes[outcome].var() * (1 - setting.n / size) / setting.n
        for way in (name for name in WAYS if (of["way"] == name).any()):
            rows = of[of["way"] == way]
            yield _line(setting, str(outcome), Facts.of(rows, float(truth), float(alike)))
    yield from _rare(setting, estimates)


@dataclass(frozen=True)
class Facts:
    """Performance of one estimator of an outcome."""

    way: str
    truth: float
    samples: int
    bias: float
    rmse: float
    covers: float
    width: float
    ratio: float

    @classmethod
    def of(cls, rows: pd.DataFrame, truth: float, alike: float) -> "Facts":
        """Summary of the errors; ``alike`` is the variance of a simple random sample's mean."""
        error = rows["value"] - truth
        return cls(
            str(rows["way"].iloc[0]),
            truth,
            len(rows),
            error.mean(),
            float(np.sqrt((error**2).mean())),
            float(((rows["low"] <= truth) & (truth <= rows["high"])).mean()),
            (rows["high"] - rows["low"]).mean(),
            alike / float((error**2).mean()),
        )


def _line(setting: Setting, outcome: str, facts: Facts) -> str:
    """Line of the table."""
    outcomes, way = [], facts.way
    goal = dict(setting.goals).get(outcome)
    if way == DEFAULT and goal is not None:
        outcomes.append(f"{goal:g}x {'met' if facts.ratio >= goal else 'missed'}")
    if way == DEFAULT and outcome in setting.covered:
        inside = COVERED[0] <= facts.covers <= COVERED[1]
        outcomes.append(f"94 to 97 % {'met' if inside else 'missed'}")
    name = f"{outcome} ({facts.truth:.3f})" if way == WAYS[0] else ""
    return (
        f"| {name} | {way} | {facts.samples:,} | {facts.bias:+.4f} | {facts.rmse:.4f} "
        f"| {facts.covers:.1%} | {facts.width:.4f} | {facts.ratio:.2f} | {', '.join(outcomes)} |"
    )


def _rare(setting: Setting, estimates: pd.DataFrame) -> Iterator[str]:
    """Yield the share of estimates marked as resting on too few cases, and their coverage."""
    pool = pool_of(setting.pool)
    ours = estimates[(estimates["way"] == DEFAULT) & (estimates["outcome"] != "score")]
    yield '\nMarked "too few cases" (under 10 documents on the smaller side of the share):\n'
    yield "| outcome | in the pool | marked | covers if marked | covers if not |"
    yield "|---|--:|--:|--:|--:|"
    for outcome, rows in ours.groupby("outcome", sort=False):
        truth = pool.truth[outcome]
        holds = (rows["low"] <= truth) & (truth <= rows["high"])
        cells = [
            f"{holds[which].mean():.1%} of {int(which.sum()):,}" if which.any() else ""
            for which in (rows["few"], ~rows["few"])
        ]
        marked = f"{rows['few'].mean():.1%}"
        yield f"| {outcome} | {truth:.2%} | {marked} | {cells[0]} | {cells[1]} |"


if __name__ == "__main__":
    main()
