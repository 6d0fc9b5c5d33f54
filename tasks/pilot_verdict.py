"""Judge a pilot: whether every rater meets the campaign's criterion."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.evaluation.pilot_verdicts import judge_pilot as judgement_on
from ocrjury.evaluation.prospects import Prospects
from ocrjury.pages.artifacts import render_verdict
from ocrjury.store.moves import moving
from ocrjury.store.results import add_results, add_verdicts
from ocrjury.tasks import at_work, hold_if_refused, publish


@task(task_run_name="{prospects.evaluation}-judge-pilot", cache_policy=NO_CACHE)
@hold_if_refused
def judge_pilot(prospects: Prospects, step: Step) -> None:
    """Judge the last pilot, and keep the verdict with the scores behind it."""
    with at_work() as work:
        case = work.case(prospects.evaluation)
        judged = judgement_on(case)
        with moving(work.engine, prospects.position, step, mover=work.mover) as connection:
            add_results(connection, case.name, judged.results, now=work.now)
            add_verdicts(connection, case.name, judged.rows)
        page = render_verdict(evaluation=case.name, verdict=judged.verdict)
        publish(case.name, f"r{case.rounds[-1].round:02d}-verdict", page)
