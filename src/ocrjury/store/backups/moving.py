"""A store moved from SQLite to PostgreSQL; the SQLite database stays as it is."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from ocrjury.errors import InputError
from ocrjury.store.backups.copying import Content, Tick
from ocrjury.store.backups.filling import fill_database
from ocrjury.store.database import Connection, revision_of
from ocrjury.store.migrations import HEAD

_WAIT_SECONDS = 2


def move_store(database: Path, database_url: str, *, tick: Tick) -> dict[str, Content]:
    """Copy all rows of an SQLite database into an empty PostgreSQL one; what each table holds.

    One transaction makes the tables with their triggers, copies, sets the sequences and compares
    a hash of every table: all of it is there afterwards, or nothing.

    Raises
    ------
    InputError
        If the SQLite database is in use or of another version, or the other one holds something.
    """
    with _alone(database) as source:
        if revision_of(source) != HEAD:
            raise InputError(
                f"the tables in {database} have version {revision_of(source)!r} and this ocrjury "
                f"works with {HEAD!r}. Bring them up to date first: `ocrjury status` without "
                "OCRJURY_DATABASE_URL."
            )
        return fill_database(source, database_url, tick=tick)


@contextmanager
def _alone(database: Path) -> Iterator[Connection]:
    """Yield a connection to a database that nobody else has open.

    A rating that came in during the copy, or through a program that still has the old database
    open afterwards, would be lost.
    """
    engine = sa.create_engine(f"sqlite:///{database}", connect_args={"timeout": _WAIT_SECONDS})
    sa.event.listen(engine, "connect", _lock_out_others)
    try:
        with engine.begin() as connection:
            yield connection
    except sa.exc.OperationalError as error:
        if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
            raise
        raise InputError(
            f"{database} is in use. Stop `ocrjury up` and everything else that has it open, and "
            "move the store then."
        ) from error
    finally:
        engine.dispose()


def _lock_out_others(connection: sqlite3.Connection, _record: object) -> None:
    """Take a lock that no other connection lets go by; in WAL mode it stays until the end."""
    connection.isolation_level = None
    connection.execute("PRAGMA locking_mode=EXCLUSIVE").close()
    connection.execute("BEGIN EXCLUSIVE").close()
