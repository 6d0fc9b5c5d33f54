"""``python -m ocrjury.deployments.flow_run``: one run of a flow, in this process.

Importing Prefect and our flows makes half a million objects that stay. Looking for garbage among
them takes a fifth of the import, so it is done rarely.
"""

import gc
import runpy

from ocrjury.threads import let_no_thread_wait

_OBJECTS = 100_000


def spare_work() -> None:
    """Look for garbage rarely in this process, and start no thread for small matrices."""
    gc.set_threshold(_OBJECTS, 20, 20)
    let_no_thread_wait()


if __name__ == "__main__":
    spare_work()
    runpy.run_module("prefect.engine", run_name="__main__", alter_sys=True)
