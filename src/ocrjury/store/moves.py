"""Move an evaluation: one transaction that wins by compare-and-set or writes nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.history import Step
from ocrjury.errors import LostRaceError
from ocrjury.store.database import Connection, Engine, reading, writing
from ocrjury.store.rows import has_row, list_of_evaluation
from ocrjury.store.schema.course import evaluations, moves


class Position(NamedTuple):
    """Position of an evaluation when a step was planned."""

    evaluation: str
    state: str
    version: int


FLOW = "flow"
"""Actor of what no person does."""


@dataclass(frozen=True, slots=True)
class Mover:
    """Author and time of a move; `run_id` is that of the flow run, if there is one."""

    now: datetime
    actor: str = FLOW
    run_id: str | None = None
    event: str = "advance"


@dataclass(frozen=True, slots=True)
class Move:
    """One row of the log of moves."""

    version: int
    row: str
    from_state: str | None
    to_state: str
    event: str
    actor: str
    reason: str | None
    run_id: str | None
    at: datetime


_MOVE = sa.update(evaluations).where(
    evaluations.c.evaluation == sa.bindparam("of"),
    evaluations.c.state == sa.bindparam("from_state"),
    evaluations.c.version == sa.bindparam("from_version"),
)
"""Compare-and-set of an evaluation's row; the columns to set are given with it."""


@contextmanager
def moving(
    engine: Engine,
    position: Position,
    step: Step,
    *,
    mover: Mover,
    reason: str | None = None,
    **values: Any,
) -> Iterator[Connection]:
    """Yield the connection of the one transaction that takes a step.

    Whatever the caller writes on the connection commits together with the move, or not at all.

    Parameters
    ----------
    position
        State and version that the step was planned on.
    reason
        Why, for the log; the detail of a hold.
    values
        Further columns of the evaluation to set.

    Raises
    ------
    LostRaceError
        If the evaluation is no longer at this position; nothing was written.
    """
    with writing(engine) as connection:
        won = connection.execute(
            _MOVE,
            {
                "of": position.evaluation,
                "from_state": position.state,
                "from_version": position.version,
                "state": step.to,
                "version": position.version + 1,
                **_held(position, step, reason),
                **values,
            },
        )
        if won.rowcount != 1:
            raise _lost(position)
        yield connection
        connection.execute(
            sa.insert(moves),
            {
                "evaluation": position.evaluation,
                "version": position.version + 1,
                "row": step.row,
                "from_state": position.state,
                "to_state": step.to,
                "event": mover.event,
                "actor": mover.actor,
                "reason": reason,
                "run_id": mover.run_id,
                "at": mover.now,
            },
        )


def check_position(engine: Engine, position: Position) -> None:
    """Raise `LostRaceError` if an evaluation is no longer where a step was planned."""
    with reading(engine) as connection:
        if not has_row(connection, evaluations, **position._asdict()):
            raise _lost(position)


def _lost(position: Position) -> LostRaceError:
    return LostRaceError(
        f"{position.evaluation} is no longer {position.state} at version {position.version}: "
        "another process moved it first."
    )


def list_moves(engine: Engine, evaluation: str) -> list[Move]:
    """Log of an evaluation, the oldest move first."""
    return list_of_evaluation(engine, Move, moves, evaluation=evaluation, order="version")


def _held(position: Position, step: Step, reason: str | None) -> dict[str, str | None]:
    """Three columns that say why an evaluation is held, and from where."""
    if step.to != "held":
        return {"held_reason": None, "held_from": None, "held_detail": None}
    if position.state == "held":
        return {"held_reason": step.what, "held_detail": reason}
    return {"held_reason": step.what, "held_from": position.state, "held_detail": reason}
