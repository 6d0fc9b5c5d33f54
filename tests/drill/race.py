"""Let four processes advance one evaluation at once, again and again, and compare the stores.

Every trial has a home of its own, on SQLite or PostgreSQL, and the campaign of the drills: a pilot,
gold, repeats, an adaptive round. In every second trial the processes begin at the same moment, in
the others within a second of each other, so that they meet in other states. None may end with an
error, all must end with the evaluation closed, and the store must be that of one process alone:
every row of every table, and every file, but how far a round was while people rated, which is kept
by whoever looks at that moment.

Run as ``python -m tests.drill.race``; writes ``benchmarks/results/race.md``.
"""

import argparse
import hashlib
import os
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import sqlalchemy as sa

from benchmarks.postgres_server import new_database, postgres_server
from ocrjury.store.database import make_engine
from tests.drill.campaign import small_campaign
from tests.forks import at_once
from tests.tasks.racer import race

RESULT = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "race.md"
TIMES, PROCESSES = 50, 4
PROGRESS = ("interim", "preview")
"""Results about a round that is open; nothing rests on them."""


class Trial(NamedTuple):
    """What came of one evaluation that some processes advanced."""

    ends: Counter
    contents: dict
    seconds: float


def run(campaign, *, home, url=None, processes=PROCESSES, within=0.0):
    """Let processes open and advance one evaluation in an empty store, begun within some time."""
    began = time.monotonic()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OCRJURY_CLOCK", "2026-11-20T00:00:00+00:00")
        environment.setenv("OCRJURY_HOME", str(home))
        if url is not None:
            environment.setenv("OCRJURY_DATABASE_URL", url)
        ends = at_once(race_or_say, str(campaign), within, count=processes)
    contents = contents_of(url or f"sqlite:///{home}/ocrjury.db", home)
    return Trial(Counter(ends), contents, time.monotonic() - began)


def race_or_say(campaign, within, start):
    """Name of the state in which a process ends, or the error that it ends with."""
    try:
        return race(campaign, start, late=random.uniform(0, within))
    except Exception as error:  # noqa: BLE001  # what is looked for
        return f"{type(error).__name__}: {error}"


def contents_of(url, home):
    """Every row of every table but progress, and the digest of every file."""
    engine = make_engine(url)
    tables = sa.MetaData()
    tables.reflect(engine)
    with engine.connect() as connection:
        rows = {
            name: sorted(repr(tuple(row)) for row in connection.execute(lasting(table)))
            for name, table in tables.tables.items()
        }
    engine.dispose()
    files = [path for path in (home / "files").iterdir() if path.is_file()]
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    return rows | {"files": sorted(digests.items())}


def lasting(table):
    """Query for the rows of a table that are the same whoever looks when."""
    rows = sa.select(table)
    return rows.where(table.c.kind.not_in(PROGRESS)) if table.name == "results" else rows


def difference(alone, together):
    """What is wrong with a trial, in words; nothing if it ended as one process alone would."""
    ends = [f"{count} x {end}" for end, count in together.ends.items() if end != "Closed"]
    differing = [name for name, rows in alone.items() if together.contents.get(name) != rows]
    return ends + [f"other rows: {', '.join(differing)}"] * bool(differing)


@contextmanager
def new_store(database, server):
    """An empty home, and an empty database for it."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ocrjury-race-"))
        url = None
        if database == "postgresql":
            url = stack.enter_context(new_database(server, "race"))
        yield {"home": Path(folder) / "home", "url": url}


def trials(campaign, database, times):
    """Lines of the table for a database; the first trial has one process."""
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if database == "postgresql" else None
        with new_store(database, server) as place:
            alone = run(campaign, **place, processes=1)
        assert alone.ends == {"Closed": 1}, alone.ends
        together, wrong = [], Counter()
        for number in range(times):
            with new_store(database, server) as place:
                trial = run(campaign, **place, within=float(number % 2))
            together.append(trial.seconds)
            wrong.update(difference(alone.contents, trial))
            print(database, number + 1, f"{trial.seconds:.1f} s", *wrong, flush=True)
    said = "; ".join(f"{count} times {what}" for what, count in wrong.items()) or "none"
    mean = sum(together) / len(together)
    return f"| {database} | {times} | {alone.seconds:.1f} | {mean:.1f} | {said} |", not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=TIMES)
    times = parser.parse_args().times
    folder = Path(tempfile.mkdtemp(prefix="ocrjury-race-campaign-"))
    campaign = small_campaign(folder)
    found = [trials(campaign, database, times) for database in ("sqlite", "postgresql")]
    if times == TIMES:
        RESULT.write_text(page(line for line, _ in found), encoding="utf-8")
    return not all(good for _, good in found)


def page(lines):
    """Page of the results."""
    command, head, said = "`python -m tests.drill.race`", "# Race", __doc__.splitlines()[2:-2]
    table = ["| store | times | s, one process | s, four | errors and differences |"]
    table += ["|---|--:|--:|--:|---|", *lines, ""]
    return "\n".join([f"{head}: {command}", "", *said, f"{os.cpu_count()} cores.", "", *table])


if __name__ == "__main__":
    sys.exit(main())
