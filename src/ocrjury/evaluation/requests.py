"""Decisions that a lead asked for at the desk, taken as if the flow's form had been filled in."""

from ocrjury.errors import InputError, RefusedError
from ocrjury.evaluation.case import Work
from ocrjury.evaluation.decisions import Target, take_decision
from ocrjury.store.decisions import Outcome, settle_request, waiting_request, was_taken


def take_requested(work: Work, evaluation: str) -> None:
    """Take the decision that waits for an evaluation, and note what became of it.

    A lead decides on what was seen: once the evaluation has moved, the decision is not taken. One
    that does not fit is refused with the sentence that the form of the flow would have given.

    Raises
    ------
    LostRaceError
        If another process moved the evaluation meanwhile; the request waits on.
    """
    request = waiting_request(work.engine, evaluation)
    if request is None:
        return
    if work.case(evaluation).standing.position.version != request.version:
        outcome: Outcome = "taken" if was_taken(work.engine, request) else "overtaken"
        settle_request(work.engine, request.request, outcome, now=work.now)
        return
    try:
        take_decision(
            work,
            evaluation,
            request.decision,  # type: ignore[arg-type]  # the table of decisions refuses others
            reason=request.reason,
            actor=request.actor,
            target=Target.model_validate(request.target),
        )
    except (RefusedError, InputError) as error:
        settle_request(work.engine, request.request, "refused", now=work.now, detail=str(error))
    else:
        settle_request(work.engine, request.request, "taken", now=work.now)
