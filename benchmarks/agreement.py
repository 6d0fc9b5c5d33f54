"""Time the agreement coefficients against their peers, side by side in one process.

    .venv/bin/python benchmarks/agreement.py

prints a table and writes it to benchmarks/results/agreement.md (about 4 minutes).
"""

import argparse
import gc
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt
import pandas as pd
from threadpoolctl import threadpool_limits

from ocrjury import RatingTable, Scale
from ocrjury.agreement import icc, krippendorff_alpha, pairwise_kappa
from ocrjury.agreement.mixed import Form

RESULT = Path(__file__).parent / "results" / "agreement.md"
FIVE = Scale.likert(1, 5)
LEVELS = [1, 2, 3, 4, 5]
SHARES = (0.05, 0.10, 0.20, 0.35, 0.30)
FORMS: tuple[Form, ...] = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")
SECONDS, MOST_ROUNDS = 4.0, 200  # per comparison
LEAST_SECONDS = 0.005  # per round
PEAK_LIMIT = 400  # MB

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Size:
    """How much is rated; ``frame`` holds the same ratings as ``matrix``, one per row."""

    name: str
    matrix: Floats
    frame: pd.DataFrame

    @property
    def sparse(self) -> bool:
        """Return whether some cells are empty."""
        return len(self.frame) < self.matrix.size

    def table(self) -> RatingTable:
        """Return our table from the natural input: the frame if cells are empty."""
        return self.long() if self.sparse else RatingTable.from_matrix(self.matrix, scale=FIVE)

    def long(self) -> RatingTable:
        """Return our table from the long frame."""
        return RatingTable.from_long(self.frame, scale=FIVE)


@dataclass(frozen=True)
class Comparison:
    """A task of ours and of a peer, and how many times faster ours is meant to be."""

    size: str
    task: str
    peer: str
    ours: Callable[[], float]
    theirs: Callable[[], float]
    goal: float | None


@dataclass(frozen=True)
class Timing:
    """Seconds of all rounds, and what came out."""

    ours: list[float]
    theirs: list[float]


