"""Signals of which nothing follows any more: whoever wrote them went on by itself."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, writing
from ocrjury.store.link_requests import list_mailings
from ocrjury.store.rows import has_row
from ocrjury.store.schema.course import evaluations, requests, signals
from ocrjury.store.schema.rating import rounds

_AT_ONCE = 500


def drop_stale(engine: Engine, *, now: datetime) -> None:
    """Leave out signals that are stale.

    A complete round, or a decision, matters while the evaluation stands where it then stood; a link
    that a lead asks for, while its email waits.
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
    """Return whether a run would find something to do."""
    facts, name = signal.payload, signal.evaluation
    if signal.name == "ocrjury.round.complete":
        return has_row(connection, rounds, evaluation=name, round=int(facts["round"]), state="open")
    if "link_round" in facts:
        mailing = list_mailings(connection, name, facts["link_round"]).get(facts["rater"])
        return mailing is not None and mailing.waits
    if signal.name == "ocrjury.decision.requested":
        return has_row(connection, requests, evaluation=name, outcome=None)
    return has_row(connection, evaluations, evaluation=name, version=facts["version"] + 1)
