"""Assign a million ratings: time, memory, evenness; small cases against the optimum; queues.

Every line on time is measured in its own process. Run as
``OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.assignment``; writes
``benchmarks/results/assignment.md``.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from benchmarks.assignment_cases import METHODS, Conditions, alike, ours, quality_of, unlike
from benchmarks.assignment_exact import Ranges, Small, exact_ranges
from benchmarks.assignment_gold import RATERS, gold_lines, order, queues
from ocrjury.assignment import assign_raters, missing_ratings

RESULT = Path(__file__).parent / "results" / "assignment.md"
SMALL_CASES = 60
SHORT, CALLS = 3.0, 3  # seconds after which a call is not repeated
HEAD = """# Assignment

Who rates what, measured by `benchmarks.assignment`. Made by
`OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.assignment`.

* **seconds**: processor time, the fastest of up to three calls.
* **memory**: in MB, before the call (with items, raters and conditions) and the increase at its
  peak (plan included). Each line is its own process.
* **loads**: fewest and most ratings of a rater.
* **pairs**: fewest and most meetings of two raters, among the pairs that could meet, earlier
  ratings included. **never**: the share of these pairs that did not meet.
* **broken**: missing ratings, and ratings by an ineligible rater, repeated, or beyond capacity.
* A **round robin** deals shuffled items to the raters in turn. **Least busy first** goes through
  the items and takes the eligible raters with the least to do."""


class Case(NamedTuple):
    """Conditions of one size, the methods that try them, and our goal."""

    title: str
    make: Callable[[], Conditions]
    methods: tuple[str, ...]
    goal: float | None


OURS, IN_TURN, AT_RANDOM, LEAST_BUSY = METHODS
CASES = {
    "alike3": Case(
        "333,334 x 3 of 50 raters, all alike",
        lambda: alike(333_334, 50, 3),
        (OURS, IN_TURN, AT_RANDOM),
        1.0,
    ),
    "alike2": Case(
        "500,000 x 2 of 1,000 raters, all alike",
        lambda: alike(500_000, 1000, 2),
        (OURS, IN_TURN, AT_RANDOM),
        1.0,
    ),
    "small": Case(
        "385 x 2 of 6 raters, all alike", lambda: alike(385, 6, 2), (OURS, IN_TURN), None
    ),
    "unlike": Case(
        "400,000 x 2 or 3 of 50 raters; 4 languages, 6 types, conflicts, capacities",
        lambda: unlike(400_000, 50, before=0),
        (OURS, LEAST_BUSY),
        30.0,
    ),
    "again": Case(
        "the same, 100,000 items rated by two before",
        lambda: unlike(400_000, 50, before=100_000),
        (OURS, LEAST_BUSY),
        30.0,
    ),
    "again200": Case(
        "the same with 200 raters",
        lambda: unlike(400_000, 200, before=100_000),
        (OURS, LEAST_BUSY),
        30.0,
    ),
}


def main() -> None:
    """Measure everything and write the table."""
    lines = []
    for line in chain([HEAD], time_lines(), exact_lines(), queue_lines()):
        sys.stderr.write(f"{line}\n")
        lines.append(line)
    RESULT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def time_lines() -> Iterator[str]:
    """Yield the table on a million ratings."""
    yield "\n## A million ratings\n"
    yield "| task | by | seconds | goal | memory | loads | pairs | never | broken |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for name, case in CASES.items():
        for method in case.methods:
            seen = _measured_apart(name, method)
            mine = method == OURS and case.goal is not None
            met = "met" if mine and seen["seconds"] <= (case.goal or 0) else "missed"
            yield (
                f"| {case.title if method == OURS else ''} | {method} | {seen['seconds']:.2f} "
                f"| {f'{case.goal:g}, {met}' if mine else ''} "
                f"| {seen['before']:.0f} + {seen['more']:.0f} | {_span(seen['loads'])} "
                f"| {_span(seen['pairs'])} | {seen['never']:.1%} "
                f"| {seen['forbidden'] + seen['missing']:,} |"
            )


def exact_lines() -> Iterator[str]:
    """Yield the section that compares small plans with the optimum."""
    equal, mine, theirs, number, seed = 0, 0.0, 0.0, 0, 0
    while number < SMALL_CASES:
        case, seed = _small(np.random.default_rng(seed)), seed + 1
        conditions = _conditions(case)
        if missing_ratings(**conditions):
            continue
        number += 1
        start = time.process_time()
        plan = assign_raters(**conditions, seed=1)
        between = time.process_time()
        best = exact_ranges(case)
        mine, theirs = mine + between - start, theirs + time.process_time() - between
        equal += _ranges(plan, case) == best
    yield "\n## Small cases against the optimum\n"
    yield (
        f"{SMALL_CASES} random cases of 3 to 8 items and 3 to 5 raters with conflicts, capacities "
        f"and earlier ratings: the largest load, the smallest load and the range of meetings equal "
        f"those of exact integer programs (HiGHS) in **{equal} of {SMALL_CASES}**. Ours took "
        f"{1000 * mine / number:.0f} ms each, HiGHS {1000 * theirs / number:.0f} ms."
    )


def queue_lines() -> Iterator[str]:
    """Yield the section on queues of a million turns."""
    seen = _measured_apart("queues", OURS)
    yield "\n## A million turns in order\n"
    yield (
        f"`order_sessions` of {seen['turns']:,} turns of {RATERS} raters, one in ten gold, 200 "
        f"repeats each, sessions of an hour: {seen['seconds']:.2f} s of the processor, "
        f"{seen['before']:.0f} + {seen['more']:.0f} MB.\n"
    )
    yield from gold_lines(queues())


def _measured_apart(name: str, method: str) -> dict[str, Any]:
    """Result of a child process."""
    done = subprocess.run(  # noqa: S603  # ourselves
        [sys.executable, "-m", "benchmarks.assignment", name, method],
        check=True,
        capture_output=True,
        text=True,
        timeout=7200,
    )
    return dict(json.loads(done.stdout))


def measured(name: str, method: str) -> dict[str, Any]:
    """Seconds, megabytes and quality of one method on one case."""
    if name == "queues":
        plan = ours(alike(300_000, RATERS, 3))
        before, start = _megabytes(), time.process_time()
        turns = len(order(plan))
        return {"seconds": time.process_time() - start, "turns": turns} | _memory(before)
    of = CASES[name].make()
    before, plan = _megabytes(), pd.DataFrame()
    seconds: list[float] = []
    while not seconds or (sum(seconds) < SHORT and len(seconds) < CALLS):
        start = time.process_time()
        plan = METHODS[method](of)
        seconds.append(time.process_time() - start)
    seen = {"seconds": min(seconds)} | _memory(before)
    return seen | quality_of(plan, of)._asdict()


def _memory(before: float) -> dict[str, float]:
    """Memory before the work, and how much more at its peak."""
    return {"before": before, "more": _megabytes() - before}


def _megabytes() -> float:
    """Peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _span(ends: tuple[int, int]) -> str:
    """Range in words."""
    return f"{ends[0]:,} to {ends[1]:,}"


