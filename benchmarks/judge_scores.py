"""Ratings saved by an automatic judge's score, in estimate and draw.

Draws samples from the heavy-tailed pool many times, with fixed seeds:

    OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.judge_scores

prints the table and writes it to benchmarks/results/judge_scores.md.
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.heavy_tailed_pool import Floats, KnownPool, simulated_pool
from ocrjury.estimation import auxiliaries, greg_mean
from ocrjury.sampling import choose_risk, draw_sample, risk_scores

RESULT = Path(__file__).parent / "results" / "judge_scores.md"
N, RUNS, FURTHER = 385, 1600, 12_000
COVERED = (0.94, 0.97)
OUTCOMES = ("score", "usable", "unusable")
GOOD, GAPS, USELESS = "r = .8", "r = .8, a fifth missing", "useless"
JUDGES = {GOOD: "good", GAPS: "gaps", USELESS: "useless"}
SPREAD = 0.88
"""Standard deviation of the judge's error before it rounds to a whole level."""
HIDDEN = {
    "references": [],
    "confidence only": ["cer"],
    "neither": ["cer", "confidence"],
}
PREFACE = """# Automatic judges in estimate and draw

{runs} samples of {n} documents of the large pool of `benchmarks.heavy_tailed_pool`; raters make no
errors, seeds are fixed. The judge gives whole levels of the scale, which correlate with people's at
{r:.3f}; its errors have nothing to do with CER. The useless judge gives the same levels to
documents by lot. `auxiliaries(pool, n=385, judges=[...])` takes the score into the estimate;
"judge" under draw is `choose_risk(pool, rule="judge")`, otherwise what is known of the documents
gives the risk.

* **for each of ours**: ratings of a simple random sample that are worth one rating of this row.
* **against none**: mean squared error without the judge over that with it, from the same draws
  where the draw is the same; where it is not, the standard error is about 5 %.
* **covers**: share of the 95 % intervals that hold the pool's true value (94 to 97 % is the goal;
  the standard error is {se:.1f} points).

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.judge_scores`."""


@dataclass(frozen=True)
class Way:
    """What is known of the documents, the judge, and whether it drives the draw.

    ``goals`` are the least ratings of a simple random sample for one of ours, and the least
    efficiency against the same without a judge, for the mean score.
    """

    known: str
    judge: str | None = None
    risk: bool = False
    goals: tuple[float | None, float | None] = (None, None)


WAYS = (
    Way("references"),
    Way("references", GOOD, goals=(None, 1.2)),
    Way("references", GAPS),
    Way("references", USELESS, goals=(None, 0.97)),
    Way("confidence only"),
    Way("confidence only", GOOD, goals=(2.2, None)),
    Way("confidence only", GOOD, risk=True, goals=(2.2, None)),
    Way("confidence only", USELESS, goals=(None, 0.97)),
    Way("neither"),
    Way("neither", GOOD, goals=(2.2, None)),
    Way("neither", GAPS, goals=(2.2, None)),
    Way("neither", GOOD, risk=True, goals=(2.2, None)),
    Way("neither", USELESS, goals=(None, 0.97)),
    Way("neither", USELESS, risk=True),
)
AGAIN = tuple(way for way in WAYS if way.known == "neither" and not way.risk)
"""Ways with one draw, whose coverage is nearest to the goal's end."""


@cache
def world() -> KnownPool:
    """Heavy-tailed pool with the scores of three judges."""
    pool = simulated_pool()
    score = pool.outcomes["score"].to_numpy()
    rng = np.random.default_rng(7)
    good = np.clip(np.round(score + SPREAD * rng.normal(size=len(score))), 1, 5)
    gaps = np.where(rng.random(len(score)) < 0.2, np.nan, good)
    frame = pool.frame.assign(good=good, gaps=gaps, useless=rng.permutation(good))
    return KnownPool(pool.name, frame, pool.outcomes[list(OUTCOMES)])


@cache
def prepared(way: Way) -> tuple[pd.DataFrame, Floats, Floats]:
    """Frame to draw from, auxiliaries of every document and their means."""
    frame = world().frame.drop(columns=HIDDEN[way.known])
    column = JUDGES.get(way.judge or "")
    judges = [] if column is None else [column]
    matrix, _ = auxiliaries(frame, n=N, judges=judges)
    risk = choose_risk(frame, rule="judge", judge=column) if way.risk else risk_scores(frame)
    return frame.assign(risk=risk), matrix, matrix.mean(axis=0)


def drawn(way: Way, seed: int) -> tuple[Floats, Floats]:
    """Places and probabilities of a sample of the default design."""
    sample = draw_sample(prepared(way)[0], n=N, stratum="doc_type", risk="risk", seed=seed)
    return world().places(sample["doc_id"]), sample["inclusion_probability"].to_numpy()


def run(seed: int) -> list[tuple[int, str, float, float, float]]:
    """Error, whether the interval holds the truth, and width of every estimate of one sample."""
    samples: dict[tuple[object, ...], tuple[Floats, Floats]] = {}
    rows = []
    for place, way in enumerate(WAYS):
        key = (way.known, way.judge if way.risk else None)
        if key not in samples:
            samples[key] = drawn(way, seed)
        places, pi = samples[key]
        _, matrix, means = prepared(way)
        for outcome, column in world().outcomes.items():
            mean = greg_mean(
                column.to_numpy()[places], pi, auxiliary=matrix[places], pool_mean=means
            )
            truth = column.mean()
            holds = mean.low <= truth <= mean.high
            rows.append(
                (place, str(outcome), mean.value - truth, float(holds), mean.high - mean.low)
            )
    return rows


