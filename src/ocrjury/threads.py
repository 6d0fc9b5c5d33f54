"""Threads of libraries that nothing here needs."""

import os


def let_no_thread_wait() -> None:
    """Let matrices be multiplied in one thread; call it before NumPy is imported.

    Ours are small. Threads that wait for the next one burn a fifth of a short command's time.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
