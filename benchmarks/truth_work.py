"""Work of the processes that `benchmarks.truth_speed` starts and times.

.venv/bin/python -m benchmarks.truth_work '{"what": "our_iteration", ...}'
"""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from ocrjury import RatingTable, Scale
from ocrjury.truth import dawid_skene, one_coin
from ocrjury.truth.confusion_prior import distance_confusion
from ocrjury.truth.expectation_maximization import Model, free_confusion
from ocrjury.truth.fitting import starting_counts
from ocrjury.truth.rating_blocks import rating_blocks

N_CATEGORIES, PER_ITEM = 5, 3
SCALE = Scale.likert(1, N_CATEGORIES)
WITHIN = 1e-6  # relative distance from the optimum
CLASSIC: dict[str, Any] = {"prior": "none", "class_prior": "estimated"}
SMALL = 100_000  # ratings, up to which fits are repeated

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ratings:
    """Ratings in the form that both sides take."""

    n_items: int
    n_raters: int
    item: Integers
    rater: Integers
    code: Integers

    def table(self) -> RatingTable:
        """Our table."""
        categories = np.array(SCALE.numbers)
        return RatingTable(
            SCALE,
            tuple(range(self.n_items)),
            tuple(range(self.n_raters)),
            self.item,
            self.rater,
            categories[self.code],
            categories,
            self.code,
        )

    def frame(self) -> Any:
        """crowd-kit's frame."""
        import pandas as pd  # noqa: PLC0415  # the child that measures our memory does without

        return pd.DataFrame({"task": self.item, "worker": self.rater, "label": self.code})


def draw(n_ratings: int, n_raters: int) -> Ratings:
    """Ratings by raters whose confusion matrices are drawn around one that fits a scale."""
    rng = np.random.default_rng(n_raters)
    around = 10 * distance_confusion(N_CATEGORIES)
    rows = np.array([rng.dirichlet(row, n_raters) for row in around]).transpose(1, 0, 2)
    upto = rows.cumsum(axis=2)
    n_items = n_ratings // PER_ITEM
    # Distinct raters per item: sorted draws from fewer raters, spread apart.
    rater = np.sort(rng.integers(0, n_raters - PER_ITEM + 1, (n_items, PER_ITEM)), axis=1)
    rater += np.arange(PER_ITEM)
    true = rng.integers(0, N_CATEGORIES, n_items)
    code = np.empty((n_items, PER_ITEM), dtype=np.int64)
    for first in range(0, n_items, 100_000):
        part = slice(first, first + 100_000)
        lot = rng.random((len(true[part]), PER_ITEM, 1))
        code[part] = (lot > upto[rater[part], true[part][:, None]]).sum(axis=2)
    np.minimum(code, N_CATEGORIES - 1, out=code)
    item = np.repeat(np.arange(n_items), PER_ITEM)
    return Ratings(n_items, n_raters, item, rater.ravel(), code.ravel())


def main() -> None:
    """Do the job of the command line and print its outcome."""
    job = json.loads(sys.argv[1])
    sys.path.append(job.pop("peers"))
    with threadpool_limits(1):
        sys.stdout.write(json.dumps(JOBS[job.pop("what")](**job)))


def cpu(task: Callable[[], object]) -> float:
    """Seconds of CPU time of a task."""
    start = time.process_time()
    task()
    return time.process_time() - start


def our_iteration(n_ratings: int, n_raters: int, *, coin: bool = False) -> float:
    """Least seconds of one iteration, of as many as 8 seconds allow."""
    table = draw(n_ratings, n_raters).table()
    if coin:
        few, many = (
            lambda n=n: one_coin(table, tol=0.0, accelerate=False, max_iter=n) for n in (2, 22)
        )
        return min((cpu(many) - cpu(few)) / 20 for _ in range(10))
    blocks = rating_blocks(table, {})
    model = Model(blocks, np.zeros((N_CATEGORIES,) * 2), None, free_confusion)
    parameters = model.maximize(starting_counts(blocks))
    seconds, until = [], time.perf_counter() + 8
    while len(seconds) < 5 or (time.perf_counter() < until and len(seconds) < 300):
        start = time.process_time()
        _, parameters = model.step(parameters)
        seconds.append(time.process_time() - start)
    return min(seconds)


def their_iteration(
    n_ratings: int, n_raters: int, *, few: int, many: int, coin: bool = False
) -> float:
    """crowd-kit's seconds per iteration: between a fit of few and one of many."""
    frame = draw(n_ratings, n_raters).frame()
    repeats = 3 if n_ratings <= SMALL and not coin else 1
    between = [
        cpu(lambda: their_model(many, coin=coin).fit(frame))
        - cpu(lambda: their_model(few, coin=coin).fit(frame))
        for _ in range(repeats)
    ]
    return min(between) / (many - few)


def their_fit(n_ratings: int, n_raters: int, *, n_iter: int) -> float:
    """crowd-kit's seconds for a whole fit."""
    frame = draw(n_ratings, n_raters).frame()
    return cpu(lambda: their_model(n_iter).fit(frame))


def their_model(n_iter: int, *, coin: bool = False) -> Any:
    """crowd-kit's model, set not to stop early."""
    import warnings  # noqa: PLC0415  # crowd-kit's warnings are not ours to fix

    from crowdkit.aggregation import (  # noqa: PLC0415  # only this child has it
        DawidSkene,
        OneCoinDawidSkene,
    )

    warnings.simplefilter("ignore")
    model = OneCoinDawidSkene if coin else DawidSkene
    return model(n_iter=n_iter, tol=-np.inf)


def our_optimum(n_ratings: int, n_raters: int) -> dict[str, Any]:
    """Seconds and evaluations to near the optimum, and the iterations of plain steps."""
    table = draw(n_ratings, n_raters).table()
    far = {"tol": 1e-9, "max_iter": 3_000}
    plain = dawid_skene(table, accelerate=False, **CLASSIC, **far).objective
    jumping = dawid_skene(table, **CLASSIC, **far).objective
    enough = plain[-1] * (1 + WITHIN)  # both are below 0
    if jumping[-1] < enough:
        raise AssertionError(f"jumps end at {jumping[-1]}, plain steps at {plain[-1]}")
    n_plain, n_jumping = (int(np.argmax(path >= enough)) + 1 for path in (plain, jumping))
    fit = {**CLASSIC, "tol": 0.0, "max_iter": n_jumping}
    seconds = min(cpu(lambda: dawid_skene(table, **fit)) for _ in range(5))
    return {"seconds": seconds, "jumping": n_jumping, "plain": n_plain}


def our_memory(n_ratings: int, n_raters: int, *, default: bool) -> float:
    """Peak of a fit over what the table takes, in GB."""
    table = draw(n_ratings, n_raters).table()
    options: dict[str, Any] = {} if default else CLASSIC
    return peak(lambda: dawid_skene(table, max_iter=5, **options))


def their_memory(n_ratings: int, n_raters: int) -> float:
    """Peak of a fit by crowd-kit over what its frame takes, in GB."""
    frame = draw(n_ratings, n_raters).frame()
    model = their_model(2)
    return peak(lambda: model.fit(frame))


def peak(task: Callable[[], object]) -> float:
    """Most memory held during a task over what was held before, in GB."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forget the peak so far
    before = kilobytes("VmRSS")
    task()
    return (kilobytes("VmHWM") - before) / 1e6


def kilobytes(name: str) -> int:
    """Line of the kernel's account of this process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1])


JOBS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        our_iteration,
        their_iteration,
        their_fit,
        our_optimum,
        our_memory,
        their_memory,
    )
}


if __name__ == "__main__":
    main()
