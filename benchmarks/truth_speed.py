"""Time Dawid and Skene's model against crowd-kit's, iteration by iteration and to the optimum.

    make peers
    .venv/bin/python -m benchmarks.truth_speed

prints tables and writes them to benchmarks/results/truth_speed.md (10 minutes of CPU time, 4 GB).
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.truth_work import N_CATEGORIES, PER_ITEM, SMALL, WITHIN

ROOT = Path(__file__).parents[1]
RESULT = ROOT / "benchmarks" / "results" / "truth_speed.md"
PEERS = ROOT / "out" / "peers"
SIZES = (SMALL, 1_000_000, 10_000_000)
RATERS = {1_000: 15.0, 10_000: 12.0}  # and how many times faster an iteration is meant to be
MOST_MS, MOST_GB = 9.0, 0.35
TO_OPTIMUM, ONE_COIN = 25.0, 200.0


def main() -> None:
    """Run all comparisons, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--no-write", action="store_true", help="print only")
    parser.add_argument("--peers", type=Path, default=PEERS, help="where crowd-kit is installed")
    parser.add_argument("--largest", type=float, default=SIZES[-1], help="leave out larger sizes")
    arguments = parser.parse_args()
    parts = report(arguments.peers, [n for n in SIZES if n <= arguments.largest])
    text = "\n".join([preface(arguments.peers), *parts])
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


def report(peers: Path, sizes: list[int]) -> Iterator[str]:
    """Yield the tables."""
    yield ITERATION_HEADER
    for n_ratings in sizes:
        for n_raters in RATERS:
            yield iteration_row(peers, n_ratings, n_raters)
    yield OPTIMUM_HEADER
    for n_ratings in sizes[:2]:
        yield optimum_row(peers, n_ratings)
    yield one_coin_line(peers)
    yield memory_line(peers, sizes[-1])


ITERATION_HEADER = """## One iteration

| ratings | raters | ours, ms | ms per 1e6 | goal | crowd-kit, ms | faster | goal | |
|--:|--:|--:|--:|--:|--:|--:|--:|---|"""


def iteration_row(peers: Path, n_ratings: int, n_raters: int) -> str:
    """Line of one size."""
    size = {"n_ratings": n_ratings, "n_raters": n_raters}
    ours = ask("our_iteration", peers, **size)
    few, many = (2, 5) if n_ratings > SIZES[0] else (2, 12)
    theirs = ask("their_iteration", peers, few=few, many=many, **size)
    per_million, ratio = ours * 1e9 / n_ratings, theirs / ours
    limit = MOST_MS if n_raters == min(RATERS) and n_ratings > SMALL else None
    met = ratio >= RATERS[n_raters] and (limit is None or per_million <= limit)
    return shown(
        f"| {n_ratings:,} | {n_raters:,} | {ours * 1e3:.2f} | {per_million:.1f} "
        f"| {'' if limit is None else f'{limit:g}'} | {theirs * 1e3:.1f} | {ratio:.1f}x "
        f"| {RATERS[n_raters]:g}x | {'met' if met else 'missed'} |"
    )


OPTIMUM_HEADER = f"""
## To within {WITHIN:g} of the optimum, relative, from the ratings to the labels

1,000 raters. The optimum is where plain steps end, after 3,000 at most. Ours needs fewer iterations
because of SQUAREM jumps. crowd-kit gets exactly as many as plain steps need, which its own stopping
rule would not find.

| ratings | ours, s | iterations | crowd-kit, s | iterations | faster | goal | |
|--:|--:|--:|--:|--:|--:|--:|---|"""


def optimum_row(peers: Path, n_ratings: int) -> str:
    """Line of one size."""
    size = {"n_ratings": n_ratings, "n_raters": 1_000}
    fit = ask("our_optimum", peers, **size)
    theirs = ask("their_fit", peers, n_iter=fit["plain"], **size)
    ratio = theirs / fit["seconds"]
    return shown(
        f"| {n_ratings:,} | {fit['seconds']:.3f} | {fit['jumping']} | {theirs:.2f} "
        f"| {fit['plain']} | {ratio:.0f}x | {TO_OPTIMUM:g}x "
        f"| {'met' if ratio >= TO_OPTIMUM else 'missed'} |"
    )


