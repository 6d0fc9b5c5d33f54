"""Raters at once on the rating page: losses, duplicates, waiting times, memory, kill -9.

Run as ``.venv/bin/python -m benchmarks.rating_page``; writes ``benchmarks/results/rating_page.md``.
With ``--only painted`` it measures one part and leaves the others as they are; with
``--label-studio out/labelstudio/bin/label-studio``, which ``make out/labelstudio/.ready`` installs,
Label Studio's own page too.
"""

import argparse
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from benchmarks.postgres_server import new_database, postgres_server
from benchmarks.rating_browser import ITEMS, painted_lines
from benchmarks.rating_crowd import Call, Log, Rater, crowd
from benchmarks.rating_kinds import EACH as EACH_OF_KIND
from benchmarks.rating_kinds import EACH_SLOW, kind_lines
from benchmarks.rating_queue import EACH_BROWSER, queue_lines
from benchmarks.rating_server import percentile, serving, wait_until
from benchmarks.rating_world import EACH, RATERS, SUBMISSIONS, World, world_in
from ocrjury.store.database import reading

RESULT = Path(__file__).parent / "results" / "rating_page.md"
LIKE_PEOPLE, AT_ONCE = (2.0, 6.0), (0.0, 0.0)
MANY, MANY_EACH, UNHURRIED = 100, 4, (10.0, 30.0)
GOAL_MS, GOAL_MB, GOAL_KB = 300, 120, 100
DATABASES = ("SQLite", "PostgreSQL")
KILLED_AFTER = SUBMISSIONS // 3
HEAD = f"""# Rating page

{RATERS} raters at once, {EACH} items each: {SUBMISSIONS} submissions over HTTP to
`ocrjury serve`. Made by `.venv/bin/python -m benchmarks.rating_page`.

* A rater does what the script of the rating page does: opens the item, loads the page and the crop
  of the next one, saves a draft after each of three choices, submits, and says that the next page
  is seen. Every tenth submission is sent twice. The items are fields of the bundled example, with
  its rubric and its scanned pages.
* **like people**: {LIKE_PEOPLE[0]:g} to {LIKE_PEOPLE[1]:g} seconds per item, a tenth of what people
  take. **at once**: no pause, so that every rater always waits for the server.
* **p95**: the 95th percentile of the waiting times in milliseconds, as the rater sees them. The
  goal for a submission like people's is {GOAL_MS} ms on an idle machine; here raters and server
  share its processors. **processor**: the server's own milliseconds per item.
* **memory**: the server's peak. **load**: the number of other processes that wanted a processor
  before the server started; 0 on an idle machine.
* Databases store durably (SQLite `synchronous=FULL`, PostgreSQL with `fsync`)."""


class Seen(NamedTuple):
    """Measurements of one run."""

    log: Log
    seconds: float
    load: float
    processor: float
    memory: float
    locked: int


PARTS = ("waiting", "killed", "many", "queue", "painted", "kinds", "bytes")


def main() -> None:
    """Measure what is asked for and write it between the parts that are there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--label-studio", type=Path, help="its program")
    parser.add_argument("--quick", action="store_true", help="a quarter of the items by keyboard")
    asked = parser.parse_args()
    part = 4 if asked.quick else 1
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ocrjury-page-")))
        cluster = stack.enter_context(postgres_server())
        parts = {
            "waiting": lambda: _waiting_lines(folder, cluster),
            "killed": lambda: _killed_lines(folder, cluster),
            "many": lambda: _many_lines(folder, cluster),
            "queue": lambda: queue_lines(folder, each=EACH_BROWSER // part),
            "painted": lambda: painted_lines(
                folder, items=ITEMS // part, label_studio=asked.label_studio
            ),
            "kinds": lambda: kind_lines(
                folder, items=EACH_OF_KIND // part, slow_items=EACH_SLOW // part
            ),
            "bytes": lambda: _byte_lines(folder, cluster),
        }
        measured = {name: "\n".join(_told(parts[name]())) for name in PARTS if name in asked.only}
    _write(measured)


def _told(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines, and report progress on standard error."""
    for line in lines:
        sys.stderr.write(f"{line}\n")
        yield line


