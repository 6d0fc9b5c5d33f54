"""Two sides of a comparison, timed by turns, and their table in Markdown."""

import gc
import math
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.another_release import AnotherRelease

SECONDS, MOST_ROUNDS = 4.0, 200  # per comparison
LEAST_SECONDS = 0.005  # per round
HEADER = """| size | ours | seconds | peer | seconds | faster | by medians | goal | |
|---|---|--:|---|--:|--:|--:|--:|---|"""


@dataclass(frozen=True)
class Comparison:
    """Task of ours and of a peer, and the goal for the speed ratio."""

    size: str
    task: str
    peer: str
    ours: Callable[[], float]
    theirs: Callable[[], float] | AnotherRelease
    goal: float | None


@dataclass(frozen=True)
class Timing:
    """Seconds of all rounds."""

    ours: list[float]
    theirs: list[float]


def measure(comparison: Comparison) -> Timing:
    """Seconds of both sides, measured by turns; raise if their numbers differ."""
    ours, theirs = comparison.ours(), comparison.theirs()
    if not math.isclose(ours, theirs, abs_tol=1e-6):
        raise AssertionError(f"{comparison.task} at {comparison.size}: {ours} and {theirs}")
    timing = Timing([], [])
    until = time.perf_counter() + SECONDS
    while not timing.ours or (time.perf_counter() < until and len(timing.ours) < MOST_ROUNDS):
        for task, seconds in ((comparison.theirs, timing.theirs), (comparison.ours, timing.ours)):
            seconds.append(time_of(task))
    return timing


def time_of(task: Callable[[], float] | AnotherRelease) -> float:
    """Seconds of one call; of short ones, the mean over several in a row."""
    if isinstance(task, AnotherRelease):
        return task.seconds()
    gc.collect()
    calls = 0
    start = time.perf_counter()
    while calls == 0 or time.perf_counter() - start < LEAST_SECONDS:
        task()
        calls += 1
    return (time.perf_counter() - start) / calls


def row(comparison: Comparison, timing: Timing) -> str:
    """Line of the table."""
    fast, slow = min(timing.ours), min(timing.theirs)
    ratio = slow / fast
    by_median = median(timing.theirs) / median(timing.ours)
    goal = "" if comparison.goal is None else f"{comparison.goal:,.0f}x"
    outcome = (
        ""
        if comparison.goal is None
        else "met"
        if min(ratio, by_median) >= comparison.goal
        else "missed"
    )
    line = (
        f"| {comparison.size} | {comparison.task} | {fast:.5f} | {comparison.peer} | {slow:.5f} "
        f"| {ratio:,.1f}x | {by_median:,.1f}x | {goal} | {outcome} |"
    )
    sys.stderr.write(f"{line}\n")
    return line


def rows_of(result: Path) -> list[str]:
    """Lines of a committed table, without its header."""
    if not result.exists():
        return []
    lines = result.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("| ") and not line.startswith("| size")]


def cells(line: str) -> list[str]:
    """Cells of a line."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def merged(
    kept: Iterable[str], measured: Iterable[str], order: Callable[[str, str], tuple[int, int]]
) -> list[str]:
    """Lines of both, in the order of size and task; measured lines replace kept ones."""
    new = list(measured)
    known = {tuple(cells(line)[place] for place in (0, 1, 3)) for line in new}
    old = [line for line in kept if tuple(cells(line)[p] for p in (0, 1, 3)) not in known]
    return sorted([*old, *new], key=lambda line: order(cells(line)[0], cells(line)[1]))
