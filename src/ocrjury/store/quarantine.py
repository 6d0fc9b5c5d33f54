"""Submissions that were refused: where they came from and why, without what they said."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine
from ocrjury.store.rows import has_row, list_of_evaluation
from ocrjury.store.schema.intake import quarantine


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
    if not is_refused(connection, row):
        connection.execute(sa.insert(quarantine).values(**row._asdict()))


def is_refused(connection: Connection, row: QuarantineRow) -> bool:
    """Return whether the same submission was refused before."""
    names = ("evaluation", "source", "row", "payload_hash")
    return has_row(connection, quarantine, **{name: getattr(row, name) for name in names})


def list_refused(engine: Engine, evaluation: str) -> list[QuarantineRow]:
    """Refusals of an evaluation, the oldest first."""
    return list_of_evaluation(
        engine, QuarantineRow, quarantine, evaluation=evaluation, order="at row"
    )
