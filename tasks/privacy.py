"""Remove the texts of ended evaluations when their campaigns' time is over."""

from functools import partial

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign import settings
from ocrjury.export.evaluation_export import attached_files
from ocrjury.report import write_pdf
from ocrjury.retention import sweep
from ocrjury.tasks import Bar, at_work


def is_purge_due() -> bool:
    """Return whether texts are due, or a killed process left a purge, report or file half done."""
    with at_work() as work:
        return sweep.is_purge_due(work.store, now=settings.real_now())


@task(task_run_name="purge-texts", cache_policy=NO_CACHE)
def purge_due() -> str:
    """Remove what is due, and say what went."""
    days = settings.Settings.from_environment().audit_days
    with at_work() as work, Bar() as bar:
        removed = sweep.purge_due(
            work.store,
            now=settings.real_now(),
            audit_days=days,
            enclose=partial(attached_files, work),
            write=write_pdf,
            tick=bar,
        )
        return str(removed)
