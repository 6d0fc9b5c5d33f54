"""Remove the texts of ended evaluations when their campaigns' time is over."""

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.settings import Settings
from ocrjury.pages.numbers import plural
from ocrjury.report import write_pdf
from ocrjury.retention.purge import purge_texts, renew_reports
from ocrjury.retention.schedule import due_evaluations, end_old_audit
from ocrjury.retention.text_files import find_halves, remove_halves
from tasks.work import at_work

ACTOR = "flow"


def is_purge_due() -> bool:
    """Return whether texts are due, a purge was begun only, or a killed process left files."""
    with at_work() as work:
        return bool(due_evaluations(work.store, now=work.now) or find_halves(work.store))


@task(task_run_name="purge-texts", cache_policy=NO_CACHE)
def purge_due() -> str:
    """Remove the texts that are due, and audit rows that are old enough; return what went."""
    with at_work() as work:
        halves = remove_halves(work.store)
        names = [one.evaluation for one in due_evaluations(work.store, now=work.now)]
        done = purge_texts(work.store, names, actor=ACTOR, address=ACTOR, now=work.now)
        for name in names:
            if why := renew_reports(work.store, name, now=work.now, write=write_pdf):
                get_run_logger().warning("the report of %s was not written anew: %s", name, why)
        days = Settings.from_environment().audit_days
        end_old_audit(work.store, days=days, actor=ACTOR, now=work.now)
    went = [f"{plural(len(done), 'evaluation')}: {', '.join(row.subject for row in done)}"]
    left = [f"{plural(halves, 'half-written file')} of killed processes"]
    return "; ".join((went if done or not halves else []) + (left if halves else []))
