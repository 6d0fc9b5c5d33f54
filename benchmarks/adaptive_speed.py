"""Time and memory of one choice of ratings, each in its own process."""

import argparse
import json
import os
import resource
import subprocess
import sys
import time

import numpy as np
import pandas as pd

from benchmarks.likert_worlds import RECIPES, SCALE
from ocrjury import RatingTable
from ocrjury.adaptive import next_ratings
from ocrjury.truth import dawid_skene

SIZES = ((100_000, 10), (1_000_000, 10), (1_000_000, 1_000))
START = 2


def speed_table() -> list[str]:
    """Table of time and memory of one call, each in its own process."""
    lines = [
        "| items | raters | seconds (CPU) | memory over truth and table |",
        "|--:|--:|--:|--:|",
    ]
    for n_items, n_raters in SIZES:
        command = [sys.executable, "-m", "benchmarks.adaptive_speed", str(n_items), str(n_raters)]
        done = subprocess.run(  # noqa: S603  # our own module
            command,
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            timeout=7200,
        )
        call = json.loads(done.stdout)
        lines.append(
            f"| {n_items:,} | {n_raters:,} | {call['seconds']:.1f} | {call['megabytes']:.0f} MB |"
        )
    return lines


def time_call(n_items: int, n_raters: int) -> str:
    """Seconds and megabytes of one call with 2 ratings per item, budget 5 % of the items."""
    rng = np.random.default_rng(0)
    true = rng.choice(5, n_items, p=RECIPES[0].shares) + 1
    item = np.repeat(np.arange(n_items), START)
    first, second = rng.integers(0, n_raters, n_items), rng.integers(1, n_raters, n_items)
    rater = np.stack([first, (first + second) % n_raters], axis=1).ravel()
    rating = np.clip(true[item] + rng.choice([-1, 0, 0, 0, 1], len(item)), 1, 5)
    frame = pd.DataFrame({"item": item, "rater": rater, "rating": rating})
    table = RatingTable.from_long(frame, scale=SCALE)
    truth = dawid_skene(table)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    next_ratings(truth, table, budget=n_items // 20, seed=0)
    seconds = time.process_time() - start
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return json.dumps({"seconds": seconds, "megabytes": (after - before) / 1024})


def main() -> None:
    """Print the figures of one call."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", type=int)
    parser.add_argument("raters", type=int)
    options = parser.parse_args()
    print(time_call(options.items, options.raters))


if __name__ == "__main__":
    main()