def main() -> None:
    """Run all comparisons, print the table and write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--no-write", action="store_true", help="print only")
    parser.add_argument("--peak", choices=("nothing", "ocrjury", "krippendorff"), help="internal")
    arguments = parser.parse_args()
    if arguments.peak:
        sys.stdout.write(f"{peak_of(arguments.peak)}\n")
        return
    with threadpool_limits(1):
        rows = [row(one, measure(one)) for one in comparisons()]
    text = "\n".join([preface(), HEADER, *rows, "", memory(), ""])
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


def comparisons() -> Iterator[Comparison]:
    """Yield what is compared, size by size, so that only one size is in memory."""
    for name, n_items, n_raters, share in (
        ("1e3 x 3", 1_000, 3, 1.0),
        ("1e5 x 5", 100_000, 5, 1.0),
        ("1e6 x 5", 1_000_000, 5, 1.0),
        ("1e5 x 100, 5 %", 100_000, 100, 0.05),
    ):
        size = draw(name, n_items, n_raters, share=share)
        yield from of_alpha(size)
        yield from of_pairs(size)
        if not size.sparse:
            yield from of_icc(size)


def draw(name: str, n_items: int, n_raters: int, *, share: float) -> Size:
    """Return ratings with the marginals of good OCR and ordinal alpha of about .77."""
    matrix = ratings(n_items, n_raters)
    if share < 1:
        matrix[np.random.default_rng(1).random(matrix.shape) >= share] = np.nan
    item, rater = np.nonzero(~np.isnan(matrix))
    values = matrix[item, rater].astype(np.int64)
    return Size(name, matrix, pd.DataFrame({"item": item, "rater": rater, "rating": values}))


def ratings(n_items: int, n_raters: int) -> Floats:
    """Return a full matrix, drawn in blocks so that little more is in memory."""
    rng = np.random.default_rng(0)
    matrix = np.empty((n_items, n_raters))
    for start in range(0, n_items, 50_000):
        block = matrix[start : start + 50_000]
        truth = rng.choice(LEVELS, (len(block), 1), p=SHARES)
        np.clip(np.round(truth + rng.normal(0, 0.65, block.shape)), 1, 5, out=block)
    return matrix


def of_alpha(size: Size) -> Iterator[Comparison]:
    """Yield ordinal alpha: point and jackknife, then point and 2,000 resamples."""
    goals = {
        "1e3 x 3": (1.0, None),
        "1e5 x 5": (15.0, 2.0),
        "1e6 x 5": (15.0, 10.0),
        "1e5 x 100, 5 %": (3.0, None),
    }
    jackknife, bootstrap = goals[size.name]
    peer = _peer_alpha()

    def ready() -> float:
        return peer(size.matrix)

    def pivoted() -> float:
        return peer(size.frame.pivot_table(index="item", columns="rater", values="rating"))

    def ours(ci: str) -> Callable[[], float]:
        return lambda: krippendorff_alpha(size.table(), ci=ci).value  # type: ignore[arg-type]

    yield Comparison(
        size.name, "alpha, jackknife", "krippendorff, point", ours("jackknife"), ready, jackknife
    )
    if size.sparse:
        yield Comparison(
            size.name,
            "alpha, jackknife",
            "krippendorff, point, pandas pivot",
            ours("jackknife"),
            pivoted,
            jackknife,
        )
    yield Comparison(
        size.name,
        "alpha, 2,000 resamples",
        "krippendorff, point",
        ours("bootstrap"),
        ready,
        bootstrap,
    )


def _peer_alpha() -> Callable[[object], float]:
    """Return krippendorff's alpha of a matrix of shape (N, M)."""
    from krippendorff import alpha  # noqa: PLC0415  # the child that measures memory has no peers

    return lambda matrix: float(
        alpha(np.asarray(matrix).T, level_of_measurement="ordinal", value_domain=LEVELS)
    )


def of_pairs(size: Size) -> Iterator[Comparison]:
    """Yield Cohen's kappa of all pairs, ours with standard errors."""
    from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415  # as above

    there = ~np.isnan(size.matrix)

    def theirs() -> float:
        values = []
        for a, b in combinations(range(size.matrix.shape[1]), 2):
            both = there[:, a] & there[:, b]
            columns = size.matrix[both, a], size.matrix[both, b]
            values.append(cohen_kappa_score(*columns, labels=LEVELS))
        return float(np.mean(values))

    yield Comparison(
        size.name,
        "kappa of all pairs, errors",
        "scikit-learn, no errors",
        lambda: float(pairwise_kappa(size.table())["value"].mean()),
        theirs,
        None if size.name == "1e3 x 3" else 60.0,
    )


def of_icc(size: Size) -> Iterator[Comparison]:
    """Yield the six intraclass correlations with F intervals."""
    from pingouin import intraclass_corr  # noqa: PLC0415  # as above

    def six(table: RatingTable) -> float:
        return [icc(table, form=form).value for form in FORMS][1]

    def theirs() -> float:
        found = intraclass_corr(size.frame, "item", "rater", "rating")
        return float(found["ICC"].iloc[1])

    for task, ours, goal in (
        ("six ICCs", size.table, 1000.0 if size.name == "1e3 x 3" else None),
        ("six ICCs, also from the long frame", size.long, None),
    ):
        yield Comparison(
            size.name, task, "pingouin, long frame", lambda make=ours: six(make()), theirs, goal
        )


def measure(one: Comparison) -> Timing:
    """Return the seconds of both, by turns; raise if they do not give the same number."""
    ours, theirs = one.ours(), one.theirs()
    if not math.isclose(ours, theirs, abs_tol=1e-6):
        raise AssertionError(f"{one.task} at {one.size}: {ours} and {theirs}")
    timing = Timing([], [])
    until = time.perf_counter() + SECONDS
    while not timing.ours or (time.perf_counter() < until and len(timing.ours) < MOST_ROUNDS):
        for task, seconds in ((one.theirs, timing.theirs), (one.ours, timing.ours)):
            seconds.append(time_of(task))
    return timing