def report(*, runs: int, processes: int) -> Iterator[str]:
    """Yield the lines of the result."""
    frame = world().frame
    r = float(np.corrcoef(frame["good"], world().outcomes["score"])[0, 1])
    yield PREFACE.format(runs=f"{runs:,}", n=N, r=r, se=100 * (0.95 * 0.05 / runs) ** 0.5)
    with ProcessPoolExecutor(processes) as pool:
        rows = [row for rows in pool.map(run, range(runs), chunksize=10) for row in rows]
    found = pd.DataFrame(rows, columns=["way", "outcome", "error", "holds", "width"])
    more = Further(FURTHER, processes=processes)
    for outcome in OUTCOMES:
        yield f"\n## {outcome.capitalize()}\n"
        yield "| known | judge | draw | bias | covers | width | for each of ours | against none | |"
        yield "|---|---|---|--:|--:|--:|--:|--:|---|"
        yield from _lines(found[found["outcome"] == outcome], outcome, more=more)
    yield from more.lines()


class Further:
    """Further samples of the ways whose coverage of the mean score is nearest to 94 %.

    Attributes
    ----------
    runs
        Number of samples.
    found
        Whether the interval holds the truth, and the error, shape (runs, ways, 2).
    """

    def __init__(self, runs: int, *, processes: int) -> None:
        self.runs = runs
        with ProcessPoolExecutor(processes) as pool:
            seeds = range(RUNS, RUNS + runs)
            self.found = np.array([*pool.map(again, seeds, chunksize=50)])

    def lines(self) -> Iterator[str]:
        """Yield the lines of the result."""
        scores = world().outcomes["score"]
        alike = scores.var() * (1 - N / len(scores)) / N
        yield (
            f"\n## Coverage of the mean score without references and confidences, {self.runs:,} "
            "further samples\n"
        )
        yield "| judge | covers | standard error | for each of ours | |"
        yield "|---|--:|--:|--:|---|"
        for way, (holds, error) in zip(AGAIN, self.found.transpose(1, 2, 0), strict=True):
            covers = float(holds.mean())
            se = 100 * (covers * (1 - covers) / self.runs) ** 0.5
            yield (
                f"| {way.judge or 'none'} | {covers:.1%} | {se:.1f} points "
                f"| {alike / (error**2).mean():.2f} | coverage {_met(covers)} |"
            )

    def together(self, way: Way, covers: float, *, runs: int) -> float | None:
        """Coverage of a way over these samples and others; None where there are none."""
        if way not in AGAIN:
            return None
        holds = self.found[:, AGAIN.index(way), 0]
        return float((holds.sum() + covers * runs) / (len(holds) + runs))


def again(seed: int) -> list[tuple[float, float]]:
    """Whether the interval holds the mean score, and the error, for each way without anything."""
    scores = world().outcomes["score"]
    y, truth = scores.to_numpy(), scores.mean()
    places, pi = drawn(AGAIN[0], seed)
    rows = []
    for way in AGAIN:
        _, matrix, means = prepared(way)
        mean = greg_mean(y[places], pi, auxiliary=matrix[places], pool_mean=means)
        rows.append((float(mean.low <= truth <= mean.high), mean.value - truth))
    return rows


def _lines(found: pd.DataFrame, outcome: str, *, more: Further) -> Iterator[str]:
    """Yield one line for each way."""
    outcomes = world().outcomes[outcome]
    alike = outcomes.var() * (1 - N / len(outcomes)) / N
    mse = found["error"].pow(2).groupby(found["way"]).mean()
    for place, way in enumerate(WAYS):
        of = found[found["way"] == place]
        ours = float(alike / mse[place])
        none = float(mse[WAYS.index(Way(way.known))] / mse[place])
        covers = float(of["holds"].mean())
        whole = more.together(way, covers, runs=len(of))
        verdicts = [*_verdicts(way, (ours, none)), _coverage(covers, whole)]
        said = ", ".join(verdicts) if outcome == "score" else ""
        yield (
            f"| {way.known} | {way.judge or 'none'} | {'judge' if way.risk else 'known'} "
            f"| {of['error'].mean():+.4f} | {covers:.1%} | {of['width'].mean():.4f} | {ours:.2f} "
            f"| {none if way.judge else 1:.2f} | {said} |"
        )


def _verdicts(way: Way, ratios: tuple[float, float]) -> Iterator[str]:
    """Yield whether each goal of efficiency was met."""
    for goal, reached in zip(way.goals, ratios, strict=True):
        if goal is not None:
            yield f"{goal:g} {'met' if reached >= goal else 'missed'}"


def _coverage(covers: float, whole: float | None) -> str:
    """Whether the goal of coverage was met, on further samples too where there are some."""
    if whole is None or _met(covers) == "met":
        return f"coverage {_met(covers)}"
    return f"coverage {_met(whole)} with the further samples"


def _met(covers: float) -> str:
    """Whether coverage lies where it should, as printed."""
    return "met" if COVERED[0] <= round(covers, 3) <= COVERED[1] else "missed"


def main() -> None:
    """Run, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()
    text = "\n".join(report(runs=arguments.runs, processes=arguments.processes)) + "\n"
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
