"""Moves that only write themselves down: holds, aborts, the end."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.decisions import AT_THE_GATE, LATE, allowed
from ocrjury.campaign.history import Step
from ocrjury.evaluation.case import Work
from ocrjury.pages.artifacts import render_state
from ocrjury.store.evaluations import ENDED
from ocrjury.store.links import revoke_links
from ocrjury.store.moves import Position, moving
from ocrjury.store.reports import NewReport, add_report
from ocrjury.store.results import latest_verdicts
from ocrjury.store.rounds import close_round, list_progress
from ocrjury.tasks import at_work, publish
from ocrjury.tasks.report import render


@task(task_run_name="{position.evaluation}-{step.to}", cache_policy=NO_CACHE)
def record_move(position: Position, step: Step) -> None:
    """Hold, abort or close an evaluation.

    At the gate the lead gets an interim report: the agreement, and no headline.
    """
    evaluation = position.evaluation
    with at_work() as work:
        reason = _reason(work, evaluation, step)
        interim = _interim_report(work, evaluation, step)
        with moving(work.engine, position, step, mover=work.mover, reason=reason) as connection:
            if step.to in ENDED:
                revoke_links(connection, evaluation, now=work.now)
            if step.to == "aborted":
                close_round(connection, evaluation, by="abort", now=work.now, state="dropped")
            if interim is not None:
                add_report(connection, evaluation, interim, now=work.now)
        publish(
            evaluation,
            "state",
            render_state(
                evaluation=evaluation,
                state=step.to,
                what=step.what,
                detail=reason,
                decisions=allowed(work.case(evaluation).standing.history),
            ),
        )


def _reason(work: Work, evaluation: str, step: Step) -> str | None:
    """Return in words why the gate or the raters stop an evaluation."""
    if step.what in AT_THE_GATE:
        return " ".join(latest_verdicts(work.engine, evaluation)[0].reasons)
    return _lateness(work, evaluation) if step.what in LATE else None


def _lateness(work: Work, evaluation: str) -> str:
    """Return how much of the last round is rated, and who has how much open."""
    last = work.case(evaluation).standing.history.last
    rows = list_progress(work.engine, evaluation, last.number)
    awaited = ", ".join(f"{row.rater} has {row.open} open" for row in rows if row.open)
    return f"{last.ratings} of {last.ratings + last.open} assignments are done; " + (
        f"{awaited}." if awaited else "nothing is open any more."
    )


def _interim_report(work: Work, evaluation: str, step: Step) -> NewReport | None:
    """Return the lead's report on a stop at the gate; a pilot measured nothing for one."""
    if step.to != "held" or step.what not in AT_THE_GATE or step.what == "pilot":
        return None
    return render(work, evaluation, kind="interim")
