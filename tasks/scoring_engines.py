"""Engines that score the batches of a pool: this process, local processes, a Dask cluster."""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import chain, islice
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from ocrjury.campaign.settings import Settings
from ocrjury.errors import MissingDependencyError
from ocrjury.scoring import BatchJob, BatchOutcome, score_batch
from ocrjury.scoring.pool_run import Engine, score_one_by_one
from ocrjury.scoring.processes import LONGEST, ScoringProcesses, end_with_parent

AHEAD = 2
"""Batches that wait on the disk for each process that scores."""

Submit = Callable[[BatchJob], PrefectFuture[Any]]
Start = Callable[[], AbstractContextManager[Submit]]


@task(task_run_name="score-batch-{job.number}", cache_policy=NO_CACHE)
def score_one_batch(
    job: BatchJob, score: Callable[[BatchJob], BatchOutcome] = score_batch
) -> BatchOutcome:
    """Score the batch of a file."""
    end_with_parent()
    return score(job)


def engine_of(settings: Settings) -> Engine:
    """Engine that the settings name; one that runs elsewhere starts with a batch."""
    if settings.engine == "serial":
        return score_one_by_one
    start = _dask if settings.engine == "dask" else _processes
    return lambda jobs: _at_once(jobs, lambda: start(settings), settings.workers * (1 + AHEAD))


@contextmanager
def _processes(settings: Settings) -> Iterator[Submit]:
    """Start processes of this machine as they are needed, each asked by a thread of this one.

    Not Prefect's process pool: its processes share queues, and one that is killed while it holds
    the lock of such a queue keeps the others, and this process, waiting for ever.
    """
    threads: TaskRunner[Any] = ThreadPoolTaskRunner(settings.workers)
    with threads as runner, ScoringProcesses(score_batch) as pool:
        yield lambda job: runner.submit(score_one_batch, {"job": job, "score": pool.score})


@contextmanager
def _dask(settings: Settings) -> Iterator[Submit]:
    """Use the cluster that the settings name, else one of its own on this machine."""
    try:
        from prefect_dask.task_runners import DaskTaskRunner  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingDependencyError(
            "OCRJURY_ENGINE is dask, which is not installed. Install ocrjury[dask], or set it to "
            "processes."
        ) from error
    local = {"n_workers": settings.workers, "threads_per_worker": 1, "dashboard_address": None}
    where = settings.dask_scheduler
    with (
        DaskTaskRunner(cluster_kwargs=local) if where is None else DaskTaskRunner(address=where)
    ) as runner:
        yield lambda job: runner.submit(score_one_batch, {"job": job})


def _at_once(jobs: Iterator[BatchJob], start: Start, most: int) -> Iterator[BatchOutcome]:
    """Yield the outcomes of batches, so many of which are under way at a time.

    A batch whose process dies is scored again after the others, alone, for then there may be
    memory enough; one that loses its process once more has no scores.
    """
    first = next(jobs, None)
    if first is None:  # all were scored by an earlier run
        return
    with start() as submit:
        for job in (yield from _outcomes(chain([first], jobs), submit, most=most)):
            for dead in (yield from _outcomes(iter([job]), submit, most=1)):
                error = "the process that scored it died"
                yield BatchOutcome(dead.number, dead.rows, error=error)


def _outcomes(
    jobs: Iterator[BatchJob], submit: Submit, *, most: int
) -> Generator[BatchOutcome, None, list[BatchJob]]:
    """Yield outcomes in the order of the batches; return the batches whose process died."""
    died = _died()
    lost: list[BatchJob] = []
    waiting: deque[tuple[BatchJob, PrefectFuture[Any]]] = deque()
    while True:
        waiting.extend((job, submit(job)) for job in islice(jobs, most - len(waiting)))
        if not waiting:
            return lost
        job, future = waiting.popleft()
        try:
            outcome = _outcome_in_time(job, future)
        except died:
            lost.append(job)
        else:
            yield outcome


def _outcome_in_time(job: BatchJob, future: PrefectFuture[Any]) -> BatchOutcome:
    """Outcome of a batch; an error where nobody has scored it after hours."""
    try:
        outcome: BatchOutcome = future.result(timeout=LONGEST * (1 + AHEAD))
    except TimeoutError as error:
        hours = LONGEST * (1 + AHEAD) / 3600
        raise TimeoutError(
            f"Batch {job.number} has no scores after {hours:.0f} hours. See whether the cluster "
            "has workers; batches with scores are kept."
        ) from error
    return outcome


def _died() -> tuple[type[Exception], ...]:
    """Errors that mean the process of a batch is gone."""
    try:
        from distributed.scheduler import KilledWorker  # noqa: PLC0415  # an extra
    except ImportError:
        return (ChildProcessError,)
    return (ChildProcessError, KilledWorker)
