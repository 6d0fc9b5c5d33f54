"""Who scores the batches of a pool: this process, several of this machine, or a Dask cluster."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from itertools import chain, islice
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner

from ocrjury.campaign.settings import Settings
from ocrjury.errors import MissingDependencyError
from ocrjury.scoring import BatchJob, BatchOutcome, score_batch
from ocrjury.scoring.parent import end_with_parent
from ocrjury.scoring.pool_run import Engine, score_one_by_one

AHEAD = 2
"""Batches that wait on the disk for each process that scores."""

Runner = TaskRunner[Any]


@task(task_run_name="score-batch-{job.number}", cache_policy=NO_CACHE)
def score_one_batch(job: BatchJob) -> BatchOutcome:
    """Score the batch of a file."""
    end_with_parent()
    return score_batch(job)


def engine_of(settings: Settings) -> Engine:
    """Return the engine that the settings name; one that runs elsewhere starts with a batch."""
    if settings.engine == "serial":
        return score_one_by_one
    start = _dask_runner if settings.engine == "dask" else _process_runner
    return lambda jobs: _at_once(jobs, lambda: start(settings), settings.workers * (1 + AHEAD))


def _process_runner(settings: Settings) -> Runner:
    """Return processes of this machine."""
    return ProcessPoolTaskRunner(max_workers=settings.workers)


def _dask_runner(settings: Settings) -> Runner:
    """Return the cluster that the settings name, else one of its own on this machine."""
    try:
        from prefect_dask.task_runners import DaskTaskRunner  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingDependencyError(
            "OCRJURY_ENGINE is dask, which is not installed. Install ocrjury[dask], or set it to "
            "processes."
        ) from error
    if settings.dask_scheduler is not None:
        return DaskTaskRunner(address=settings.dask_scheduler)
    local = {"n_workers": settings.workers, "threads_per_worker": 1, "dashboard_address": None}
    return DaskTaskRunner(cluster_kwargs=local)


def _at_once(
    jobs: Iterator[BatchJob], start: Callable[[], Runner], most: int
) -> Iterator[BatchOutcome]:
    """Yield the outcomes of batches, so many of which are under way at a time.

    A process that dies takes those with it that were under way; they are scored again, one at a
    time, and one that kills its process once more has no scores.
    """
    lost: deque[BatchJob] = deque()
    for first in jobs:
        with start() as runner:
            yield from _until_one_dies(chain([first], jobs), runner, most=most, lost=lost)
        while lost:
            with start() as runner:
                yield from _one_at_a_time(lost, runner)


def _until_one_dies(
    jobs: Iterator[BatchJob], runner: Runner, *, most: int, lost: deque[BatchJob]
) -> Iterator[BatchOutcome]:
    """Yield outcomes until no batch is left or a process dies; note the batches it takes along."""
    waiting: deque[tuple[BatchJob, Any]] = deque()
    while True:
        for job in islice(jobs, most - len(waiting)):
            waiting.append((job, runner.submit(score_one_batch, parameters={"job": job})))
        if not waiting:
            return
        try:
            outcome: BatchOutcome = waiting[0][1].result()
        except _died():
            lost.extend(job for job, _ in waiting)
            return
        waiting.popleft()
        yield outcome


def _one_at_a_time(lost: deque[BatchJob], runner: Runner) -> Iterator[BatchOutcome]:
    """Yield outcomes until no batch is left or one kills its process, which has no scores then."""
    while lost:
        job = lost.popleft()
        try:
            outcome: BatchOutcome = runner.submit(score_one_batch, parameters={"job": job}).result()
        except _died():
            yield BatchOutcome(job.number, job.rows, error="the process that scored it died")
            return
        yield outcome


def _died() -> tuple[type[Exception], ...]:
    """Return what tells that the process of a batch is gone."""
    try:
        from distributed.scheduler import KilledWorker  # noqa: PLC0415  # an extra
    except ImportError:
        return (BrokenExecutor,)
    return (BrokenExecutor, KilledWorker)
