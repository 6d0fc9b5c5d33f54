"""Bring the report to its receivers, and news to the lead, each once."""

import os

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.settings import real_now
from ocrjury.delivery.notices import is_told, notice_of, tell
from ocrjury.delivery.report_delivery import bring_report, waiting_for_report
from ocrjury.delivery.stuck_notices import tell_of_stuck
from ocrjury.signals.ended_runs import begin_again
from ocrjury.signals.own_server import prefect_address, prefect_key
from ocrjury.signals.stuck_runs import list_stuck
from ocrjury.step_parts import Parts
from ocrjury.store.reports import newest_final
from ocrjury.tasks import Bar, at_work


@task(task_run_name="{evaluation}-deliver", cache_policy=NO_CACHE)
def deliver_report(evaluation: str) -> bool:
    """Bring the newest report to those who still wait for it; return whether nobody does then.

    What failed is tried again by the next run, five times in all; what another process is bringing
    at this moment is left to it.
    """
    with at_work() as work, Bar() as bar:
        case, newest = work.case(evaluation), newest_final(work.engine, evaluation)
        receivers = waiting_for_report(case)
        parts = Parts(bar, len(receivers))
        for receiver in receivers:
            parts.begin(receiver.what)
            bring_report(case, newest, receiver)
        return not waiting_for_report(case)


def has_news(evaluation: str, failure: str | None = None) -> bool:
    """Return whether the lead is still to be told of an evaluation's state, or of its failure."""
    with at_work() as work:
        case = work.case(evaluation)
        notice = notice_of(case, failure=failure)
        return notice is not None and not is_told(case, notice)


@task(task_run_name="{evaluation}-tell-lead", cache_policy=NO_CACHE)
def tell_lead(evaluation: str, failure: str | None = None) -> None:
    """Tell the lead, once, that an evaluation is held, late, failed or reported."""
    with at_work() as work:
        case = work.case(evaluation)
        notice = notice_of(case, failure=failure)
        if notice is not None:
            tell(case, notice)


def begin_lost_openings() -> None:
    """Begin openings again whose process ended before there was an evaluation, or a store."""
    if os.environ.get("PREFECT_API_URL"):
        api = prefect_address()
        begin_again(api, key=prefect_key(api), now=real_now())


def tell_of_stuck_runs() -> None:
    """Tell leads, once, that runs of their evaluations are stuck; without a server none are."""
    if os.environ.get("PREFECT_API_URL"):
        api, now = prefect_address(), real_now()
        with at_work() as work:
            tell_of_stuck(work, list_stuck(api, key=prefect_key(api), now=now), now=now)
