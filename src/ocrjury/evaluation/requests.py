"""A lead's decision is stored before a run takes it, so that no run that ends loses it."""

from collections.abc import Callable

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import Decision, decide
from ocrjury.evaluation.case import Work
from ocrjury.store.database import Connection, writing
from ocrjury.store.decisions import add_request, read_request


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
