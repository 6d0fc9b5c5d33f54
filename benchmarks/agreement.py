"""Time the agreement coefficients against their peers, side by side in one process.

    .venv/bin/python benchmarks/agreement.py --pingouin FOLDER

prints a table and writes it to benchmarks/results/agreement.md (about 5 minutes). FOLDER holds
pingouin 0.6.1, see `benchmarks.another_release`; without it that row is not measured.
``--only icc`` (or alpha, or pairs) measures a part anew and keeps the other rows as they are.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from threadpoolctl import threadpool_limits

from benchmarks.another_release import AnotherRelease
from benchmarks.side_by_side import (
    HEADER,
    LEAST_SECONDS,
    SECONDS,
    Comparison,
    measure,
    merged,
    row,
    rows_of,
)
from ocrjury import RatingTable, Scale
from ocrjury.agreement import icc, krippendorff_alpha, pairwise_kappa
from ocrjury.agreement.mixed_model import Form

RESULT = Path(__file__).parent / "results" / "agreement.md"
FOLDER = "OCRJURY_BENCH_PINGOUIN"
FIVE = Scale.likert(1, 5)
LEVELS = [1, 2, 3, 4, 5]
SHARES = (0.05, 0.10, 0.20, 0.35, 0.30)
FORMS: tuple[Form, ...] = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")
SIZES = (
    ("1e3 x 3", 1_000, 3, 1.0),
    ("1e5 x 5", 100_000, 5, 1.0),
    ("1e6 x 5", 1_000_000, 5, 1.0),
    ("1e5 x 100, 5 %", 100_000, 100, 0.05),
)
PARTS = {"alpha": "alpha", "pairs": "kappa", "icc": "six"}  # first word of their tasks
ICC_GOAL = 1000.0  # set against pingouin 0.6.1
PEAK_LIMIT = 400  # MB

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Size:
    """Data set of one size; ``frame`` holds the ratings of ``matrix``, one per row."""

    name: str
    matrix: Floats
    frame: pd.DataFrame

    @property
    def sparse(self) -> bool:
        """Whether some cells are empty."""
        return len(self.frame) < self.matrix.size

    def table(self) -> RatingTable:
        """Our table from the natural input: the frame if cells are empty."""
        return self.long() if self.sparse else RatingTable.from_matrix(self.matrix, scale=FIVE)

    def long(self) -> RatingTable:
        """Our table from the long frame."""
        return RatingTable.from_long(self.frame, scale=FIVE)


def main() -> None:
    """Run all comparisons, print the table and write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--no-write", action="store_true", help="print only")
    parser.add_argument("--only", choices=PARTS, help="measure this part, keep the other rows")
    parser.add_argument("--pingouin", type=Path, help=f"folder of pingouin 0.6.1 [${FOLDER}]")
    parser.add_argument("--peak", choices=("nothing", "ocrjury", "krippendorff"), help="internal")
    arguments = parser.parse_args()
    if arguments.peak:
        sys.stdout.write(f"{peak_of(arguments.peak)}\n")
        return
    folder = arguments.pingouin or os.environ.get(FOLDER)
    with threadpool_limits(1):
        compared = comparisons(arguments.only, None if folder is None else Path(folder))
        rows = [row(comparison, measure(comparison)) for comparison in compared]
    if arguments.only:
        rows = merged(rows_of(RESULT), rows, order_of)
    text = "\n".join([preface(), HEADER, *rows, "", memory(), ""])
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


def comparisons(only: str | None, pingouin: Path | None) -> Iterator[Comparison]:
    """Yield the comparisons, size by size, so that only one size is in memory."""
    for name, n_items, n_raters, share in SIZES:
        size = draw(name, n_items, n_raters, share=share)
        if only in (None, "alpha"):
            yield from of_alpha(size)
        if only in (None, "pairs"):
            yield from of_pairs(size)
        if only in (None, "icc") and not size.sparse:
            yield from of_icc(size)
            if pingouin is not None and size.name == SIZES[0][0]:
                yield from of_icc_before(size, pingouin)


def order_of(size: str, task: str) -> tuple[int, int]:
    """Place of a row in the table."""
    sizes = [name for name, *_ in SIZES]
    return sizes.index(size), [*PARTS.values()].index(task.split(maxsplit=1)[0].strip(","))


def draw(name: str, n_items: int, n_raters: int, *, share: float) -> Size:
    """Ratings with the marginals of good OCR and ordinal alpha of about .77."""
    matrix = ratings(n_items, n_raters)
    if share < 1:
        matrix[np.random.default_rng(1).random(matrix.shape) >= share] = np.nan
    item, rater = np.nonzero(~np.isnan(matrix))
    values = matrix[item, rater].astype(np.int64)
    return Size(name, matrix, pd.DataFrame({"item": item, "rater": rater, "rating": values}))


