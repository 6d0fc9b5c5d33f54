"""No process is left over by a run that was killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.children import ending, next_line

ROOT = Path(__file__).resolve().parents[2]
RUN = """
import multiprocessing, os, signal
from concurrent.futures import ProcessPoolExecutor
from ocrjury.scoring.processes import end_with_parent
from tests.scoring.test_parent import watched

if __name__ == "__main__":
    end_with_parent()  # nobody started this one, so that it goes on
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    print(pool.submit(watched).result(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def watched():
    """The process that this runs in, which is watched twice and by one thread."""
    from ocrjury.scoring.processes import end_with_parent

    end_with_parent()
    end_with_parent()
    return os.getpid()


def test_the_process_of_a_pool_ends_with_a_run_that_was_killed(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(RUN, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    run = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment
    )
    with ending(run):
        child = int(next_line(run))
        assert run.wait(60) == -signal.SIGKILL

    end = time.monotonic() + 60
    while time.monotonic() < end and is_alive(child):
        time.sleep(0.05)
    if is_alive(child):
        os.kill(child, signal.SIGKILL)
        pytest.fail("the process of the pool outlived its run")


def is_alive(process):
    """Whether a process runs; one that ended and that nobody asked after does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