def _write(measured: dict[str, str]) -> None:
    """Write new parts over the old ones of the same title; those that are new come last."""
    old = RESULT.read_text(encoding="utf-8").split("\n## ")[1:] if RESULT.exists() else []
    parts = {part.partition("\n")[0]: f"\n## {part.rstrip()}" for part in old}
    parts |= {
        part.strip().partition("\n")[0].removeprefix("## "): part for part in measured.values()
    }
    RESULT.write_text("\n".join([HEAD, *parts.values()]) + "\n", encoding="utf-8")


def _waiting_lines(folder: Path, cluster: Path) -> Iterator[str]:
    """Yield the table of waiting times."""
    yield "\n## Waiting, memory, and what is stored\n"
    yield (
        "| database | raters | load | submission p50 | p95 | goal | page p95 | draft p95 "
        "| image p95 | processor | submissions a second | memory | lost | doubled "
        "| refused or locked |"
    )
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for database in DATABASES:
        for name, think in (("like people", LIKE_PEOPLE), ("at once", AT_ONCE)):
            with _world(folder, cluster, f"{database} {name}") as world:
                yield _line(database, name, world, seen=_measured(world, think))


def _killed_lines(folder: Path, cluster: Path) -> Iterator[str]:
    """Yield the table on a server that dies."""
    yield "\n## The server is killed\n"
    yield (
        f"`kill -9` after {KILLED_AFTER} acknowledged submissions at once, a new server two "
        "seconds later; raters repeat what had no answer.\n"
    )
    yield "| database | acknowledged before | sent again | stored in the end | lost | doubled |"
    yield "|---|--:|--:|--:|--:|--:|"
    for database in DATABASES:
        with _world(folder, cluster, f"{database} killed") as world:
            yield _killed_line(database, world)


