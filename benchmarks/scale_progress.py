"""Processor time of the progress of a large round while people rate, and of its view at the desk.

Run as ``.venv/bin/python -m benchmarks.scale_progress FOLDER ITEMS``; prints lines of JSON.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.rating_pictures import levels, rate
from benchmarks.rating_world import World, fields, new_world
from ocrjury.evaluation.case import Case, at_work
from ocrjury.evaluation.progress import has_news, keep_progress
from ocrjury.frontends.web.desk.next_round import next_round_view

RATERS = ("R01", "R02", "R03")
PARTS: dict[str, Callable[[Case], object]] = {
    "look for new ratings": has_news,
    "measure agreement and plan the next round": keep_progress,
    "look again, nothing is new": has_news,
    "show the next round at the desk": lambda case: next_round_view(
        case.work.engine, case.standing
    ),
}


def main(folder: Path, items: int) -> None:
    """Let three raters rate fields, the last of them nine in ten, and measure."""
    known, rng = fields(), random.Random(1)
    names = (f"d{number}" for number in range(items))
    lines = [
        {**known[number % len(known)], "doc_id": name, "page_id": name}
        for number, name in enumerate(names)
    ]
    with new_world(folder, dict.fromkeys(RATERS, lines)) as world:
        for rater in RATERS:
            rated = lines[: items * 9 // 10] if rater == RATERS[-1] else lines
            rate(world, rater, {line["doc_id"]: levels(line, rater, rng) for line in rated})
        os.environ |= {"OCRJURY_HOME": str(world.home), "OCRJURY_DATABASE_URL": world.url}
        measure(world)


def measure(world: World) -> None:
    """Print what each part takes in a process that has imported everything."""
    with at_work() as work:
        for name, act in PARTS.items():
            before = time.process_time()
            with work.snapshot():
                act(work.case(world.evaluation))
            print(json.dumps({"part": name, "seconds": time.process_time() - before}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
