"""Bring the report to its recipients, each once."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.delivery.report_mails import ReportText, send_report, waiting_recipients
from ocrjury.evaluation.case import Case
from ocrjury.report import build_report
from ocrjury.report.sections.cover import outcome_text, outcome_title
from ocrjury.store.reports import list_reports
from ocrjury.tasks import at_work


@task(task_run_name="{evaluation}-deliver", cache_policy=NO_CACHE)
def deliver_report(evaluation: str) -> bool:
    """Mail the newest report to those who still wait for it; return whether nobody does then.

    A failed email is tried again by the next run, five times in all; one that another process
    is sending at this moment is left to it.
    """
    with at_work() as work:
        case = work.case(evaluation)
        newest = [row for row in list_reports(work.engine, evaluation) if row.kind == "final"][-1]
        waiting = waiting_recipients(case, newest)
        if waiting:
            send_report(case, newest, waiting, text=_text(case))
        return not waiting_recipients(case, newest)


def _text(case: Case) -> ReportText:
    data = build_report(case.work.store, case.name)
    return ReportText(
        evaluation=case.name,
        title=case.campaign.title,
        outcome=outcome_title(data),
        sentences=(outcome_text(data),),
        simulated=data.identity.simulated,
    )
