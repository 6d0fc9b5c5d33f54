"""``python -m ocrjury.deployments.flow_run``: one run of a flow, in this process.

Importing Prefect and our flows makes half a million objects that stay. Looking for garbage among
them takes a fifth of the import, so it is done rarely.
"""

import gc
import runpy

_OBJECTS = 100_000

if __name__ == "__main__":
    gc.set_threshold(_OBJECTS, 20, 20)
    runpy.run_module("prefect.engine", run_name="__main__", alter_sys=True)