def one_coin_line(peers: Path) -> str:
    """Sentence about the one-coin model."""
    size = {"n_ratings": SIZES[0], "n_raters": 1_000}
    ours = ask("our_iteration", peers, coin=True, **size)
    theirs = ask("their_iteration", peers, few=1, many=3, coin=True, **size)
    met = "met" if theirs / ours >= ONE_COIN else "missed"
    return shown(
        f"\nOne-coin model, one iteration at 100,000 ratings by 1,000 raters: ours "
        f"{ours * 1e3:.2f} ms, crowd-kit {theirs * 1e3:.0f} ms, {theirs / ours:.0f} times faster "
        f"(goal: at least {ONE_COIN:g}, {met})."
    )


def memory_line(peers: Path, n_ratings: int) -> str:
    """Sentence about memory."""
    size = {"n_ratings": n_ratings, "n_raters": 1_000}
    classic = ask("our_memory", peers, default=False, **size)
    default = ask("our_memory", peers, default=True, **size)
    theirs = ask("their_memory", peers, **size)
    met = "met" if max(classic, default) <= MOST_GB else "missed"
    return shown(
        f"\nPeak memory over the ratings themselves at {n_ratings:,} ratings by 1,000 raters: "
        f"{classic:.2f} GB for the classic model, {default:.2f} GB for the default one (goal: at "
        f"most {MOST_GB:g} GB, {met}), {theirs:.2f} GB for crowd-kit's classic one.\n"
    )


def ask(what: str, peers: Path, **options: Any) -> Any:
    """Answer of a child process that finds crowd-kit among the peers."""
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    job = json.dumps({"what": what, "peers": str(peers), **options})
    done = subprocess.run(  # noqa: S603  # our own module
        [sys.executable, "-m", "benchmarks.truth_work", job],
        env={**os.environ, **one_thread},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=7200,
    )
    if done.returncode:
        sys.exit(f"{what} failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def shown(line: str) -> str:
    """The same line, after showing it at once."""
    sys.stderr.write(f"{line}\n")
    return line


def preface(peers: Path) -> str:
    """Preface of the result: what the tables show."""
    theirs = next(peers.glob("crowd_kit-*.dist-info")).stem.split("-")[1]
    versions = ", ".join(f"{name} {version(name)}" for name in ("ocrjury", "numpy", "scipy"))
    return f"""# Dawid and Skene's model against crowd-kit's

Made by `make peers` and `.venv/bin/python -m benchmarks.truth_speed`: {N_CATEGORIES} categories,
{PER_ITEM} ratings per item, one thread, every figure in its own process. Seconds are CPU time,
because other work shares the machine. Ours are the fastest of several runs, and so are
crowd-kit's at 100,000 ratings. The goal of 9 ms for a million ratings is one for 1,000 raters; with
10,000 there is none. What a fit of the default costs beside its predecessor's is measured in
[single_studies.md](single_studies.md#a-fit-of-the-default-beside-its-predecessors). An iteration
is a step of expectation-maximisation with the log-likelihood, on our side with prior="none" and
class_prior="estimated". crowd-kit's is the difference between a long and a short fit, so that its
start does not count.

crowd-kit waits for memory more than ours and suffers more from other processes. Alone on the
machine it took 35 ms at 100,000 ratings by 1,000 raters, 249 and 315 ms at a million by 1,000
and 10,000, 2.9 and 3.6 s at ten million. The goals in times faster hold against those figures too.
More than half of our time goes into SciPy's two products of the sparse ratings;
docs/decisions/0023-a-step-has-one-category-less.md says what else was tried.

{versions}, crowd-kit {theirs}; Python {platform.python_version()}, {platform.machine()}.
"""


if __name__ == "__main__":
    main()
