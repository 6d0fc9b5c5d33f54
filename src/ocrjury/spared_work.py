"""What a process of ours need not do."""

import gc
import os

_OBJECTS = 50_000
"""New ones before garbage is looked for; Python looks after 700."""


def spare_work() -> None:
    """Look for garbage rarely in this process, and start no thread for small matrices.

    Call it before anything else is imported: imports make up to half a million objects that stay,
    and looking for garbage among them takes a tenth of their time. Our matrices are small; threads
    that wait for the next one burn a fifth of a short command's time.
    """
    gc.set_threshold(_OBJECTS)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
