"""Open the database and its transactions; SQLite in WAL mode unless a URL says otherwise."""

import sqlite3
from contextlib import AbstractContextManager
from typing import Any

import sqlalchemy as sa

from ocrjury.errors import InputError
from ocrjury.store.migrations import HEAD

__all__ = ["FAILURES", "Connection", "Engine", "open_database", "reading", "writing"]

Connection = sa.Connection
Engine = sa.Engine
FAILURES = (sa.exc.SQLAlchemyError, OSError, ImportError)
"""What can go wrong in `open_database` beside `InputError`: no driver, no way in, other tables."""


def open_database(url: str) -> Engine:
    """Return an engine on a database whose tables are of this version.

    Parameters
    ----------
    url
        An SQLAlchemy URL of SQLite or PostgreSQL (psycopg).
    """
    # The parameters of a failed statement are texts of documents, which belong in no log.
    engine = sa.create_engine(_with_driver(url), hide_parameters=True)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _set_pragmas)
        sa.event.listen(engine, "begin", _begin)
    _migrate(engine)
    return engine


def reading(engine: Engine) -> AbstractContextManager[Connection]:
    """Return a transaction that sees one state of the database throughout."""
    return engine.begin()


def writing(engine: Engine) -> AbstractContextManager[Connection]:
    """Return a transaction that holds SQLite's write lock from its start."""
    return engine.execution_options(write=True).begin()


def _with_driver(url: str) -> str:
    """Return a PostgreSQL URL that names the driver which this project installs."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.partition("+")[0] not in ("sqlite", "postgresql", "postgres"):
        raise InputError(
            f"the database URL must start with sqlite:// or postgresql://; found scheme {scheme!r}."
        )
    return f"postgresql+psycopg://{rest}" if scheme in ("postgresql", "postgres") else url


def _migrate(engine: Engine) -> None:
    """Bring the tables to this version."""
    with reading(engine) as connection:
        if _revision(connection) == HEAD:
            return
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            # Two processes may open a new database at once; SQLite's write lock does the same.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(20051979)")
        _upgrade(connection)


def _revision(connection: Connection) -> str | None:
    """Return the version of the tables, None where there are none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def _upgrade(connection: Connection) -> None:
    """Run the migrations that a database lacks."""
    # A server that opens tables of this version never needs Alembic, nor its memory.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "ocrjury.store:migrations")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise sa.exc.InvalidRequestError(str(error)) from error


def _set_pragmas(connection: sqlite3.Connection, _record: Any) -> None:
    """Make SQLite durable under concurrent readers and strict about foreign keys."""
    # Python's sqlite3 commits before DDL of its own accord; without it, BEGIN is ours.
    connection.isolation_level = None
    # busy_timeout first: the switch to WAL itself may have to wait for another process.
    for pragma in ("busy_timeout=30000", "journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: Connection) -> None:
    """Begin; a writer takes the lock at once, so that it waits and never fails half-way."""
    writes = connection.get_execution_options().get("write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
