"""Time and memory of a draw from a million documents and of the headline estimate.

The draw runs in a process of its own, whose memory nothing else has touched.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np
import pandas as pd

from ocrjury.estimation import rated_mean
from ocrjury.sampling import draw_sample

MILLION, DRAWN = 1_000_000, 385
GOAL_DRAW, GOAL_MEAN = 1.0, 0.050  # seconds of the processor


def report() -> Iterator[str]:
    """Yield the lines on time and memory."""
    done = subprocess.run(  # ourselves
        [sys.executable, "-m", "benchmarks.sampling_speed"],
        check=True,
        capture_output=True,
        text=True,
        timeout=7200,
    )
    seconds, before, after = map(float, done.stdout.split())
    mean = mean_seconds()
    yield "\n## Time and memory\n"
    yield "Fastest of several calls, because whatever else a machine does only adds to them.\n"
    yield "| task | seconds of the processor | goal | |"
    yield "|---|--:|--:|---|"
    yield (
        f"| `draw_sample` of {DRAWN} from {MILLION:,} documents in 6 strata | {seconds:.2f} "
        f"| {GOAL_DRAW:.2f} | {'met' if seconds <= GOAL_DRAW else 'missed'} |"
    )
    yield (
        f"| `rated_mean` of 770 ratings with 20 gold items by 6 raters | {mean:.4f} "
        f"| {GOAL_MEAN:.4f} | {'met' if mean <= GOAL_MEAN else 'missed'} |"
    )
    yield (
        f"\nThe process of the draw held {before:.0f} MB with the pool and {after:.0f} MB at its "
        f"highest, so the draw itself takes {after - before:.0f} MB: about "
        f"{(after - before) * 1e6 / MILLION:.0f} bytes for each document."
    )


def mean_seconds(calls: int = 21) -> float:
    """Seconds of the headline estimate, the fastest call of several."""
    rng = np.random.default_rng(1)
    n, raters = 385, 6
    items = pd.DataFrame({"item": [f"d{k}" for k in range(n)], "inclusion_probability": 0.01})
    gold = pd.DataFrame({"item": [f"g{k}" for k in range(20)], "rating": rng.normal(3, 1, 20)})
    names = np.concatenate([np.repeat(items["item"], 2), np.repeat(gold["item"], raters)])
    rater = np.concatenate(
        [np.tile([0, 1], n) + np.repeat(rng.integers(0, 5, n), 2), np.tile(range(raters), 20)]
    )
    ratings = pd.DataFrame(
        {"item": names, "rater": rater, "rating": rng.integers(1, 6, len(names)).astype(float)}
    )
    known = rng.normal(size=(n, 9))
    seconds = []
    for _ in range(calls):
        start = time.process_time()
        rated_mean(ratings, items=items, auxiliary=known, pool_mean=np.zeros(9), gold=gold)
        seconds.append(time.process_time() - start)
    return min(seconds)


def draw_seconds(calls: int = 5) -> tuple[float, float, float]:
    """Seconds of the fastest draw, and megabytes before and at the highest."""
    rng = np.random.default_rng(1)
    pool = pd.DataFrame(
        {
            "doc_id": [f"document-{place:07d}" for place in range(MILLION)],
            "doc_type": rng.choice(list("abcdef"), MILLION),
            "risk": rng.lognormal(-4, 1.5, MILLION) + 0.002,
        }
    )
    before = _megabytes()
    seconds = []
    for seed in range(calls):
        start = time.process_time()
        draw_sample(pool, n=DRAWN, stratum="doc_type", risk="risk", seed=seed)
        seconds.append(time.process_time() - start)
    return min(seconds), before, _megabytes()


def _megabytes() -> float:
    """Peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(*draw_seconds())
