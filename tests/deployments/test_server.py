import os
import subprocess
import sys
import zoneinfo

import pytest

from ocrjury.deployments import server

# Two connections, as Prefect's server has them: one holds the write lock, another waits for it in
# a thread of its own and has left the cursor of a refused statement. The main thread is the loop.
STALL = """
import gc, sqlite3, sys, threading
from ocrjury.deployments.server import collect_aside

def connect():
    return sqlite3.connect(sys.argv[1], isolation_level=None, check_same_thread=False)

holder, waiter = connect(), connect()
holder.execute("pragma journal_mode = wal")
holder.execute("create table t (x)")
if sys.argv[2] == "aside":
    collect_aside(seconds=0.05)
holder.execute("begin immediate")
waiter.execute("pragma busy_timeout = 0")
garbage = [waiter.cursor()]
try:
    garbage[0].execute("insert into t values (1)")
except sqlite3.OperationalError:
    waiter.execute("pragma busy_timeout = 3000")
garbage.append(garbage)

waits, ends = threading.Event(), []

def write():
    try:
        waits.set()
        waiter.execute("insert into t values (1)")
        ends.append("stored")
    except sqlite3.OperationalError as error:
        ends.append(str(error))

thread = threading.Thread(target=write)
thread.start()
waits.wait(10)
threading.Event().wait(0.5)  # it is within the statement now
del garbage
kept = [[] for _ in range(100_000)]  # enough for a collection, if this thread collects
holder.execute("commit")
thread.join(30)
print(*ends)
"""

# Two transactions of Prefect's server that read, and write when both have read.
TWO = """
import asyncio, sys
import sqlalchemy as sa
from prefect.server.database.configurations import AioSqliteConfiguration
from ocrjury.deployments.server import lock_at_once

if sys.argv[2] == "at once":
    lock_at_once()
database = AioSqliteConfiguration(f"sqlite+aiosqlite:///{sys.argv[1]}")

async def add(engine):
    session = await database.session(engine)
    async with session, database.begin_transaction(session, with_for_update=False):
        await session.execute(sa.text("select count(*) from t"))
        await asyncio.sleep(0.5)
        await session.execute(sa.text("insert into t values (1)"))

async def main():
    engine = await database.engine()
    async with engine.begin() as connection:
        await connection.execute(sa.text("create table t (x)"))
    ends = await asyncio.gather(add(engine), add(engine), return_exceptions=True)
    print(*sorted("stored" if end is None else str(end.orig) for end in ends), sep=", ")

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("when", "ends"), [("late", "database is locked, stored"), ("at once", "stored, stored")]
)
def test_transactions_that_meet_wait_for_one_another(tmp_path, when, ends):
    command = [sys.executable, "-c", TWO, str(tmp_path / "x.db"), when]
    environment = os.environ | {"PREFECT_HOME": str(tmp_path)}

    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=True, env=environment
    )

    assert done.stdout.strip() == ends


@pytest.mark.parametrize(("where", "end"), [("here", "database is locked"), ("aside", "stored")])
def test_garbage_that_waits_for_a_lock_does_not_keep_its_holder(tmp_path, where, end):
    command = [sys.executable, "-c", STALL, str(tmp_path / "x.db"), where]

    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout.strip() == end


def test_the_names_of_time_zones_are_read_once(monkeypatch):
    read = []
    monkeypatch.setattr(zoneinfo, "available_timezones", lambda: read.append(1) or {"UTC"})

    server.remember_time_zones()
    names = [zoneinfo.available_timezones() for _ in range(3)]

    assert (names, read) == ([{"UTC"}] * 3, [1])


def test_whatever_the_server_writes_is_for_one_account(monkeypatch):
    def run(*_, **__):
        seen.append(os.umask(0o022))

    seen, before = [], os.umask(0o022)
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(server, "collect_aside", lambda: None)
    monkeypatch.setattr(server, "lock_at_once", lambda: None)
    monkeypatch.setattr(server, "remember_time_zones", lambda: None)
    monkeypatch.setattr(server, "database_file", lambda: None)
    monkeypatch.setattr("runpy.run_module", run)
    try:
        server.main(["start"])
    finally:
        os.umask(before)

    assert (seen, sys.argv) == ([0o077], ["prefect", "server", "start"])
