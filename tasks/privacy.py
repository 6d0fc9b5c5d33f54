"""Remove the texts of ended evaluations when their campaigns' time is over."""

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.settings import Settings
from ocrjury.pages.numbers import plural
from ocrjury.report import write_pdf
from ocrjury.retention.purge import evaluations_without_report, purge_texts, renew_reports
from ocrjury.retention.schedule import due_evaluations, end_old_audit
from ocrjury.retention.text_files import find_halves, remove_halves
from ocrjury.tasks import at_work

ACTOR = "flow"


def is_purge_due() -> bool:
    """Return whether texts are due, or a killed process left a purge, report or file half done."""
    with at_work() as work:
        store = work.store
        return bool(
            due_evaluations(store, now=work.now)
            or find_halves(store)
            or evaluations_without_report(store)
        )


@task(task_run_name="purge-texts", cache_policy=NO_CACHE)
def purge_due() -> str:
    """Remove the texts that are due, and audit rows that are old enough; return what went."""
    with at_work() as work:
        halves = remove_halves(work.store)
        names = [one.evaluation for one in due_evaluations(work.store, now=work.now)]
        done = purge_texts(work.store, names, actor=ACTOR, address=ACTOR, now=work.now)
        # Also those of purges that were killed before they wrote them.
        lacking = evaluations_without_report(work.store)
        for name in lacking:
            if why := renew_reports(work.store, name, now=work.now, write=write_pdf):
                get_run_logger().warning("the report of %s was not written anew: %s", name, why)
        days = Settings.from_environment().audit_days
        end_old_audit(work.store, days=days, actor=ACTOR, now=work.now)
    said = {
        f"{plural(len(done), 'evaluation')}: {', '.join(row.subject for row in done)}": done,
        f"a new report was due for {', '.join(lacking)}": lacking and not done,
        f"{plural(halves, 'half-written file')} of killed processes": halves,
    }
    return "; ".join(sentence for sentence, true in said.items() if true)
