"""Prefect's server, made to go on at once when many runs report at the same time.

``python -m ocrjury.deployments.server start ...`` is ``prefect server start ...`` with two changes,
the tables of a new database made at once, and the names of time zones read once.

Most transactions of the server begin without SQLite's write lock. One that reads, and writes when
another has written meanwhile, is refused at once ("database is locked"), and whoever asked waits
for seconds before it asks again. Here each takes the lock when it begins, or waits for it.

Python collects garbage in the thread that allocates, which is that of the event loop. Part of the
garbage may be the cursor of a statement that was refused. Freeing it takes the mutex of its
connection, which another thread may hold while it waits for the write lock; and who holds this lock
needs the loop to go on. So everything stood still until the wait for the lock was over, after 60 s.
Here a thread of its own collects, which may wait: nobody waits for it.
"""

import gc
import os
import runpy
import sys
import threading
import zoneinfo
from functools import cache
from typing import Any

from ocrjury.deployments.prefect_tables import database_file, make_tables

YOUNG, ALL = 1, 2
SECONDS = 1.0
ROUNDS = 60
"""Number of collections of which one is full; the others collect only what is new."""


def main(arguments: list[str]) -> None:
    """Run the server in this process; its database is for one account, whoever starts it."""
    os.umask(0o077)
    remember_time_zones()
    collect_aside()
    lock_at_once()
    if path := database_file():
        make_tables(path)
    sys.argv = ["prefect", "server", *arguments]
    runpy.run_module("prefect", run_name="__main__")


def lock_at_once() -> None:
    """Let every transaction on SQLite take the write lock when it begins; reading needs none."""
    from prefect.server.database.configurations import AioSqliteConfiguration  # noqa: PLC0415

    begin = AioSqliteConfiguration.begin_transaction

    def begin_locked(
        self: AioSqliteConfiguration,
        session: Any,
        with_for_update: bool = False,  # noqa: ARG001, FBT001, FBT002  # as Prefect calls it
    ) -> Any:
        return begin(self, session, with_for_update=True)

    AioSqliteConfiguration.begin_transaction = begin_locked  # type: ignore[method-assign]


def remember_time_zones() -> None:
    """Read their names once; Prefect asks for all of them with every schedule that it looks at."""
    zoneinfo.available_timezones = cache(zoneinfo.available_timezones)


def collect_aside(*, seconds: float = SECONDS) -> None:
    """Collect garbage in a thread of its own from now on, and in no other."""
    gc.disable()
    threading.Thread(target=_collect, args=(seconds,), name="garbage", daemon=True).start()


def _collect(seconds: float) -> None:
    pause, done = threading.Event(), 0
    while not pause.wait(seconds):
        done += 1
        gc.collect(YOUNG if done % ROUNDS else ALL)
        if done == ROUNDS:
            gc.freeze()  # what is left is what the server was made of


if __name__ == "__main__":
    main(sys.argv[1:])
