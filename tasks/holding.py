"""Moves that only write themselves down: holds, aborts, the end."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.pages.artifacts import render_state
from ocrjury.store.database import Connection
from ocrjury.store.moves import Position, moving
from ocrjury.store.results import latest_verdicts
from ocrjury.store.rounds import close_round
from tasks.artifacts import publish
from tasks.work import Work, at_work


@task(task_run_name="{position.evaluation}-{step.to}", cache_policy=NO_CACHE)
def record_move(position: Position, step: Step) -> None:
    """Hold, abort or close an evaluation."""
    with at_work() as work:
        reason = _reason(work, position, step)
        with moving(work.engine, position, step, mover=work.mover, reason=reason) as connection:
            if step.to == "aborted":
                drop_open_round(connection, work, position)
        publish(
            position.evaluation,
            "state",
            render_state(
                evaluation=position.evaluation, state=step.to, what=step.what, detail=reason
            ),
        )


def drop_open_round(connection: Connection, work: Work, position: Position) -> None:
    """Drop the open round of an evaluation that ends early; its ratings are kept."""
    close_round(connection, position.evaluation, by="abort", now=work.now, state="dropped")


def _reason(work: Work, position: Position, step: Step) -> str | None:
    """Return in words why the gate stops an evaluation."""
    if step.what not in {"gate_failed", "inconclusive"}:
        return None
    overall = latest_verdicts(work.engine, position.evaluation)[0]
    return " ".join(overall.reasons)
