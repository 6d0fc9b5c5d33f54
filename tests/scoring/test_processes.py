"""Processes that score batches: whatever becomes of one, nobody waits for ever."""

import multiprocessing
import os
import signal
import struct
import threading
import time

import pytest

from ocrjury.scoring.batch_files import BatchJob, BatchOutcome
from ocrjury.scoring.processes import ScoringProcesses
from ocrjury.text import TextOptions

SECONDS = 60


def job(number, source=""):
    return BatchJob(number, 10, source, "", TextOptions())


def behaving(job):
    """Do what the batch's source says, in the process that scores."""
    if job.source == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if job.source == "die while answering":
        os.write(answers(), struct.pack("!i", 1000) + b"a part")  # a length, and less than that
        os.kill(os.getpid(), signal.SIGKILL)
    if job.source == "hang":
        time.sleep(10 * SECONDS)
    if job.source == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    if job.source == "leave":
        raise SystemExit(3)
    if job.source == "refuse":
        raise FileNotFoundError("no such batch")
    return BatchOutcome(job.number, os.getpid())


def answers():
    """The pipe of this process: the only connection that it has."""
    import gc
    from multiprocessing.connection import Connection

    [pipe] = [thing for thing in gc.get_objects() if isinstance(thing, Connection)]
    return pipe.fileno()


@pytest.mark.parametrize("end", ["die", "die while answering"])
def test_a_process_that_is_killed_ends_the_wait_and_another_takes_its_place(end):
    with ScoringProcesses(behaving) as processes:
        before = processes.score(job(0))
        with pytest.raises(ChildProcessError, match="scored batch 1 ended with -9"):
            processes.score(job(1, end))
        after = processes.score(job(2))

    assert (before.number, after.number) == (0, 2)
    assert before.rows != after.rows
    assert multiprocessing.active_children() == []


def test_an_error_that_nobody_expects_ends_the_process_and_the_wait():
    with ScoringProcesses(behaving) as processes:
        with pytest.raises(ChildProcessError, match="scored batch 1 ended with 3"):
            processes.score(job(1, "leave"))
        assert processes.score(job(2)).number == 2


@pytest.mark.parametrize("end", ["hang", "stop"])
def test_a_process_that_hangs_is_killed(end):
    with ScoringProcesses(behaving) as processes:
        processes.score(job(0))  # so that the limit is not spent on its start
        processes._longest = 0.5
        with pytest.raises(ChildProcessError, match="scored batch 7 ended with -9"):
            processes.score(job(7, end))


def test_an_error_of_the_scoring_says_where_it_was_raised_and_costs_no_process():
    with ScoringProcesses(behaving) as processes:
        first = processes.score(job(0)).rows
        with pytest.raises(FileNotFoundError, match="no such batch") as raised:
            processes.score(job(1, "refuse"))
        again = processes.score(job(2)).rows

    assert "in behaving" in raised.value.__notes__[0]
    assert again == first


def test_the_end_of_the_run_ends_a_batch_that_is_under_way():
    wrong = []

    def ask():
        try:
            processes.score(job(3, "hang"))
        except ChildProcessError as error:
            wrong.append(str(error))

    with ScoringProcesses(behaving) as processes:
        processes.score(job(0))
        thread = threading.Thread(target=ask)
        thread.start()
        while processes._idle:
            time.sleep(0.01)
    thread.join(SECONDS)

    assert wrong == ["The process that scored batch 3 ended with -9."]
    with pytest.raises(ChildProcessError, match="after the end of the run"):
        processes.score(job(4))
    assert multiprocessing.active_children() == []
