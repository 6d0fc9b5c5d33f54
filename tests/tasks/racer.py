"""Open and advance an evaluation in a process of its own, from a given moment on."""

import logging
import sys
import time
from datetime import UTC, datetime

from prefect import Task

import ocrjury.flows.advance_evaluation as advance
from ocrjury.errors import MissingDependencyError
from ocrjury.tasks import opening as opening_task
from ocrjury.tasks import report as report_task


def no_pdf(_html, _path):
    raise MissingDependencyError("no PDF here")


def main():
    for name, value in list(vars(advance).items()):
        if isinstance(value, Task):
            setattr(advance, name, value.fn)
    advance.STEPS.update({key: step.fn for key, step in advance.STEPS.items()})
    advance.get_run_logger = lambda: logging.getLogger("racer")
    report_task.write_pdf = no_pdf
    print("ready", flush=True)
    time.sleep(max(float(sys.stdin.readline()) - time.time(), 0))
    opened = opening_task.open_campaign.fn(
        sys.argv[1], period="p", seed=None, scheduled=datetime(2026, 11, 20, tzinfo=UTC)
    )
    print(advance.advance_until_waiting(opened.evaluation).name, flush=True)


if __name__ == "__main__":
    main()