def ratings(n_items: int, n_raters: int) -> Floats:
    """Full matrix, drawn in blocks so that little more is in memory."""
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
        "1e3 x 3": (2.0, None),
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
    """Alpha of a matrix of shape (N, M) by krippendorff."""
    from krippendorff import alpha  # noqa: PLC0415  # the child that measures memory has no peers

    return lambda matrix: float(
        alpha(np.asarray(matrix).T, level_of_measurement="ordinal", value_domain=LEVELS)
    )


def of_pairs(size: Size) -> Iterator[Comparison]:
    """Yield Cohen's kappa of all pairs, ours with standard errors."""
    from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415  # as above

    rated = ~np.isnan(size.matrix)

    def theirs() -> float:
        values = []
        for a, b in combinations(range(size.matrix.shape[1]), 2):
            both = rated[:, a] & rated[:, b]
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
    """Yield the six intraclass correlations with F intervals, against the installed pingouin."""
    import pingouin  # noqa: PLC0415  # as above

    def theirs() -> float:
        table = pingouin.intraclass_corr(size.frame, "item", "rater", "rating")
        return float(table["ICC"].iloc[1])

    peer = f"pingouin {pingouin.__version__}, long frame"
    goal = ICC_GOAL if size.name == SIZES[0][0] else None
    yield Comparison(size.name, "six ICCs", peer, partial(six, size.table), theirs, goal)
    task = "six ICCs, also from the long frame"
    yield Comparison(size.name, task, peer, partial(six, size.long), theirs, None)


def of_icc_before(size: Size, folder: Path) -> Iterator[Comparison]:
    """Yield the same against the release in a folder, in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        frame = Path(place) / "ratings.csv"
        size.frame.to_csv(frame, index=False)
        peer = AnotherRelease(folder, frame)
        name = f"pingouin {peer.version}, long frame"
        for task, ours, goal in (
            ("six ICCs", size.table, ICC_GOAL),
            ("six ICCs, also from the long frame", size.long, None),
        ):
            yield Comparison(size.name, task, name, partial(six, ours), peer, goal)
        peer.close()


def six(make: Callable[[], RatingTable]) -> float:
    """Make a table and compute all six, return ICC(2,1)."""
    table = make()
    return [icc(table, form=form).value for form in FORMS][1]


def peak_of(library: str) -> int:
    """Peak memory of this process, in MB, after the work of ``who``.

    ``getrusage`` would count what the parent held when it started this process.
    """
    matrix = ratings(1_000_000, 5)
    if library == "ocrjury":
        table = RatingTable.from_matrix(matrix, scale=FIVE)
        krippendorff_alpha(table, ci="jackknife")
        krippendorff_alpha(table, ci="bootstrap")
        pairwise_kappa(table)
        icc(table)
    elif library == "krippendorff":
        _peer_alpha()(matrix)
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (peak,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) // 1024


def memory() -> str:
    """Sentence about memory, measured in separate processes."""
    peaks = {}
    for library in ("nothing", "ocrjury", "krippendorff"):
        command = [sys.executable, __file__, "--peak", library]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=7200)  # noqa: S603
        peaks[library] = int(done.stdout)
    outcome = "met" if peaks["ocrjury"] <= PEAK_LIMIT else "missed"
    return (
        "Peak memory of a whole process at 1e6 x 5 with the matrix of 40 MB in it: "
        f"{peaks['ocrjury']} MB for alpha with both intervals, all pairs and an ICC "
        f"(goal: at most {PEAK_LIMIT} MB, {outcome}); {peaks['krippendorff']} MB for "
        f"krippendorff's point; {peaks['nothing']} MB before either begins."
    )


def preface() -> str:
    """Preface of the result: what the table shows."""
    names = ("ocrjury", "krippendorff", "scikit-learn", "pingouin", "numpy", "pandas")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return f"""# Agreement coefficients against their peers

Made by `.venv/bin/python benchmarks/agreement.py --pingouin FOLDER` on one thread. The two
sides run by turns for {SECONDS:g} seconds. Ours starts from the natural input and includes the
encoding: the matrix, or the long frame on the sparse design. krippendorff and scikit-learn get a
ready matrix, pingouin the long frame that it needs. Both sides must give the same number. All
run in one process, except pingouin 0.6.1, which is not the installed release: it comes from
`.venv/bin/pip install --no-deps --target FOLDER pingouin==0.6.1`, runs on the same numpy and
pandas, and times itself in its own process.

"seconds" and "faster" refer to the fastest round (for short calls, the mean over
{1000 * LEAST_SECONDS:g} ms), "by medians" to the median round. A goal is met if both reach it.

The goal for six ICCs at 1e3 x 3 was 1,000 times faster than pingouin. It was set for pingouin 0.6.1
and is met there. Release 0.7.0 is itself about 90 times faster than 0.6.1. Against it the goal is
missed: a thousandth of its time is some 10 microseconds, less than Python needs for six calls.
`--only` measures one part again; the other rows are then those of an earlier run.

{versions}; Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores,
shared with other work.
"""


if __name__ == "__main__":
    main()