def _small(rng: np.random.Generator) -> Small:
    """Small case, feasible or not."""
    n, m = int(rng.integers(3, 9)), int(rng.integers(3, 6))
    capacity = np.full(m, n)
    capacity[0] = rng.integers(1, n + 1)
    return Small(
        rng.integers(1, 4, n) if rng.random() < 0.5 else np.full(n, 2),
        rng.random((n, m)) < rng.choice([1.0, 0.85, 0.7]),
        capacity,
        rng.random((n, m)) < rng.choice([0.0, 0.15]),
    )


def _conditions(of: Small) -> dict[str, Any]:
    """Small case as arguments of `assign_raters`."""
    n, m = of.allowed.shape
    return {
        "items": range(n),
        "raters": range(m),
        "raters_per_item": dict(enumerate(of.need.tolist())),
        "capacity": dict(enumerate(of.capacity.tolist())),
        "eligible": {item: np.flatnonzero(of.allowed[item]).tolist() for item in range(n)},
        "previous": pd.DataFrame(np.argwhere(of.before), columns=["item", "rater"]),
    }


def _ranges(plan: pd.DataFrame, of: Small) -> Ranges:
    """Loads and meetings of a plan, earlier meetings included."""
    m = of.allowed.shape[1]
    on = of.before.copy()
    on[plan["item"], plan["rater"]] = True
    met = (on.T.astype(int) @ on)[np.triu_indices(m, 1)]
    load = np.bincount(plan["rater"], minlength=m)
    return Ranges(int(load.max()), int(load.min()), int(np.ptp(met)))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measured(*sys.argv[1:])))
    else:
        main()
