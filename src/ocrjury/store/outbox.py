"""Signals that wait to become Prefect events: written with what they announce, sent later."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, writing
from ocrjury.store.rows import columns_of, has_row, list_rows
from ocrjury.store.schema.course import signals


class Unsent(NamedTuple):
    """A signal that nobody has sent yet."""

    signal: str
    evaluation: str
    name: str
    payload: dict[str, Any]
    created_at: datetime


def add_signal(
    connection: Connection,
    evaluation: str,
    *,
    name: str,
    about: str,
    now: datetime,
    facts: Mapping[str, int | str] = MappingProxyType({}),
) -> None:
    """Announce something; announcing the same thing twice is one signal.

    Parameters
    ----------
    name
        Name of the event, such as ``ocrjury.round.complete``.
    about
        Number of the round or version that it is about; with the name it makes the signal unique.
    facts
        What `ocrjury.store.stale_signals` goes by, beside the number of a complete round.
    """
    key = f"{evaluation}.{about}.{name}"
    if not has_row(connection, signals, signal=key):
        connection.execute(
            sa.insert(signals).values(
                signal=key,
                evaluation=evaluation,
                name=name,
                payload={"evaluation": evaluation, "round": about, **facts},
                created_at=now,
            )
        )


_MOST_AT_ONCE = 100


def list_unsent(engine: Engine) -> list[Unsent]:
    """Signals that wait to be sent, the oldest first, as many as go at once."""
    query = (
        sa.select(*columns_of(signals, Unsent))
        .where(signals.c.sent_at.is_(None))
        .order_by(signals.c.created_at, signals.c.signal)
        .limit(_MOST_AT_ONCE)
    )
    return list_rows(engine, Unsent, query)


def mark_sent(engine: Engine, ids: Sequence[str], *, now: datetime) -> None:
    """Note that signals were taken by Prefect."""
    with writing(engine) as connection:
        connection.execute(
            sa.update(signals).where(signals.c.signal.in_(list(ids))).values(sent_at=now)
        )
