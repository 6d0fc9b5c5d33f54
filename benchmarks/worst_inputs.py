"""The most expensive inputs we know, each read in a child process with hard limits.

Run as ``.venv/bin/python -m benchmarks.worst_inputs``; writes the table in
``benchmarks/results/worst_inputs.md``. With ``--json NAME ...`` it writes nothing and prints what
became of some inputs.
"""

import json
import multiprocessing
import platform
import re
import resource
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from benchmarks import worst_tables, worst_texts
from benchmarks.worst_texts import MEGABYTES, SECONDS, Worst

INPUTS = {**worst_texts.INPUTS, **worst_tables.INPUTS}
RESULT = Path(__file__).parent / "results" / "worst_inputs.md"
LARGE = [name for name, worst in INPUTS.items() if worst.seconds > SECONDS]
"""Tables of ratings that people read on their own machines."""
TABLES = INPUTS[LARGE[0]]
REFUSALS = ("InputError", "BadContentError", "FileError", "CellProblem", "ValidationError")
HEAD = f"""# The worst inputs

Made by `.venv/bin/python -m benchmarks.worst_inputs`. Each input is the most expensive that we know
for its reader, at the reader's own limit of length or beyond it. A child process reads it with
{SECONDS} seconds of the processor and {MEGABYTES} MB of memory, for large tables of ratings
{TABLES.seconds} seconds and {TABLES.megabytes} MB. `tests/test_worst_inputs.py`, and for those
tables `tests/external/test_large_tables.py`, fails if one needs more. Seconds are processor time;
MB is what reading adds to the child's peak memory.
**Before** is what it took before its reader had limits.
"""


class Measured(NamedTuple):
    """What became of an input: read, refused, or how the child ended."""

    name: str
    outcome: str
    seconds: float
    megabytes: float


def main() -> None:
    """Read every input and write the table, or print what became of some as JSON."""
    if "--json" in sys.argv[1:]:
        print(json.dumps({name: measure(name, INPUTS[name]).outcome for name in sys.argv[2:]}))
        return
    measured = [measure(name, worst) for name, worst in INPUTS.items()]
    head = "| input | size | before | seconds | MB | ends |\n|---|---|--:|--:|--:|---|"
    rows = [_row(INPUTS[row.name], row) for row in measured]
    where = f"Python {platform.python_version()}, {platform.machine()}."
    RESULT.write_text("\n".join([HEAD, where, "", head, *rows, ""]), encoding="utf-8")


def measure(name: str, worst: Worst) -> Measured:
    """Read one input in a child; what it printed is lost with it."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_read, args=(worst, sender))
    child.start()
    sender.close()
    outcome, seconds, megabytes = "", float(worst.seconds), float(worst.megabytes)
    with suppress(EOFError):
        if receiver.poll(10 * worst.seconds):
            outcome, seconds, megabytes = receiver.recv()
    child.join(SECONDS)
    if child.exitcode is None:
        child.kill()
    return Measured(name, outcome or f"ended with {child.exitcode}", seconds, megabytes)


def _read(worst: Worst, sender: Connection) -> None:
    """Read an input in this process, and send what became of it."""
    _limit(worst)
    content = worst.make()
    before, start = _peak(), time.process_time()
    try:
        worst.read(content)
        outcome = "read"
    except MemoryError:
        outcome = "out of memory"
    except Exception as error:  # noqa: BLE001  # whatever it is, the table and the test name it
        known = {each.__name__ for each in type(error).__mro__} & set(REFUSALS)
        outcome = "refused" if known else f"{type(error).__name__}: {error}"[:200]
    sender.send((outcome, time.process_time() - start, _peak() - before))


def _limit(worst: Worst) -> None:
    """Limit this process for good."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + (worst.megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (worst.seconds, worst.seconds))


def _peak() -> float:
    """Most memory that this process has had, in MB."""
    status = Path("/proc/self/status").read_text("ascii")
    found = re.search(r"VmHWM:\s*(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def _row(worst: Worst, measured: Measured) -> str:
    """Line of the table."""
    seconds, megabytes = f"{measured.seconds:.2f}", f"{measured.megabytes:.0f}"
    cells = [worst.what, worst.size, worst.before, seconds, megabytes, measured.outcome]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
