"""Time everything that CI checks, and name the slowest tests: ``benchmarks/results/tests.md``.

The goal is ten minutes on two cores that do nothing else. The wall clock of a shared machine says
little, so seconds of the processors stand beside it. Every run adds a row; older rows stay. With
``--postgresql``, ``make test-postgresql`` is run instead, and adds a row to a table of its own.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "tests.md"
SLOWEST = 20
SLOWEST_OF_ALL = "## The slowest of the last run"
PARTS = "tests/tasks, tests/flows"
ON_POSTGRESQL = """## With the store on PostgreSQL

`python -m benchmarks.tests --postgresql` runs `make test-postgresql` and adds a row.

| tests | day | commit | minutes | processor seconds | load | passed | outcome | pace |
|---|---|---|--:|--:|--:|--:|---|--:|
"""
HEAD = """# How long `make test` takes

`python -m benchmarks.tests` runs it and adds a row; the goal is 10 minutes on 2 cores that do
nothing else. Processor seconds are those that the system counts for the run and its children:
PostgreSQL's and most of the browser's, together about 200, are missing. Load is the mean number of
processes that wanted a core in the last quarter of an hour: far above 2, others were at work. Pace
is what twenty million additions take, in seconds, just before: minutes at unlike paces compare
machines.

| day | commit | minutes | processor seconds | load | tests | outcome | pace |
|---|---|--:|--:|--:|--:|---|--:|
"""


def main(target: str) -> int:
    """Run the tests and write the result; the exit code is that of the tests."""
    environment = os.environ | {"PYTEST_ADDOPTS": f"--durations={SLOWEST}"}
    pace, before, start = _pace(), _processor_seconds(), time.monotonic()
    done = subprocess.run(  # noqa: S603  # one of two
        ["make", target],  # noqa: S607  # as a person would
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=4 * 3600,
    )
    print(done.stdout)
    minutes, processor = (time.monotonic() - start) / 60, _processor_seconds() - before
    passed = re.search(r"(\d+) passed", done.stdout)
    row = (
        f"| {datetime.now(UTC):%Y-%m-%d} | {_commit()} | {minutes:.1f} | {processor:.0f} "
        f"| {os.getloadavg()[2]:.1f} | {passed[1] if passed else 0} "
        f"| {'passed' if done.returncode == 0 else 'failed'} | {pace:.2f} |"
    )
    if target == "test":
        slowest = [f"| {seconds} | `{test}` |" for seconds, test in _slowest(done.stdout)]
        _write([*_rows(), row], slowest)
    else:
        text = RESULT.read_text(encoding="utf-8")
        RESULT.write_text(_with_postgresql(text, f"| {PARTS} {row}"), encoding="utf-8")
    return done.returncode


def _write(rows: list[str], slowest: list[str]) -> None:
    """Write the results of all runs, and the slowest tests of the last."""
    table = f"{SLOWEST_OF_ALL}\n\n| seconds | test |\n|--:|---|"
    text = "\n".join([*rows, "", *_remarks(), "", table, *slowest, ""])
    RESULT.write_text(HEAD + text, encoding="utf-8")


def _with_postgresql(text: str, row: str) -> str:
    """Results with another row of a run on PostgreSQL, below those that are there."""
    if ON_POSTGRESQL not in text:
        text = text.replace(SLOWEST_OF_ALL, f"{ON_POSTGRESQL}\n{SLOWEST_OF_ALL}")
    above, below = text.split(ON_POSTGRESQL)
    rows = re.match(r"(?:\|.*\n)*", below)
    known = rows[0] if rows else ""
    return f"{above}{ON_POSTGRESQL}{known}{row}\n{below.removeprefix(known)}"


def _pace() -> float:
    """Seconds of the processor that twenty million additions take."""
    start, total = time.process_time(), 0
    for number in range(20_000_000):
        total += number
    return time.process_time() - start


def _processor_seconds() -> float:
    """Seconds that ended descendants of this process have computed."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _commit() -> str:
    """Commit of this tree."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(  # noqa: S603  # ours
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    return done.stdout.strip() or "no commit"


def _rows() -> list[str]:
    """Rows of earlier runs."""
    text = RESULT.read_text(encoding="utf-8") if RESULT.exists() else ""
    return re.findall(r"^\| \d{4}-.*\|$", text, re.MULTILINE)


def _remarks() -> list[str]:
    """Lines that people wrote below the rows."""
    text = RESULT.read_text(encoding="utf-8") if RESULT.exists() else ""
    below = re.split(r"^\| \d{4}-.*\|$", text, flags=re.MULTILINE)[-1]
    return below.partition(SLOWEST_OF_ALL)[0].strip().splitlines()


def _slowest(output: str) -> list[tuple[str, str]]:
    """Seconds and names of the tests and fixtures that pytest found slowest."""
    return re.findall(r"^([\d.]+)s (?:call|setup|teardown) +(\S.*)$", output, re.MULTILINE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--postgresql", action="store_true", help="run make test-postgresql")
    sys.exit(main("test-postgresql" if parser.parse_args().postgresql else "test"))
