"""Open rounds, follow them, close them."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.errors import LostRaceError, StateError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.lateness import hand_over
from ocrjury.evaluation.next_rounds import Prospects, plan_round_to_open
from ocrjury.evaluation.progress import has_news, keep_progress
from ocrjury.frontends.simulated import rate_open_assignments
from ocrjury.pages.artifacts import render_round
from ocrjury.step_parts import Parts
from ocrjury.store.moves import moving
from ocrjury.store.rounds import close_round, open_round
from ocrjury.tasks import Bar, at_work, from_one_snapshot, hold_if_refused, publish


@task(task_run_name="{prospects.evaluation}-{step.what}", cache_policy=NO_CACHE)
@hold_if_refused
@from_one_snapshot
def open_next_round(prospects: Prospects, step: Step) -> None:
    """Open the round that the step names, with its assignments."""
    with at_work() as work, Bar() as bar:
        case, parts = Case(work, prospects.standing), Parts(bar, 2)
        parts.begin("assigning items to raters")
        plan, keep = plan_round_to_open(case, step, planned=prospects.round)
        parts.begin("storing the assignments")
        with moving(work.engine, prospects.position, step, mover=work.mover) as connection:
            keep(connection)
            number = open_round(connection, case.name, plan, now=work.now)
        page = render_round(evaluation=case.name, number=number, plan=plan)
        publish(case.name, f"r{number:02d}-{plan.kind}", page)


@task(task_run_name="{evaluation}-rehearse", cache_policy=NO_CACHE)
def rate_by_simulation(evaluation: str) -> bool:
    """Let simulated raters rate what is open, and return True.

    Such ratings are marked wherever they appear.

    Raises
    ------
    LostRaceError
        If another process rated it first.
    """
    with at_work() as work, Bar() as bar:
        case = work.case(evaluation)
        try:
            rated = rate_open_assignments(
                work.store, case.row, case.campaign, now=work.now, tick=bar
            )
        except StateError as error:
            raise LostRaceError(str(error)) from error
    if not rated:
        raise LostRaceError(f"nothing is open in {evaluation}: another process rated it first.")
    return True


@task(task_run_name="{prospects.evaluation}-close-round", cache_policy=NO_CACHE)
def close_open_round(prospects: Prospects, step: Step) -> None:
    """Close the round; what nobody rated is withdrawn."""
    with (
        at_work() as work,
        moving(work.engine, prospects.position, step, mover=work.mover) as connection,
    ):
        close_round(connection, prospects.evaluation, by=step.what, now=work.now)


@task(task_run_name="{prospects.evaluation}-replan", cache_policy=NO_CACHE)
@hold_if_refused
@from_one_snapshot
def replan_late(prospects: Prospects, step: Step) -> None:
    """Give late assignments to other raters, once, with a new deadline."""
    with at_work() as work:
        case = Case(work, prospects.standing)
        with moving(work.engine, prospects.position, step, mover=work.mover) as connection:
            hand_over(connection, case, prospects.takeover)


def is_progress(evaluation: str) -> bool:
    """Return whether there are ratings that the progress so far does not count."""
    with at_work() as work, work.snapshot():
        return has_news(work.case(evaluation))


@task(task_run_name="{evaluation}-progress", cache_policy=NO_CACHE)
def measure_progress(evaluation: str) -> None:
    """Keep the agreement so far and the round that would follow, for the desk."""
    with at_work() as work, work.snapshot(), Bar() as bar:
        keep_progress(work.case(evaluation), tick=bar)
