"""Open rounds, follow them, close them."""

from datetime import timedelta

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.campaign.settings import Settings
from ocrjury.errors import LostRaceError, StateError
from ocrjury.evaluation.interim import keep_interim_agreement
from ocrjury.evaluation.lateness import plan_late_assignments
from ocrjury.evaluation.next_rounds import plan_next_round
from ocrjury.frontends.simulated import rate_open_assignments
from ocrjury.pages.artifacts import render_progress, render_round
from ocrjury.store.histories import Standing
from ocrjury.store.moves import Position, moving
from ocrjury.store.rounds import (
    add_assignments,
    change_round,
    close_round,
    list_progress,
    open_round,
    withdraw,
)
from ocrjury.store.single_sign_on import list_shut_out
from ocrjury.tasks import at_work, hold_if_refused, publish


@task(task_run_name="{position.evaluation}-{step.what}", cache_policy=NO_CACHE)
@hold_if_refused
def open_next_round(position: Position, step: Step) -> None:
    """Open the round that the step names, with its assignments."""
    with at_work() as work:
        case = work.case(position.evaluation)
        plan, keep = plan_next_round(case, step)
        with moving(work.engine, position, step, mover=work.mover) as connection:
            keep(connection)
            number = open_round(connection, case.name, plan, now=work.now)
        publish(
            case.name,
            f"r{number:02d}-{plan.kind}",
            render_round(
                evaluation=case.name,
                number=number,
                kind=plan.kind,
                rule=plan.rule,
                n_items=len({one.item for one in plan.assignments}),
                n_ratings=len(plan.assignments),
                n_raters=len({one.rater for one in plan.assignments}),
                deadline=plan.deadline,
            ),
        )


@task(task_run_name="{evaluation}-rehearse", cache_policy=NO_CACHE)
def rate_by_simulation(evaluation: str) -> bool:
    """Let simulated raters rate what is open, and return True.

    Such ratings are marked wherever they appear.

    Raises
    ------
    LostRaceError
        If another process rated it first.
    """
    with at_work() as work:
        case = work.case(evaluation)
        try:
            rated = rate_open_assignments(work.store, case.row, case.campaign, now=work.now)
        except StateError as error:
            raise LostRaceError(str(error)) from error
    if not rated:
        raise LostRaceError(f"nothing is open in {evaluation}: another process rated it first.")
    return True


@task(task_run_name="{position.evaluation}-close-round", cache_policy=NO_CACHE)
def close_open_round(position: Position, step: Step) -> None:
    """Close the round; what nobody rated is withdrawn."""
    with (
        at_work() as work,
        moving(work.engine, position, step, mover=work.mover) as connection,
    ):
        close_round(connection, position.evaluation, by=step.what, now=work.now)


@task(task_run_name="{position.evaluation}-replan", cache_policy=NO_CACHE)
@hold_if_refused
def replan_late(position: Position, step: Step) -> None:
    """Give late assignments to other raters, once, with a new deadline."""
    with at_work() as work:
        case = work.case(position.evaluation)
        new = plan_late_assignments(case)
        deadline = work.now + timedelta(days=case.campaign.rounds.deadline_days)
        with moving(work.engine, position, step, mover=work.mover) as connection:
            withdraw(connection, case.name)
            add_assignments(connection, case.name, new, number=case.rounds[-1].round)
            change_round(connection, case.name, replanned=True, deadline=deadline)


@task(task_run_name="{standing.position.evaluation}-progress", cache_policy=NO_CACHE)
def show_progress(standing: Standing) -> None:
    """Show how far the raters are."""
    evaluation, last = standing.position.evaluation, standing.history.last
    with at_work() as work:
        keep_interim_agreement(work.case(evaluation))
        rows = list_progress(work.engine, evaluation, last.number)
        on_page = standing.evaluation.config["rounds"]["frontend"] == "web"
        without = list_shut_out(
            work.engine,
            evaluation,
            last.number,
            now=work.now,
            sign_on=Settings.from_environment().sign_in_header is not None,
        )
        publish(
            evaluation,
            f"r{last.number:02d}-progress",
            render_progress(
                evaluation=evaluation,
                number=last.number,
                kind=last.kind,
                raters=[
                    {**row._asdict(), "uninvited": on_page and row.rater in without} for row in rows
                ],
            ),
        )
