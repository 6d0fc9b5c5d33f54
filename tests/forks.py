"""Processes of their own: forks of one that has imported what they run and opened nothing."""

import multiprocessing
import os
import tempfile

FORKED = multiprocessing.get_context("forkserver")
FORKED.set_forkserver_preload(
    [
        *("pytest", "tests.delivery.sender", "tests.store.test_database"),
        *("ocrjury.flows.advance_evaluation", "ocrjury.tasks.opening"),
    ]
)
SECONDS = 120


def at_once(work, *arguments, count):
    """What each of some processes answers, all of which start at the same moment."""
    start = FORKED.Barrier(count)
    runs = [_begin(work, *arguments, start) for _ in range(count)]
    answers = [answer.recv() if answer.poll(SECONDS) else None for _, answer in runs]
    assert [_exit_code(process) for process, _ in runs] == [0] * count
    return answers


def exit_code_of(work, *arguments):
    """How a process ends that does some work: -9 if it was killed."""
    process, _ = _begin(work, *arguments)
    return _exit_code(process)


def _begin(work, *arguments):
    answer, told = FORKED.Pipe(duplex=False)
    process = FORKED.Process(target=_work, args=(work, arguments, dict(os.environ), told))
    process.start()
    told.close()  # so that the end of the process ends the wait for its answer
    return process, answer


def _work(work, arguments, environment, told):
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # which TMPDIR says
    told.send(work(*arguments))


def _exit_code(process):
    process.join(SECONDS)
    if process.exitcode is None:
        process.kill()
    return process.exitcode
