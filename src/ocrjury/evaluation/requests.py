"""A lead's decision is stored before a run takes it, so that no run that ends loses it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import Decision, decide
from ocrjury.errors import InputError, LostRaceError, OcrjuryError, RefusedError
from ocrjury.evaluation.case import Work
from ocrjury.evaluation.decisions import take_decision
from ocrjury.language import phrase
from ocrjury.signals.unquoted_errors import why
from ocrjury.store.database import Connection, writing
from ocrjury.store.decisions import (
    add_request,
    read_request,
    settle_request,
    waiting_request,
    was_taken,
)
from ocrjury.store.trouble import is_trouble

if TYPE_CHECKING:
    from ocrjury.store.schema.course import Outcome


def store_decision(
    work: Work,
    evaluation: str,
    decision: Decision,
    *,
    reason: str,
    actor: str,
    target: DecisionTarget,
    also: Callable[[Connection], object] = lambda _: None,
) -> str:
    """Store a decision that fits as an evaluation stands, and return the name of the request.

    The next run of the evaluation takes it, as one that was asked for at the desk.

    Parameters
    ----------
    also
        Is called in the same transaction.

    Raises
    ------
    RefusedError
        If the decision does not fit; the sentence names those that do.
    StateError
        If another one waits.
    """
    standing = work.case(evaluation).standing
    decide(standing.history, decision, target=target)
    with writing(work.engine) as connection:
        request = add_request(
            connection,
            standing.position,
            decision=decision,
            target=target,
            reason=reason,
            actor=actor,
            now=work.now,
        )
        also(connection)
    return request


def take_requested(work: Work, evaluation: str) -> None:
    """Take the decision that waits for an evaluation, and note what became of it.

    A lead decides on what was seen: once the evaluation has moved, the decision is not taken. One
    that does not fit is refused with the sentence that the form of the flow would have given. The
    request waits on if another process moved the evaluation meanwhile (`LostRaceError`).
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
            target=request.target,
        )
    except (RefusedError, InputError) as error:
        settle_request(work.engine, request.request, "refused", now=work.now, detail=error.args[0])
    else:
        settle_request(work.engine, request.request, "taken", now=work.now)


def give_up_requested(work: Work, evaluation: str, error: Exception) -> None:
    """Note on a decision that waits that an unexpected error stopped it, so that others go on.

    It waits on, and the error is raised again, where the store had trouble or another process was
    first: then the next run can take it.
    """
    request = waiting_request(work.engine, evaluation)
    if request is None or isinstance(error, LostRaceError) or is_trouble(error):
        raise error
    if work.case(evaluation).standing.position.version != request.version:
        raise LostRaceError(f"another process moved {evaluation}.") from error
    reason = error.args[0] if isinstance(error, OcrjuryError) else _unexpected(why(error))
    settle_request(work.engine, request.request, "refused", now=work.now, detail=reason)


def _unexpected(kind: str) -> str:
    return phrase(
        "An unexpected error ({kind}) stopped it, and nothing of it was stored. Decide again; the "
        "log of its run in the Prefect UI says more.",
        kind=kind,
    )


def why_not_taken(work: Work, request: str) -> str | None:
    """Sentence on a decision that was stored and not taken; None if it was.

    Raises
    ------
    InputError
        If no request has this name.
    """
    row = read_request(work.engine, request)
    if row.outcome == "taken":
        return None
    if row.outcome == "refused":
        return str(row.detail)
    if row.outcome == "overtaken":
        return (
            f"{row.evaluation} has moved since '{row.decision}' was decided, so it was not taken. "
            f"Look at it again (ocrjury evaluation show {row.evaluation}), then decide."
        )
    return (
        f"'{row.decision}' of {row.actor} still waits to be taken: ocrjury evaluation advance "
        f"{row.evaluation}"
    )
