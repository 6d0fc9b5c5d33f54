"""Holds: their reasons, and the hold of an evaluation whose input a person has to fix."""

import logging
from dataclasses import replace
from functools import reduce

from ocrjury.campaign.decisions import AT_THE_GATE, LATE
from ocrjury.campaign.history import History, Step
from ocrjury.campaign.state import hold_on_error, next_step
from ocrjury.errors import LostRaceError
from ocrjury.evaluation.case import Case, Work
from ocrjury.evaluation.preview import new_preview
from ocrjury.language import Phrase, joined, phrase
from ocrjury.store.database import Connection
from ocrjury.store.evaluations import ENDED
from ocrjury.store.links import revoke_links
from ocrjury.store.moves import Position, moving
from ocrjury.store.results import Result, latest_verdicts
from ocrjury.store.rounds import close_round, list_progress

log = logging.getLogger(__name__)


def hold(work: Work, position: Position, reason: str) -> None:
    """Move an evaluation to the hold that fits the state in which its input was refused."""
    standing = work.case(position.evaluation).standing
    if standing.position != position:
        raise LostRaceError(f"{position.evaluation} is held no more: another process moved it.")
    step = _holding(standing.history)
    log.warning("%s is held: %s", position.evaluation, step.what)
    with moving(work.engine, position, step, mover=work.mover, reason=reason):
        pass


def _holding(history: History) -> Step:
    """Hold for the pool or for the plan where the table has one, else for an error."""
    step = next_step(replace(history, pool_ok=False, plan_ok=False))
    return step if step.to == "held" and step.what in {"pool", "plan"} else hold_on_error(history)


def reason_of(case: Case, step: Step) -> str | None:
    """Reason of a stop by the gate or the raters, in words; None for other moves."""
    if step.what in AT_THE_GATE:
        return joined(latest_verdicts(case.work.engine, case.name)[0].reasons)
    return _lateness(case) if step.what in LATE else None


def preview_at(case: Case, step: Step) -> list[Result]:
    """Next round as it looks from a stop by the gate or the raters; empty for other moves."""
    if step.to != "held" or step.what not in {*AT_THE_GATE, *LATE}:
        return []
    result = new_preview(case, step)
    return [] if result is None else [result]


def _lateness(case: Case) -> str:
    last = case.standing.history.last
    rows = list_progress(case.work.engine, case.name, last.number)
    awaited = [
        phrase("{rater} has {n} open", rater=row.rater, n=row.open) for row in rows if row.open
    ]
    done, every = last.ratings, last.ratings + last.open
    if not awaited:
        return phrase(
            "{done} of {asked} assignments are done; nothing is open any more.",
            done=done,
            asked=every,
        )
    return phrase(
        "{done} of {asked} assignments are done; {awaited}.",
        done=done,
        asked=every,
        awaited=reduce(_beside, awaited),
    )


def _beside(first: Phrase, second: Phrase) -> Phrase:
    return phrase("{first}, {second}", first=first, second=second)


def close_if_final(connection: Connection, case: Case, step: Step) -> None:
    """End the links, and the open round of an aborted evaluation, where a move is the last."""
    if step.to in ENDED:
        revoke_links(connection, case.name, now=case.work.now)
    if step.to == "aborted":
        close_round(connection, case.name, by="abort", now=case.work.now, state="dropped")
