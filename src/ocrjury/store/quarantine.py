"""Submissions that were refused: where they came from and why, without what they said."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.schema import quarantine


class QuarantineRow(NamedTuple):
    """A refused submission; `row` names it in the sender's terms."""

    evaluation: str
    source: str
    row: str
    payload_hash: str
    reason: str
    at: datetime


def add_refused(connection: Connection, row: QuarantineRow) -> None:
    """Keep a refusal; the same submission refused again is one row."""
    same = [
        quarantine.c[name] == getattr(row, name)
        for name in ("evaluation", "source", "row", "payload_hash")
    ]
    if connection.execute(sa.select(quarantine.c.reason).where(*same)).first() is None:
        connection.execute(sa.insert(quarantine).values(**row._asdict()))


def list_refused(engine: Engine, evaluation: str) -> list[QuarantineRow]:
    """Refusals of an evaluation, the oldest first."""
    query = (
        sa.select(*(quarantine.c[name] for name in QuarantineRow._fields))
        .where(quarantine.c.evaluation == evaluation)
        .order_by(quarantine.c.at, quarantine.c.row)
    )
    with reading(engine) as connection:
        return [QuarantineRow(*row) for row in connection.execute(query)]
