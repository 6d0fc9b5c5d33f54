"""A process that scores batches for another ends with it."""

import multiprocessing
import os
import threading
from functools import cache


@cache
def end_with_parent() -> None:
    """See to it that this process ends when the one that started it does, however that died.

    A pool's process waits for work on a pipe whose other end it holds itself, so after a
    ``kill -9`` of the parent it would wait for ever. Nothing happens in a process that no other
    one started by `multiprocessing`.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="end-with-parent", daemon=True).start()
