"""Purges as they are kept: what was begun, and a certificate of what was done.

Each row's hash covers the row and the certificate before it, so that a row that is changed or left
out afterwards shows.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.canonical import content_hash
from ocrjury.errors import LostRaceError
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.schema import purges

AUDIT = "audit"
"""The subject of certificates about audit rows; evaluations are called by their names."""


class PurgeRow(NamedTuple):
    """A purge that was begun, or its certificate; `before` belongs to audit rows only."""

    subject: str
    number: int
    finished: bool
    body: Mapping[str, Any]
    actor: str
    before: datetime | None
    previous: str | None
    sha256: str
    at: datetime


class NewPurge(NamedTuple):
    """A row before it has a hash."""

    subject: str
    number: int
    finished: bool
    body: Mapping[str, Any]
    actor: str
    before: datetime | None = None


_MOMENTS = ("before", "at")
_ORDER = (purges.c.at, purges.c.subject, purges.c.number, purges.c.finished)


def add_purge(connection: Connection, purge: NewPurge, *, now: datetime) -> PurgeRow:
    """Keep a row and return it; the caller's transaction decides whether it is there.

    Raises
    ------
    LostRaceError
        If another process kept this row at the same time.
    """
    # The end of the chain, and not the newest row: those of one purge share their moment.
    later = purges.alias()
    followed = sa.exists().where(later.c.finished.is_(True), later.c.previous == purges.c.sha256)
    previous = connection.execute(
        sa.select(purges.c.sha256)
        .where(purges.c.finished.is_(True), ~followed)
        .order_by(*(column.desc() for column in _ORDER))
        .limit(1)
    ).scalar()
    row = PurgeRow(
        **{**purge._asdict(), "body": dict(purge.body)}, previous=previous, sha256="", at=now
    )
    row = row._replace(sha256=hash_of(row))
    try:
        connection.execute(sa.insert(purges).values(**row._asdict()))
    except sa.exc.IntegrityError as error:
        raise LostRaceError(f"another process purged {purge.subject} at the same time.") from error
    return row


def hash_of(row: PurgeRow) -> str:
    """Return the hash of a row from everything else in it."""
    said = row._asdict()
    moments = {name: said[name] and said[name].astimezone(UTC).isoformat() for name in _MOMENTS}
    del said["sha256"]
    return content_hash({**said, **moments})


def list_purges(engine: Engine, subject: str | None = None) -> list[PurgeRow]:
    """Return every row in the order of time, of one subject or of all."""
    query = sa.select(*(purges.c[name] for name in PurgeRow._fields)).order_by(*_ORDER)
    if subject is not None:
        query = query.where(purges.c.subject == subject)
    with reading(engine) as connection:
        return [PurgeRow(*row) for row in connection.execute(query)]


def removed_reports(engine: Engine, evaluation: str) -> dict[tuple[str, str, int], datetime]:
    """Return when the files of reports went, by kind, language and version; as certified, if so."""
    return {
        (kind, language, version): row.at
        for row in list_purges(engine, evaluation)
        for kind, language, version, *_ in row.body["reports"]
    }


def begun_only(rows: Iterable[PurgeRow]) -> dict[str, PurgeRow]:
    """Return by subject the newest purge that was begun and has no certificate yet."""
    found: dict[str, PurgeRow] = {}
    for row in rows:
        if not row.finished:
            found[row.subject] = row
        elif found.get(row.subject, row).number <= row.number:
            found.pop(row.subject, None)
    return found


def broken_rows(rows: Iterable[PurgeRow]) -> list[PurgeRow]:
    """Return the rows, of all, that were changed, or whose predecessor is not there any more."""
    every = list(rows)
    # Rows of one moment are listed by name, so a predecessor may come after its successor.
    there = {None, *(row.sha256 for row in every)}
    return [row for row in every if hash_of(row) != row.sha256 or row.previous not in there]
