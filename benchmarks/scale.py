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
YEAR = ((100_000, 1), (2_000, 39), (100_000, 12))
"""Documents of the pool, and for how many weeks: the last is compared with eleven like itself."""
SMALL_N, MOST_GROWTH = 100, 1.1
"""Of processor seconds, and of the memory of the process after a week."""
EVALUATIONS, MOST_MILLISECONDS = 200, 300
THREADS = 2
"""More of them in a year: libraries start them when they first need them."""
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


def world(
    folder: Path, name: str, *pools: tuple[int, int], frontend: str, n: int
) -> list[dict[str, Any]]:
    """Costs of the evaluations of pools of some sizes, week by week."""
    sizes = [f"{count}x{weeks}" for count, weeks in pools]
    command = ["benchmarks.scale_world", str(folder / name), frontend, str(n), *sizes]
    return measured(folder, name, command)


def _pools(folder: Path) -> Iterator[str]:
    """Yield the costs of each step by the size of the pool."""
    costs = {
        count: world(folder, f"pool-{count}", (count, 1), frontend="simulated", n=N)[0]
        for count in POOLS
    }
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
    weeks = world(folder, "weeks", *YEAR, frontend="file", n=SMALL_N)
    yield (
        f"\n## A year of weekly evaluations in one process\n\n{SMALL_N} documents drawn, ratings "
        "of people; each week is compared with the eleven before it. To keep the year short, the "
        "pool is large in the first week and in the last twelve only. The gate holds some weeks "
        "and not others: their interim reports are counted by themselves. Connections are those to "
        "the store.\n"
    )
    yield (
        "| week | documents | seconds | interim report | MB after it | threads | open files "
        "| connections | children |"
    )
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for week in weeks:
        if week["week"] in {1, 2, 3, 13, 26, 40, 41, len(weeks) - 1, len(weeks)}:
            yield (
                f"| {week['week']} | {week['documents']:,} | {_own(week):.1f} "
                f"| {week['seconds'] - _own(week):.1f} | {week['resident']:.0f} "
                f"| {week['threads']} | {week['files']} | {week['connections']} "
                f"| {week['children']} |"
            )
    [again] = world(folder, "first-again", (YEAR[0][0], 1), frontend="file", n=SMALL_N)
    yield from _goals_of_year(weeks, again)


def _goals_of_year(weeks: list[dict[str, Any]], again: dict[str, Any]) -> Iterator[str]:
    """Yield what may grow in a year, and whether it does.

    `again` is a first week that was measured after the year: the machine's speed changes.
    """
    small = [week for week in weeks if week["documents"] == YEAR[1][0]]
    first, last = weeks[sum(count for _, count in YEAR[:2])], weeks[-1]
    yield "\n| what | measured | goal | |\n|---|--:|--:|---|"
    factors = {
        "seconds of the last week beside a first week that was measured after it": (
            _own(last) / _own(again)
        ),
        f"memory after week {small[-1]['week']} beside week {small[0]['week']}": (
            small[-1]["resident"] / small[0]["resident"]
        ),
        f"memory after week {last['week']} beside week {first['week']}": (
            last["resident"] / first["resident"]
        ),
    }
    for what, factor in factors.items():
        met = "met" if factor <= MOST_GROWTH else "missed"
        yield f"| {what} | {factor:.2f} times | {MOST_GROWTH} times | {met} |"
    for what in ("threads", "files", "connections", "children"):
        added, most = last[what] - first[what], THREADS if what == "threads" else 0
        met = "met" if added <= most else "missed"
        yield f"| {what} more than after week {first['week']} | {added} | {most} | {met} |"
    yield (
        f"\nBeside week 1 itself, which has nothing to be compared with, week {last['week']} costs "
        f"{_own(last) / _own(weeks[0]):.2f} times as much and leaves "
        f"{last['resident'] / weeks[0]['resident']:.2f} times the memory; the first week that was "
        f"measured after it costs {_own(again) / _own(weeks[0]):.2f} times as much."
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
        "it. Load is the mean number of processes that wanted one of the two cores.\n"
    )
    yield (
        "| sweep | milliseconds | goal | of wall time | of it in requests | load | statements "
        "| requests |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for cost in measured(folder, "sweep", command):
        goal = MOST_MILLISECONDS if cost["list"] == "idle" else ""
        yield (
            f"| {cost['list']} | {cost['milliseconds']:.0f} | {goal} | {cost['wall']:.0f} "
            f"| {cost['waited']:.0f} | {cost['load']:.1f} | {cost['statements']} "
            f"| {cost['requests']} |"
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
