"""Take what a lead asked for at the desk, as if the flow's form had been filled in."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.errors import InputError, RefusedError
from ocrjury.store.decisions import Outcome, RequestRow, settle_request, waiting_request, was_taken
from ocrjury.tasks import at_work
from ocrjury.tasks.decisions import Target, take_decision


def is_requested(evaluation: str) -> bool:
    """Return whether a decision waits to be taken."""
    with at_work() as work:
        return waiting_request(work.engine, evaluation) is not None


@task(task_run_name="{evaluation}-requested", cache_policy=NO_CACHE)
def take_requested(evaluation: str) -> None:
    """Take the decision that waits for an evaluation, and note what became of it.

    A lead decides on what was seen: once the evaluation has moved, the decision is not taken. One
    that does not fit is refused with the sentence that the form of the flow would have given.

    Raises
    ------
    LostRaceError
        If another process moved the evaluation meanwhile; the request waits on.
    """
    with at_work() as work:
        request = waiting_request(work.engine, evaluation)
        if request is None:
            return
        if work.case(evaluation).standing.position.version != request.version:
            _settle(request, "taken" if was_taken(work.engine, request) else "overtaken")
            return
    try:
        take_decision.fn(
            evaluation,
            request.decision,  # type: ignore[arg-type]  # the table of decisions refuses others
            reason=request.reason,
            actor=request.actor,
            target=Target.model_validate(request.target),
        )
    except (RefusedError, InputError) as error:
        _settle(request, "refused", str(error))
    else:
        _settle(request, "taken")


def _settle(request: RequestRow, outcome: Outcome, detail: str | None = None) -> None:
    """Note what became of a request."""
    with at_work() as work:
        settle_request(work.engine, request.request, outcome, now=work.now, detail=detail)
