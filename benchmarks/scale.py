"""Processor time and memory of whole evaluations: large pools, a year of weeks, long lists.

Run as ``.venv/bin/python -m benchmarks.scale FOLDER``; writes ``benchmarks/results/scale.md``. What
a part measured stands in the folder, and is not measured again as long as it is there.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.scale_world import HOLD, STEP_OF

RESULT = Path(__file__).parent / "results" / "scale.md"
ROOT = Path(__file__).parents[1]
N = 1_000
POOLS = {100_000: (30, 600), 1_000_000: (120, 1024)}
"""Documents, with the goals for processor seconds and for megabytes."""
WEEKS, SMALL_POOL, SMALL_N, MOST_GROWTH = 52, 2_000, 100, 1.1
EVALUATIONS, MOST_MILLISECONDS = 200, 300
LARGE_ROUND, RATINGS = 34_482, 299_991
STEPS = ("open", *dict.fromkeys(STEP_OF.values()), "look ahead", HOLD, "other")
HEAD = """# Whole evaluations: large pools, a year of weeks, long lists

Made by `.venv/bin/python -m benchmarks.scale FOLDER`. Seconds are those of the processor, of the
process and its children, user and system, because other work shares the machine. The flows' own
steps run without Prefect, in one process; megabytes are its peak in a step, and 270 of them are
what it has imported. Fields of 20 to 60 characters, eight document types, a column that groups
them; the example's rubric, five simulated raters, an adjudicator and an expert."""


def main(folder: Path) -> None:
    """Measure what is not measured yet, and write the tables."""
    lines = [HEAD, *_pools(folder), *_weeks(folder), *_lists(folder), *_progress(folder)]
    RESULT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measured(folder: Path, name: str, command: Sequence[str]) -> list[dict[str, Any]]:
    """Lines of JSON that a benchmark in a process of its own has printed."""
    path = folder / f"{name}.jsonl"
    if not path.exists():
        (folder / name).mkdir(parents=True, exist_ok=True)
        printed = subprocess.run(  # noqa: S603  # ourselves
            [sys.executable, "-m", *command],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=4 * 3600,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        ).stdout
        path.write_text(printed, encoding="utf-8")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def world(folder: Path, name: str, frontend: str, *sizes: int) -> list[dict[str, Any]]:
    """Costs of the evaluations of a pool, week by week."""
    command = ["benchmarks.scale_world", str(folder / name), frontend, *map(str, sizes)]
    return measured(folder, name, command)


def _pools(folder: Path) -> Iterator[str]:
    """Yield the costs of each step by the size of the pool."""
    costs = {count: world(folder, f"pool-{count}", "simulated", count, N, 1)[0] for count in POOLS}
    yield f"\n## One evaluation, {N:,} documents drawn\n"
    yield "| step | " + " | ".join(f"{count:,} documents | MB" for count in costs) + " |"
    yield "|---|" + "--:|--:|" * len(costs)
    for step in STEPS:
        cells = (cost["steps"].get(step, {"seconds": 0, "megabytes": 0}) for cost in costs.values())
        yield (
            f"| {step} | "
            + " | ".join(f"{cell['seconds']:.1f} s | {cell['megabytes']:.0f}" for cell in cells)
            + " |"
        )
    for name, place, unit in (("all, imports too", 0, "s"), ("goal", 1, "s")):
        cells = (
            (cost["processor"], _peak(cost)) if place == 0 else POOLS[count]
            for count, cost in costs.items()
        )
        yield f"| {name} | " + " | ".join(f"{a:.0f} {unit} | {b:.0f}" for a, b in cells) + " |"


def _peak(cost: dict[str, Any]) -> float:
    return max(float(step["megabytes"]) for step in cost["steps"].values())


def _weeks(folder: Path) -> Iterator[str]:
    """Yield what weeks cost, and what the process holds after them."""
    weeks = world(folder, "weeks", "file", SMALL_POOL, SMALL_N, WEEKS)
    yield (
        f"\n## A year of weekly evaluations in one process\n\n{SMALL_POOL:,} documents, {SMALL_N} "
        "drawn, ratings of people; each is compared with the eleven before it. The gate holds some "
        "weeks and not others: their interim reports are counted by themselves.\n"
    )
    yield "| week | seconds | interim report | MB after it | threads | open files | children |"
    yield "|--:|--:|--:|--:|--:|--:|--:|"
    for week in weeks:
        if week["week"] in {1, 2, 3, 12, 13, 26, 39, len(weeks) - 1, len(weeks)}:
            yield (
                f"| {week['week']} | {_own(week):.1f} | {week['seconds'] - _own(week):.1f} "
                f"| {week['resident']:.0f} | {week['threads']} | {week['files']} "
                f"| {week['children']} |"
            )
    growth = _own(weeks[-1]) / _own(weeks[0])
    yield (
        f"\nWeek {len(weeks)} costs {growth:.2f} times the first; goal {MOST_GROWTH}: "
        f"{'met' if growth <= MOST_GROWTH else 'missed'}."
    )


def _own(week: dict[str, Any]) -> float:
    """Seconds of what every week does."""
    return float(week["seconds"] - week["steps"].get(HOLD, {"seconds": 0})["seconds"])


def _lists(folder: Path) -> Iterator[str]:
    """Yield what lists cost."""
    home = folder / f"pool-{min(POOLS)}" / "home"
    command = ["benchmarks.scale_lists", str(home), str(EVALUATIONS)]
    yield (
        f"\n## A store of {EVALUATIONS} evaluations\n\n{N:,} documents each; every tenth is held, "
        "another tenth collects, the others are closed.\n"
    )
    yield "| list | milliseconds | goal | statements |\n|---|--:|--:|--:|"
    for cost in measured(folder, "lists", command):
        yield (
            f"| {cost['list']} | {cost['milliseconds']:.0f} | {MOST_MILLISECONDS} "
            f"| {cost['statements']} |"
        )
    yield from _sweeps(folder)


def _sweeps(folder: Path) -> Iterator[str]:
    """Yield what sweeps cost."""
    command = ["benchmarks.scale_sweep", str(folder / "sweep"), str(EVALUATIONS)]
    yield (
        "\nA sweep inside its flow run, against a real Prefect server: the first looks at every "
        "evaluation, the others find nothing new. What Prefect takes for the run itself is not in "
        "it.\n"
    )
    yield "| sweep | milliseconds | of wall time | goal | statements | requests |"
    yield "|---|--:|--:|--:|--:|--:|"
    for cost in measured(folder, "sweep", command):
        goal = MOST_MILLISECONDS if cost["list"] == "idle" else ""
        yield (
            f"| {cost['list']} | {cost['milliseconds']:.0f} | {cost['wall']:.0f} | {goal} "
            f"| {cost['statements']} | {cost['requests']} |"
        )


def _progress(folder: Path) -> Iterator[str]:
    """Yield what the progress of a large round costs."""
    command = ["benchmarks.scale_progress", str(folder / "progress"), str(LARGE_ROUND)]
    yield (
        f"\n## A round with {RATINGS:,} ratings\n\n{LARGE_ROUND:,} items, three raters, three "
        "dimensions; one rater has rated nine in ten. A sweep looks for new ratings, and measures "
        "only where there are some.\n"
    )
    yield "| part | seconds |\n|---|--:|"
    for cost in measured(folder, "progress", command):
        yield f"| {cost['part']} | {cost['seconds']:.2f} |"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
