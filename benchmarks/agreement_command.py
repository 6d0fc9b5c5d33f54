"""Time `ocrjury agreement` on a file of 600,000 ratings, and two of its parts against peers.

    .venv/bin/python -m benchmarks.agreement_command

prints tables and writes them to benchmarks/results/agreement_command.md (5 minutes). Seconds are
processor time, user and system, because other work shares the machine.
"""

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from ocrjury import RatingTable, Scale
from ocrjury.agreement import gain_without_raters
from ocrjury.evaluation.exported_ratings import COLUMNS
from ocrjury.ratings.files import read_ratings

RESULT = Path(__file__).parent / "results" / "agreement_command.md"
N_RATINGS, N_RATERS = 600_000, 50
ITEMS = (12_000, 120_000, 200_000)
LARGE = ((3_000_000, "plain"), (1_000_000, "export"))
GOAL, ROUNDS = 8.0, 2
LEVELS, SHARES = (1, 2, 3, 4, 5), (0.05, 0.10, 0.20, 0.35, 0.30)
FIVE = Scale.likert(1, 5)


def main() -> None:
    """Run all comparisons, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        text = "\n".join([preface(), *report(Path(place)), ""])
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


def report(place: Path) -> Iterator[str]:
    """Yield the lines of all tables."""
    files = {n_items: place / f"{n_items}.csv" for n_items in ITEMS}
    for n_items, file in files.items():
        draw(n_items).to_csv(file, index=False)
    yield "## The whole command\n"
    yield "| items | ratings of each | output | seconds | goal | | peak, MB |"
    yield "|--:|--:|---|--:|--:|---|--:|"
    for n_items, file in files.items():
        for output in ("text", "json"):
            yield command_row(n_items, file, output)
    yield "\n## Large files\n"
    yield "| ratings | form | columns | size, MB | seconds | peak, MB |"
    yield "|--:|---|--:|--:|--:|--:|"
    for n_ratings, form in LARGE:
        yield large_row(n_ratings, form, place / "large.csv")
    yield "\n## Two of its parts\n"
    yield "| items | ours | seconds | peer | seconds | faster |"
    yield "|--:|---|--:|---|--:|--:|"
    with threadpool_limits(1):
        for n_items, file in files.items():
            yield reading_row(n_items, file)
        for n_items, file in files.items():
            yield raters_row(n_items, file)


def draw(n_items: int) -> pd.DataFrame:
    """Ratings by 50 raters with the marginals of good OCR, the same number for every item."""
    rng = np.random.default_rng(0)
    per_item = N_RATINGS // n_items
    truth = rng.choice(LEVELS, n_items, p=SHARES)
    rater = np.argsort(rng.random((n_items, N_RATERS)), axis=1)[:, :per_item].ravel()
    rating = np.round(np.repeat(truth, per_item) + rng.normal(0, 0.65, N_RATINGS))
    return pd.DataFrame(
        {
            "item": [f"item-{place:06d}" for place in np.repeat(np.arange(n_items), per_item)],
            "rater": [f"rater-{place:02d}" for place in rater],
            "rating": np.clip(rating, 1, 5).astype(int),
        }
    )


def large_row(n_ratings: int, form: str, file: Path) -> str:
    """Line of the command on a file of many ratings, three of each item on two dimensions."""
    header = write_large(n_ratings, form, file)
    program = str(Path(sys.executable).with_name("ocrjury"))
    command = [program, "agreement", str(file), "--scale", "likert:1:5", "--exit-zero"]
    seconds, peak = used(command)
    return logged(
        f"| {n_ratings:,} | {form} | {len(header)} | {file.stat().st_size / 1e6:.0f} "
        f"| {seconds:.0f} | {peak / 1024:.0f} |"
    )


def write_large(n_ratings: int, form: str, file: Path) -> list[str]:
    """Write ratings in long form, or as an evaluation exports them; return the columns."""
    header = ["item", "rater", "dimension", "rating"]
    if form == "export":
        header = [*COLUMNS, *(f"x:{name}" for name in ("cer", "wer", "length", "a", "b", "c"))]
    rng = np.random.default_rng(1)
    truth = rng.choice(LEVELS, n_ratings // 6 + 1, p=SHARES)
    moved = np.clip(np.round(truth.repeat(6)[:n_ratings] + rng.normal(0, 0.65, n_ratings)), 1, 5)
    of_item = rng.random((len(truth), 8))
    raters = rng.integers(0, N_RATERS - 2, len(truth))
    with file.open("w", encoding="ascii") as out:
        out.write(",".join(header) + "\n")
        for place, rating in enumerate(moved.astype(int).tolist()):
            item, own = place // 6, of_item[place // 6]
            cells = {
                "item": f"page-{item:07d}",
                "rater": f"R{raters[item] + place % 3:02d}",
                "dimension": "meaning" if place % 6 < 3 else "layout",
                "rating": rating,
                "round": 1,
                "kind": "main",
                "source": "web",
                "session": f"S{place % 5_000:05d}",
                "position": place % 40,
                "repeat": 0,
                "submitted_at": f"2026-11-{1 + place % 28:02d}T09:00:00.{place // 2:06d}+00:00",
                "counts": 1,
                "weight": 1 + 40 * own[0],
                "inclusion_probability": 0.01 + 0.9 * own[1],
                "stratum": f"s{item % 9}",
                "cluster": item // 3,
                "look": 1,
                "looks": 1,
                **dict(zip(header[len(COLUMNS) :], own[2:], strict=False)),
            }
            out.write(",".join(str(cells.get(name, "")) for name in header) + "\n")
    return header


def command_row(n_items: int, file: Path, output: str) -> str:
    """Line of the command on one file: the fastest of some runs."""
    program = str(Path(sys.executable).with_name("ocrjury"))
    command = [program, "agreement", str(file), "--scale", "likert:1:5"]
    command += ["--exit-zero", *(["--json"] if output == "json" else [])]
    runs = [used(command) for _ in range(ROUNDS)]
    seconds, peak = min(runs)[0], max(peak for _, peak in runs)
    outcome = "met" if seconds <= GOAL else "missed"
    return logged(
        f"| {n_items:,} | {N_RATINGS // n_items} | {output} | {seconds:.1f} | {GOAL:g} "
        f"| {outcome} | {peak / 1024:.0f} |"
    )


def used(command: list[str]) -> tuple[float, int]:
    """Processor seconds of a process, and its peak memory in kB."""
    nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawn(command[0], command, os.environ, file_actions=nowhere)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{' '.join(command)} ended with status {status}.")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def reading_row(n_items: int, file: Path) -> str:
    """Line of reading a file: ours with all checks, pandas' parser without any."""
    ours = fastest(lambda: read_ratings(file))
    theirs = fastest(lambda: pd.read_csv(file, dtype=object))
    task = "reading and checking the file"
    return compared(n_items, task=task, ours=ours, peer="pandas.read_csv", theirs=theirs)


