"""Processes of this machine that score batches, each at the end of a pipe of its own.

They share no queue and no lock, so that one that is killed, wherever it was, leaves nothing taken
that another waits for: its pipe ends, and that is an error at once.
"""

import multiprocessing
import os
import threading
import traceback
from collections import deque
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Connection
from pickle import UnpicklingError
from typing import Self

from ocrjury.errors import OcrjuryError
from ocrjury.scoring.batch_files import BatchJob, BatchOutcome, score_batch

LONGEST = 3600.0
"""Seconds after which a process that still scores the same batch is taken for hung and killed."""

TOLD = (
    *(OcrjuryError, OSError, ValueError, TypeError, LookupError),
    *(ArithmeticError, RuntimeError, MemoryError),
)
"""Errors of the scoring that are raised again where the batch came from; others end the process."""

Score = Callable[[BatchJob], BatchOutcome]


class ScoringProcesses:
    """Processes that score batches, started when one is needed and none is idle.

    Parameters
    ----------
    score
        What every process does with a batch; importable by name.
    longest
        Seconds that it may take.
    """

    def __init__(self, score: Score = score_batch, *, longest: float = LONGEST) -> None:
        self._score = score
        self._longest = longest
        self._idle: deque[_Process] = deque()
        self._alive: set[_Process] = set()
        self._starting = threading.Lock()
        self._ended = False

    def __enter__(self) -> Self:
        """Begin without any process."""
        return self

    def __exit__(self, *_: object) -> None:
        """End every process; a batch that is under way is lost, as if by a kill."""
        with self._starting:
            self._ended = True
        for process in list(self._alive):
            process.kill()

    def score(self, job: BatchJob) -> BatchOutcome:
        """Outcome of a batch; any number of threads may ask at once.

        Raises `ChildProcessError` if the process dies or is taken for hung, and whatever scoring
        itself raises.
        """
        process = self._idle.pop() if self._idle else self._start()
        try:
            answer = process.ask(job, longest=self._longest)
        except (EOFError, OSError, UnpicklingError):
            self._alive.discard(process)
            code = process.kill()
            raise ChildProcessError(
                f"The process that scored batch {job.number} ended with {code}."
            ) from None
        self._idle.append(process)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _start(self) -> "_Process":
        with self._starting:
            if self._ended:  # a thread that the end of the run set free takes the next batch
                raise ChildProcessError("No batch is scored after the end of the run.")
            process = _Process(self._score)
            self._alive.add(process)
        return process


class _Process:
    """One process and our end of its pipe."""

    def __init__(self, score: Score) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, score), daemon=True)
        self._process.start()
        theirs.close()  # the only other end is the child's, so that its death ends the pipe
        self._ending = threading.Lock()

    def ask(self, job: BatchJob, *, longest: float) -> BatchOutcome | Exception:
        """Hand over a batch and wait for its outcome."""
        limit = threading.Timer(longest, self._process.kill)
        limit.start()
        try:
            self._pipe.send(job)
            answer: BatchOutcome | Exception = self._pipe.recv()
        finally:
            limit.cancel()
        return answer

    def kill(self) -> int | None:
        """End the process; whoever waits for it learns so."""
        with self._ending:  # of two threads that wait for its end at once, one learns no exit code
            self._process.kill()
            self._process.join(10)
            return self._process.exitcode


def _serve(pipe: Connection, score: Score) -> None:
    """Answer batches until the other end of the pipe is closed."""
    end_with_parent()
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        answer: BatchOutcome | Exception
        try:
            answer = score(job)
        except TOLD as error:
            error.add_note(traceback.format_exc())
            answer = error
        pipe.send(answer)


@cache
def end_with_parent() -> None:
    """See to it that this process ends when the one that started it does, however that died.

    A pool's process waits for work on a pipe whose other end it holds itself, so after a
    ``kill -9`` of the parent it would wait for ever. Nothing happens in a process that no other
    one started by `multiprocessing`.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="end-with-parent", daemon=True).start()
