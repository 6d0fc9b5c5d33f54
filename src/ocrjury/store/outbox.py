"""Signals that wait to become Prefect events: written with what they announce, sent later."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, writing
from ocrjury.store.rows import columns_of, has_row, list_rows
from ocrjury.store.schema.course import evaluations, requests, signals
from ocrjury.store.schema.rating import rounds

_AT_ONCE = 500


class Unsent(NamedTuple):
    """A signal that nobody has sent yet."""

    signal: str
    evaluation: str
    name: str
    payload: dict[str, Any]
    created_at: datetime


def add_signal(
    connection: Connection, evaluation: str, *, name: str, about: str, now: datetime
) -> None:
    """Announce something; announcing the same thing twice is one signal.

    Parameters
    ----------
    name
        Name of the event, such as ``ocrjury.round.complete``.
    about
        Number of the round or version that it is about.
    """
    key = f"{evaluation}.{about}.{name}"
    if not has_row(connection, signals, signal=key):
        connection.execute(
            sa.insert(signals).values(
                signal=key,
                evaluation=evaluation,
                name=name,
                payload={"evaluation": evaluation, "round": about},
                created_at=now,
            )
        )


def list_unsent(engine: Engine, *, limit: int = 100) -> list[Unsent]:
    """Signals that wait to be sent, the oldest first."""
    query = (
        sa.select(*columns_of(signals, Unsent))
        .where(signals.c.sent_at.is_(None))
        .order_by(signals.c.created_at, signals.c.signal)
        .limit(limit)
    )
    return list_rows(engine, Unsent, query)


def drop_stale(engine: Engine, *, now: datetime) -> None:
    """Leave out signals of which nothing follows any more: whoever wrote them went on by itself.

    A complete round, or a decision, matters while the evaluation stands where it then stood.
    """
    with writing(engine) as connection:
        unsent = connection.execute(
            sa.select(
                signals.c.signal, signals.c.evaluation, signals.c.name, signals.c.payload
            ).where(signals.c.sent_at.is_(None))
        ).all()
        stale = [row.signal for row in unsent if not _matters(connection, row)]
        for start in range(0, len(stale), _AT_ONCE):
            some = signals.c.signal.in_(stale[start : start + _AT_ONCE])
            connection.execute(sa.update(signals).where(some).values(sent_at=now))


def _matters(connection: Connection, signal: sa.Row[Any]) -> bool:
    """Whether a run would find something to do."""
    about, name = str(signal.payload["round"]), signal.evaluation
    if signal.name == "ocrjury.round.complete":
        return has_row(connection, rounds, evaluation=name, round=int(about), state="open")
    if signal.name == "ocrjury.decision.requested":
        return has_row(connection, requests, evaluation=name, outcome=None)
    return has_row(connection, evaluations, evaluation=name, version=int(about) + 1)


def mark_sent(engine: Engine, ids: Sequence[str], *, now: datetime) -> None:
    """Note that signals were taken by Prefect."""
    with writing(engine) as connection:
        connection.execute(
            sa.update(signals).where(signals.c.signal.in_(list(ids))).values(sent_at=now)
        )
