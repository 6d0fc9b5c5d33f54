"""Moves that only write themselves down: holds, aborts, the end."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.decisions import AT_THE_GATE
from ocrjury.campaign.history import Step
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.holding import close_if_final, preview_at, reason_of
from ocrjury.evaluation.next_rounds import Prospects
from ocrjury.step_parts import Tick
from ocrjury.store.moves import check_position, moving
from ocrjury.store.reports import NewReport, add_report
from ocrjury.store.results import add_results
from ocrjury.store.unused_files import removed_unless_named
from ocrjury.tasks import Bar, at_work
from ocrjury.tasks.report import render


@task(task_run_name="{prospects.evaluation}-{step.to}", cache_policy=NO_CACHE)
def record_move(prospects: Prospects, step: Step) -> None:
    """Hold, abort or close an evaluation; at the gate the lead gets an interim report.

    With a hold that a lead decides, the round that would follow is kept.
    """
    with at_work() as work, work.snapshot(), Bar() as bar:
        check_position(work.engine, prospects.position)
        case = Case(work, prospects.standing)
        why, interim = reason_of(case, step), _interim_report(case, step, bar)
        foreseen = preview_at(case, step)
        with (
            removed_unless_named(work.store, [] if interim is None else interim.files),
            moving(
                work.engine, prospects.position, step, mover=work.mover, reason=why
            ) as connection,
        ):
            close_if_final(connection, case, step)
            add_results(connection, case.name, foreseen, now=work.now)
            if interim is not None:
                add_report(connection, case.name, interim, now=work.now)


def _interim_report(case: Case, step: Step, tick: Tick) -> NewReport | None:
    """Agreement without a headline, at a stop of the gate; a pilot measures nothing for one."""
    if step.to != "held" or step.what not in AT_THE_GATE or step.what == "pilot":
        return None
    return render(case.work, case.name, kind="interim", tick=tick)