def time_of(task: Callable[[], float]) -> float:
    """Return the seconds of one call; of short ones, the mean over several in a row."""
    gc.collect()
    calls = 0
    start = time.perf_counter()
    while calls == 0 or time.perf_counter() - start < LEAST_SECONDS:
        task()
        calls += 1
    return (time.perf_counter() - start) / calls


HEADER = """| size | ours | seconds | peer | seconds | faster | by medians | goal | |
|---|---|--:|---|--:|--:|--:|--:|---|"""


def row(one: Comparison, timing: Timing) -> str:
    """Return the line of the table."""
    fast, slow = min(timing.ours), min(timing.theirs)
    ratio = slow / fast
    by_median = median(timing.theirs) / median(timing.ours)
    goal = "" if one.goal is None else f"{one.goal:,.0f}x"
    outcome = "" if one.goal is None else "met" if min(ratio, by_median) >= one.goal else "missed"
    line = (
        f"| {one.size} | {one.task} | {fast:.5f} | {one.peer} | {slow:.5f} | {ratio:,.1f}x "
        f"| {by_median:,.1f}x | {goal} | {outcome} |"
    )
    sys.stderr.write(f"{line}\n")
    return line


def peak_of(who: str) -> int:
    """Return the most memory that this process ever held, in MB, with the work of ``who``.

    ``getrusage`` would count what the parent held when it started this process.
    """
    matrix = ratings(1_000_000, 5)
    if who == "ocrjury":
        table = RatingTable.from_matrix(matrix, scale=FIVE)
        krippendorff_alpha(table, ci="jackknife")
        krippendorff_alpha(table, ci="bootstrap")
        pairwise_kappa(table)
        icc(table)
    elif who == "krippendorff":
        _peer_alpha()(matrix)
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (peak,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) // 1024


def memory() -> str:
    """Return the sentence about memory, measured in processes of their own."""
    peaks = {}
    for who in ("nothing", "ocrjury", "krippendorff"):
        command = [sys.executable, __file__, "--peak", who]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
        peaks[who] = int(done.stdout)
    outcome = "met" if peaks["ocrjury"] <= PEAK_LIMIT else "missed"
    return (
        "Peak memory of a whole process at 1e6 x 5 with the matrix of 40 MB in it: "
        f"{peaks['ocrjury']} MB for alpha with both intervals, all pairs and an ICC "
        f"(goal: at most {PEAK_LIMIT} MB, {outcome}); {peaks['krippendorff']} MB for "
        f"krippendorff's point; {peaks['nothing']} MB before either begins."
    )


def preface() -> str:
    """Return what the table shows."""
    names = ("ocrjury", "krippendorff", "scikit-learn", "pingouin", "numpy", "pandas")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return f"""# Agreement coefficients against their peers

Made by `.venv/bin/python benchmarks/agreement.py`, all in one process on one thread, the two sides
by turns until {SECONDS:g} seconds are spent. Ours starts from the natural input, encoding counted:
the matrix, or on the sparse design the long frame. krippendorff and scikit-learn get a ready
matrix for nothing, pingouin the long frame that it needs. Both sides must give the same number.

"seconds" and "faster" are of the quickest round (a round of short calls is their mean over
{1000 * LEAST_SECONDS:g} ms), "by medians" of the median ones; a goal is met if both reach it.

{versions}; Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores that
other work shares.

Missed: six ICCs at 1e3 x 3 were to be 1,000 times faster than pingouin. They are against version
0.6.1, which takes 2.2 s on this machine (about 4,000 times); version 0.7.0, measured below, takes
about 10 ms, and a thousandth of that is less than Python needs for six calls.
"""


if __name__ == "__main__":
    main()
