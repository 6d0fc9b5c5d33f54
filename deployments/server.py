"""Prefect's server, with its garbage collected beside its event loop.

``python -m ocrjury.deployments.server start ...`` is ``prefect server start ...``. Python collects
garbage in the thread that allocates, which is that of the event loop. Part of the garbage are
cursors of statements that SQLite refused ("database is locked"). Freeing one takes the mutex of its
connection, which another thread may hold while it waits for the write lock; and who holds this lock
needs the loop to go on. So everything stood still until the wait for the lock was over, after 60 s.
A thread of its own may wait: nobody waits for it.
"""

import gc
import os
import runpy
import sys
import threading

YOUNG, ALL = 1, 2
SECONDS = 1.0
ROUNDS = 60
"""Of so many collections one is of everything; the others are of what is new."""


def main(arguments: list[str]) -> None:
    """Run the server in this process; its database is for one account, whoever starts it."""
    os.umask(0o077)
    collect_aside()
    sys.argv = ["prefect", "server", *arguments]
    runpy.run_module("prefect", run_name="__main__")


def collect_aside(*, seconds: float = SECONDS) -> None:
    """Collect garbage in a thread of its own from now on, and in no other."""
    gc.disable()
    threading.Thread(target=_collect, args=(seconds,), name="garbage", daemon=True).start()


def _collect(seconds: float) -> None:
    pause, done = threading.Event(), 0
    while not pause.wait(seconds):
        done += 1
        gc.collect(YOUNG if done % ROUNDS else ALL)


if __name__ == "__main__":
    main(sys.argv[1:])
