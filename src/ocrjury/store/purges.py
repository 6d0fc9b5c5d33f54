"""Purges as they are kept: what was begun, and a certificate of what was done.

Each row's hash covers the row and the certificate before it, so that a row that is changed or left
out afterwards shows.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

import sqlalchemy as sa

from ocrjury.campaign.config import Configuration
from ocrjury.campaign.content_hashes import content_hash
from ocrjury.errors import LostRaceError, StateError
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.evaluations import ENDED
from ocrjury.store.locks import StoreLock, take
from ocrjury.store.rows import columns_of, list_rows
from ocrjury.store.schema.course import evaluations, moves, purges

AUDIT = "audit"
"""The subject of certificates about audit rows; evaluations are called by their names."""


class RemovedReport(NamedTuple):
    """A report that a purge removes, with the names of its files."""

    kind: str
    language: str
    version: int
    html: str | None = None
    pdf: str | None = None

    @property
    def files(self) -> list[str]:
        """Names of the files that it has."""
        return [name for name in (self.html, self.pdf) if name]


class PurgeRow(NamedTuple):
    """A purge that was begun, or its certificate; `before` belongs to audit rows only.

    `body` is what the hash covers; the properties say what stands in it.
    """

    subject: str
    number: int
    finished: bool
    body: Mapping[str, Any]
    actor: str
    before: datetime | None
    previous: str | None
    sha256: str
    at: datetime

    @property
    def reports(self) -> list[RemovedReport]:
        """Reports that are to go, or went."""
        return [RemovedReport(*report) for report in self.body.get("reports", ())]

    @property
    def folders(self) -> dict[str, int]:
        """Number of files by folder, of sheets and of scoring."""
        return dict(self.body.get("folders", ()))

    @property
    def pool(self) -> str | None:
        """Snapshot of the pool, None if others needed it from the start."""
        return self.body.get("pool")

    @property
    def documents(self) -> int:
        """Number of documents whose texts were taken out of the tables."""
        return int(self.body["texts"]["documents"])

    @property
    def files(self) -> list[str]:
        """Files that are gone, as certified."""
        return list(self.body.get("files", ()))

    @property
    def kept(self) -> dict[str, list[str]]:
        """Evaluations that still need a file, by the file."""
        return dict(self.body.get("kept", {}))

    @property
    def compacted(self) -> bool:
        """Whether no byte of the texts is left in the database's own file."""
        return bool(self.body["compacted"])

    @property
    def lines(self) -> int:
        """Number of lines of the audit log that left."""
        return int(self.body["rows"])

    @property
    def ends(self) -> dict[str | None, str]:
        """Last hash of each run of lines that left the audit log, by the hash before the run."""
        return dict(self.body.get("ends", ()))


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
    # Two certificates may not follow the same one: who left one of them out would not be seen.
    take(connection, StoreLock.PURGES)
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
    """Hash of a row from everything else in it."""
    facts = row._asdict()
    moments = {name: facts[name] and facts[name].astimezone(UTC).isoformat() for name in _MOMENTS}
    del facts["sha256"]
    return content_hash({**facts, **moments})


def list_purges(source: Engine | Connection, subject: str | None = None) -> list[PurgeRow]:
    """Every row in the order of time, of one subject or of all."""
    query = sa.select(*columns_of(purges, PurgeRow)).order_by(*_ORDER)
    if subject is not None:
        query = query.where(purges.c.subject == subject)
    return list_rows(source, PurgeRow, query)


def removed_reports(engine: Engine, evaluation: str) -> dict[tuple[str, str, int], datetime]:
    """Removal times of report files by kind, language and version, as certified where they are."""
    return {
        (report.kind, report.language, report.version): row.at
        for row in list_purges(engine, evaluation)
        for report in row.reports
    }


def begun_only(rows: Iterable[PurgeRow]) -> dict[str, PurgeRow]:
    """Newest purge of each subject that was begun and has no certificate yet."""
    # By number, because the clock may have been set back between a purge and its certificate.
    every = sorted(rows, key=lambda row: row.number)
    certified = {row.subject: row.number for row in every if row.finished}
    return {
        row.subject: row
        for row in every
        if not row.finished and row.number > certified.get(row.subject, 0)
    }


def broken_rows(rows: Iterable[PurgeRow]) -> list[PurgeRow]:
    """Rows that were changed, or whose predecessor is gone; needs all rows."""
    every = list(rows)
    # Rows of one moment are listed by name, so a predecessor may come after its successor.
    hashes = {None, *(row.sha256 for row in every)}
    return [row for row in every if hash_of(row) != row.sha256 or row.previous not in hashes]


class EndedEvaluation(NamedTuple):
    """An evaluation that was closed or aborted; `retention_days` is None without a limit."""

    evaluation: str
    state: str
    ended_at: datetime
    retention_days: int | None
    pool_hash: str | None


def list_ended(engine: Engine) -> list[EndedEvaluation]:
    """Every evaluation that has ended, in the order in which they did.

    None ended before it began: where an earlier move is later, the clock was behind at the end.
    """
    when = (
        sa.select(sa.func.max(moves.c.at))
        .where(moves.c.evaluation == evaluations.c.evaluation)
        .scalar_subquery()
        .label("ended_at")
    )
    query = (
        sa.select(
            evaluations.c.evaluation,
            evaluations.c.state,
            when,
            evaluations.c.config["privacy", "retention_days"].as_integer(),
            evaluations.c.pool_hash,
        )
        .where(evaluations.c.state.in_(ENDED))
        .order_by(when, evaluations.c.evaluation)
    )
    with reading(engine) as connection:
        return [EndedEvaluation(*row) for row in connection.execute(query)]


def users_of_pool(connection: Connection, address: str, *, but: Iterable[str] = ()) -> list[str]:
    """Evaluations that use a snapshot as their pool, without those in ``but``."""
    query = (
        sa.select(evaluations.c.evaluation)
        .where(evaluations.c.pool_hash == address, evaluations.c.evaluation.not_in(list(but)))
        .order_by(evaluations.c.evaluation)
    )
    return list(connection.execute(query).scalars())


def configs_of_pool(connection: Connection, address: str) -> list[Configuration]:
    """Campaign configurations of all evaluations that use a snapshot."""
    query = sa.select(evaluations.c.config).where(evaluations.c.pool_hash == address)
    return [Configuration.from_json(config) for config in connection.execute(query).scalars()]


def compact(engine: Engine) -> bool:
    """Rewrite an SQLite file without what was removed; return False on PostgreSQL.

    There, dead rows lie in the files until a superuser or owner runs ``VACUUM FULL``, which locks.

    Raises
    ------
    StateError
        If somebody else reads or writes all the time, so that the file cannot be rewritten.
    """
    if engine.dialect.name != "sqlite":
        return False
    held = engine.raw_connection()
    try:
        _rewrite(cast("sqlite3.Connection", held.driver_connection))
    except sqlite3.OperationalError as error:
        raise StateError(
            f"the texts are removed, but the database file still holds their bytes: {error}. "
            "Run the same command again when nobody else uses it."
        ) from error
    finally:
        held.close()
    return True


def _rewrite(connection: sqlite3.Connection) -> None:
    """Write the file anew, and empty the log beside it."""
    connection.execute("PRAGMA secure_delete=ON").close()
    connection.execute("VACUUM").close()
    busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise sqlite3.OperationalError("a reader holds the log beside it")
