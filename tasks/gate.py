"""Judge a round: a main round by its agreement, a pilot by its criterion."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.evaluation import pilot_verdicts
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.judgement import MainJudgement, judge_last_round
from ocrjury.evaluation.next_rounds import Prospects
from ocrjury.grades import common_word
from ocrjury.pages.artifacts import render_agreement, render_bias, render_truth_summary
from ocrjury.pages.environment import render
from ocrjury.store.moves import moving
from ocrjury.store.results import add_results, add_verdicts
from ocrjury.tasks import Bar, at_work, from_one_snapshot, hold_if_refused, publish, tell


@task(task_run_name="{prospects.evaluation}-judge", cache_policy=NO_CACHE)
@hold_if_refused
@from_one_snapshot
def judge_round(prospects: Prospects, step: Step) -> None:
    """Judge the main round by its first-pass ratings; infer the truth from all ratings."""
    with at_work() as work, Bar() as bar:
        case = Case(work, prospects.standing)
        judgement = judge_last_round(case, tick=bar)
        with moving(work.engine, prospects.position, step, mover=work.mover) as connection:
            judgement.keep(connection, case)
        if judgement.main is not None:
            _publish(case.name, judgement.main)
        page = render_truth_summary(evaluation=case.name, summary=judgement.summary)
        publish(case.name, f"r{case.rounds[-1].round:02d}-truth", page)


@task(task_run_name="{prospects.evaluation}-judge-pilot", cache_policy=NO_CACHE)
@hold_if_refused
@from_one_snapshot
def judge_pilot(prospects: Prospects, step: Step) -> None:
    """Judge the last pilot, and keep the verdict with the scores behind it."""
    with at_work() as work, Bar() as bar:
        case = Case(work, prospects.standing)
        judged = pilot_verdicts.judge_pilot(case, tick=bar)
        with moving(work.engine, prospects.position, step, mover=work.mover) as connection:
            add_results(connection, case.name, judged.results, now=work.now)
            add_verdicts(connection, case.name, judged.rows)
        page = render("artifacts/verdict.md.j2", evaluation=case.name, verdict=judged.verdict)
        publish(case.name, f"r{case.rounds[-1].round:02d}-verdict", page)


def _publish(evaluation: str, main: MainJudgement) -> None:
    """Show the agreement, the tests for bias and the verdict on the run's page."""
    findings, verdict = tuple(main.agreement.values()), main.verdict
    grade = f" ({common_word(verdict.grade)} agreement)" if verdict.grade else ""
    tell("%s: the gate says %s%s", evaluation, verdict.decision, grade)
    pages = {
        "agreement": render_agreement(evaluation=evaluation, findings=findings),
        "bias": render_bias(evaluation=evaluation, findings=main.tests.findings),
        "verdict": render("artifacts/verdict.md.j2", evaluation=evaluation, verdict=verdict),
    }
    for what, page in pages.items():
        publish(evaluation, f"r{main.number:02d}-{what}", page)