def raters_row(n_items: int, file: Path) -> str:
    """Line of alpha without each rater: ours with intervals, krippendorff's points."""
    from krippendorff import alpha  # noqa: PLC0415  # only where it is timed

    frame = pd.read_csv(file)
    table = RatingTable.from_long(frame, scale=FIVE)
    matrix = table.matrix().T

    def point(ratings: object) -> float:
        level = "ordinal"
        return float(alpha(ratings, level_of_measurement=level, value_domain=list(LEVELS)))

    # All 50 take minutes; each takes as long as another.
    theirs = N_RATERS * fastest(lambda: point(np.delete(matrix, 0, axis=0)))
    theirs += fastest(lambda: point(matrix))
    gains = gain_without_raters(table)
    expected = point(np.delete(matrix, 0, axis=0)) - point(matrix)
    if abs(gains[table.raters[0]].value - expected) > 1e-9:
        raise AssertionError(f"{gains[table.raters[0]].value} and {expected}")
    ours = fastest(lambda: gain_without_raters(table))
    task = "gain of alpha without each rater, with intervals"
    peer = "krippendorff, 51 points, no intervals"
    return compared(n_items, task=task, ours=ours, peer=peer, theirs=theirs)


def compared(n_items: int, *, task: str, ours: float, peer: str, theirs: float) -> str:
    """Line of a comparison."""
    ratio = theirs / ours
    return logged(f"| {n_items:,} | {task} | {ours:.2f} | {peer} | {theirs:.2f} | {ratio:,.1f}x |")


def fastest(task: Callable[[], object]) -> float:
    """Least processor seconds of some calls."""
    seconds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        task()
        seconds.append(time.process_time() - start)
    return min(seconds)


def pace() -> float:
    """Least processor seconds of 20 million additions in a loop."""

    def add() -> None:
        total = 0
        for number in range(20_000_000):
            total += number

    return fastest(add)


def logged(line: str) -> str:
    """Write a line to stderr too."""
    sys.stderr.write(f"{line}\n")
    return line


def preface() -> str:
    """Preface of the result: what the tables show."""
    names = ("ocrjury", "krippendorff", "numpy", "scipy", "pandas")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return f"""# `ocrjury agreement` on {N_RATINGS:,} ratings by {N_RATERS} raters

Made by `.venv/bin/python -m benchmarks.agreement_command`. Seconds are processor time, user and
system, of the fastest of {ROUNDS} runs; other work shares the machine. The command runs in a
process of its own, from its start to its end: it reads the file, measures all coefficients in all
forms with jackknife intervals, every pair of raters, alpha without each rater, profiles, and the
tests for bias with 199 shuffles. Memory grows linearly with the number of ratings. Seconds depend
on the machine's speed at the time: 20 million additions in a loop of Python took {pace():.2f} s.

The peers do a part of the work: pandas parses the file and checks nothing; krippendorff gives alpha
of all raters and without each, from ready matrices and without intervals (one such point is timed
and counted for each of the {N_RATERS} raters).

{versions}; Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores.
"""


if __name__ == "__main__":
    main()
