"""Hand out a round or deliver a report in a process of its own, from a given moment on."""

import logging
import sys
import time

from ocrjury.tasks import frontends as frontends_task
from ocrjury.tasks.delivery import deliver_report

WORK = {"round": frontends_task.hand_out.fn, "report": deliver_report.fn}


def main():
    what, evaluation = sys.argv[1:]
    frontends_task.get_run_logger = lambda: logging.getLogger("deliverer")
    print("ready", flush=True)
    time.sleep(max(float(sys.stdin.readline()) - time.time(), 0))
    print(WORK[what](evaluation), flush=True)


if __name__ == "__main__":
    main()
