"""Evaluations that have ended: when, and how long their texts are wanted afterwards."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.evaluations import ENDED
from ocrjury.store.schema import evaluations, moves


class EndedEvaluation(NamedTuple):
    """An evaluation that was closed or aborted; `retention_days` is None without a limit."""

    evaluation: str
    state: str
    ended_at: datetime
    retention_days: int | None
    pool_hash: str | None


def list_ended(engine: Engine) -> list[EndedEvaluation]:
    """Return every evaluation that has ended, in the order in which they did."""
    when = (
        sa.select(sa.func.max(moves.c.at))
        .where(moves.c.evaluation == evaluations.c.evaluation, moves.c.to_state.in_(ENDED))
        .scalar_subquery()
        .label("ended_at")
    )
    query = (
        sa.select(
            evaluations.c.evaluation,
            evaluations.c.state,
            when,
            evaluations.c.config,
            evaluations.c.pool_hash,
        )
        .where(evaluations.c.state.in_(ENDED))
        .order_by(when, evaluations.c.evaluation)
    )
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    return [
        EndedEvaluation(row.evaluation, row.state, row.ended_at, _days(row.config), row.pool_hash)
        for row in rows
    ]


def users_of_pool(connection: Connection, address: str, *, but: Iterable[str] = ()) -> list[str]:
    """Return the evaluations whose pool is a snapshot, without some."""
    query = (
        sa.select(evaluations.c.evaluation)
        .where(evaluations.c.pool_hash == address, evaluations.c.evaluation.not_in(list(but)))
        .order_by(evaluations.c.evaluation)
    )
    return list(connection.execute(query).scalars())


def configs_of_pool(connection: Connection, address: str) -> list[dict[str, Any]]:
    """Return the campaigns of all evaluations of a snapshot."""
    query = sa.select(evaluations.c.config).where(evaluations.c.pool_hash == address)
    return [dict(config) for config in connection.execute(query).scalars()]


def _days(config: Any) -> int | None:
    """Return for how many days a campaign wants texts kept; older campaigns do not say."""
    days = (config.get("privacy") or {}).get("retention_days")
    return None if days is None else int(days)
