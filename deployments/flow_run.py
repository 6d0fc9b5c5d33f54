"""``python -m ocrjury.deployments.flow_run``: one run of a flow, in this process."""

import runpy

from ocrjury.spared_work import spare_work

if __name__ == "__main__":
    spare_work()
    runpy.run_module("prefect.engine", run_name="__main__", alter_sys=True)
