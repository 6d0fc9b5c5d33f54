"""Hold an evaluation whose input a person has to mend."""

import logging
from dataclasses import replace

from ocrjury.campaign.history import History, Step
from ocrjury.campaign.state import hold_on_error, next_step
from ocrjury.errors import LostRaceError
from ocrjury.evaluation.case import Work
from ocrjury.store.moves import Position, moving

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
    """Return the hold for the pool or for the plan where the table has one, else for an error."""
    step = next_step(replace(history, pool_ok=False, plan_ok=False))
    return step if step.to == "held" and step.what in {"pool", "plan"} else hold_on_error(history)