def _many_lines(folder: Path, cluster: Path) -> Iterator[str]:
    """Yield the table on a hundred raters."""
    yield f"\n## {MANY} raters\n"
    yield (
        f"{MANY} raters at once, {MANY_EACH} items each, {UNHURRIED[0]:g} to {UNHURRIED[1]:g} "
        "seconds per item.\n"
    )
    yield (
        "| database | load | submission p50 | p95 | goal | submissions a second | processor "
        "| memory | lost | doubled |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for database in DATABASES:
        many = {"raters": MANY, "each": MANY_EACH}
        with _world(folder, cluster, f"{database} many", **many) as world:
            yield _many_line(database, world)


def _many_line(database: str, world: World) -> str:
    """Line of a hundred raters."""
    seen = _measured(world, UNHURRIED)
    submissions = MANY * MANY_EACH
    p50, p95 = (percentile(seen.log.seconds["submission"], share) for share in (50, 95))
    lost, doubled = lost_and_doubled(world, seen.log)
    return (
        f"| {database} | {seen.load:.1f} | {p50:.0f} | {p95:.0f} "
        f"| {GOAL_MS}, {'met' if p95 <= GOAL_MS else 'missed'} "
        f"| {submissions / seen.seconds:.1f} | {1000 * seen.processor / submissions:.0f} "
        f"| {seen.memory:.0f} | {lost} | {doubled} |"
    )


@contextmanager
def _world(
    folder: Path, cluster: Path, name: str, *, raters: int = RATERS, each: int = EACH
) -> Iterator[World]:
    """Yield a new round in a new database."""
    plain = name.lower().replace(" ", "_")
    with ExitStack() as stack:
        url = None
        if name.startswith("PostgreSQL"):
            url = stack.enter_context(new_database(cluster, plain))
        yield stack.enter_context(world_in(folder / plain, url, raters=raters, each=each))


def _measured(world: World, think: tuple[float, float]) -> Seen:
    """Waiting times of all raters, and the cost to the server."""
    load = os.getloadavg()[0]
    with serving(world) as server:
        start = time.perf_counter()
        log, threads = crowd(server.port, world.codes, world.dimensions, think=think)
        for thread in threads:
            thread.join(600)
        seconds = time.perf_counter() - start
        processor, memory = _processor(server.child.pid), _memory(server.child.pid)
    log_text = (world.home / "serve.log").read_text(errors="replace")
    return Seen(log, seconds, load, processor, memory, log_text.count("is locked"))


def _line(database: str, name: str, world: World, *, seen: Seen) -> str:
    """Line of the first table."""
    log = seen.log
    p95 = {kind: percentile(log.seconds[kind], 95) for kind in log.seconds}
    goal = ""
    if name == "like people":
        goal = f"{GOAL_MS}, {'met' if p95['submission'] <= GOAL_MS else 'missed'}"
    lost, doubled = lost_and_doubled(world, log)
    wrong = sum(count for status, count in log.statuses.items() if status >= 400) + seen.locked
    return (
        f"| {database} | {name} | {seen.load:.1f} "
        f"| {percentile(log.seconds['submission'], 50):.0f} | {p95['submission']:.0f} | {goal} "
        f"| {p95['page']:.0f} | {p95['draft']:.0f} | {p95['image']:.0f} "
        f"| {1000 * seen.processor / SUBMISSIONS:.0f} | {SUBMISSIONS / seen.seconds:.1f} "
        f"| {_with_goal(seen.memory, GOAL_MB)} | {lost} | {doubled} | {wrong} |"
    )


def _killed_line(database: str, world: World) -> str:
    """Line of the second table: the server dies in the middle."""
    with serving(world) as server:
        log, threads = crowd(server.port, world.codes, world.dimensions, think=AT_ONCE)
        wait_until(lambda: len(log.taken) >= KILLED_AFTER, threads)
        os.kill(server.child.pid, signal.SIGKILL)
        server.child.wait(600)
        before = len(log.taken)
    time.sleep(2)
    with serving(world, port=server.port):
        for thread in threads:
            thread.join(600)
    lost, doubled = lost_and_doubled(world, log)
    return (
        f"| {database} | {before} | {log.again} | {len(stored(world))} of {SUBMISSIONS} "
        f"| {lost} | {doubled} |"
    )


def _byte_lines(folder: Path, cluster: Path) -> Iterator[str]:
    """Yield the sentence on the size of a page with everything it loads."""
    with _world(folder, cluster, "SQLite bytes") as world, serving(world) as server:
        rater = Rater(server.port, next(iter(world.codes.values())), log=Log(), think=AT_ONCE)
        rater.enter()
        page = rater.ask(Call("page", "GET", "/rate"))
        files = sorted(set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode())))
        sizes = {
            name.rpartition("/")[2]: len(rater.ask(Call("file", "GET", name))) for name in files
        }
        empty = _memory(server.child.pid)
    whole = (len(page) + sum(sizes.values())) / 1000
    parts = ", ".join(f"`{name}` {size / 1000:.1f}" for name, size in sizes.items())
    yield "\n## Bytes\n"
    yield (
        f"A page without its image: {_with_goal(whole, GOAL_KB)} kB uncompressed; itself "
        f"{len(page) / 1000:.1f}, and once for all pages {parts}. A server after the first page "
        f"holds {empty:.0f} MB."
    )


def stored(world: World) -> dict[str, str]:
    """Assignment of every stored submission, by the name that its rater gave it."""
    query = sa.text("select distinct event_id, assignment from ratings")
    with reading(world.store.engine) as connection:
        return {
            row.event_id.removesuffix(f"/{row.assignment}"): row.assignment
            for row in connection.execute(query)
        }


def lost_and_doubled(world: World, log: Log) -> tuple[int, int]:
    """Number of acknowledged submissions that are missing, and number of surplus rows."""
    kept = stored(world)
    with reading(world.store.engine) as connection:
        rows = connection.execute(sa.text("select count(*) from ratings")).scalar_one()
    lost = len(log.taken.keys() - kept.keys()) + world.asked - len(set(kept.values()))
    return lost, rows - len(set(kept.values())) * len(world.dimensions)


def _memory(pid: int) -> float:
    """Peak memory of a process, in MB (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1024


def _processor(pid: int) -> float:
    """Processor seconds that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _with_goal(value: float, goal: float) -> str:
    """Figure with its goal and whether it is met."""
    return f"{value:.0f} ({goal:g}, {'met' if value <= goal else 'missed'})"


if __name__ == "__main__":
    main()
