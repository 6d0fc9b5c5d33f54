"""Open the database and its transactions; SQLite in WAL mode unless a URL says otherwise."""

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any

import sqlalchemy as sa

from ocrjury.errors import InputError, MissingDependencyError, StoreError
from ocrjury.store.locks import StoreLock, take
from ocrjury.store.migrations import HEAD
from ocrjury.store.schema.creation import create_tables
from ocrjury.store.snapshots import consistent, snapshot_of
from ocrjury.store.trouble import watch

__all__ = [
    "FAILURES",
    "Connection",
    "Engine",
    "at_the_end",
    "check_writable",
    "make_engine",
    "migrate",
    "open_database",
    "reading",
    "revision_of",
    "shared_database",
    "writing",
]

Connection = sa.Connection
Engine = sa.Engine
FAILURES = (StoreError, sa.exc.SQLAlchemyError, OSError, ImportError)
"""Errors of `open_database` besides `InputError`: no driver, no server, no permission."""

_LOG = logging.getLogger(__name__)
_UPGRADED = (
    "The tables of this store were brought from version %s to %s. An older ocrjury no longer opens "
    "them; restart whatever still runs one."
)
_SCRIPTS = "ocrjury.store:migrations"
_POSTGRESQL = "postgresql+psycopg"
_INSTALL = 'pip install "ocrjury[postgres]"'
_LOCK_SECONDS = 30
_PAUSE = 0.01
_CONNECT_SECONDS = 10
_SILENCE = {
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 4,
    "tcp_user_timeout": 60_000,
}
"""A server that is gone without a word is given up after a minute; the system takes hours."""
_SESSION = {"lock_timeout": f"{_LOCK_SECONDS}s"} | {
    f"tcp_{name.removeprefix('tcp_')}": value for name, value in _SILENCE.items()
}
"""The server gives up a client that is gone so as well, and with it the locks that it held."""
_LAST = "last"


def open_database(url: str) -> Engine:
    """Open a database, and create its tables where there are none.

    Parameters
    ----------
    url
        An SQLAlchemy URL of SQLite or PostgreSQL (psycopg).
    """
    engine = make_engine(url)
    with ExitStack() as on_failure:
        on_failure.callback(engine.dispose)
        _migrate(engine)
        on_failure.pop_all()
    return engine


@contextmanager
def shared_database(url: str) -> Iterator[Engine]:
    """Yield this process's one engine of a database; the last who leaves closes its connections.

    An engine is kept for what it compiled: that took a quarter of an evaluation's processor time.
    The first who comes brings its tables to this version.
    """
    shared = _shared(url, os.getpid())
    with shared.lock:
        shared.users += 1
    try:
        with shared.lock:
            if not shared.migrated:
                _migrate(shared.engine)
                shared.migrated = True
        yield shared.engine
    finally:
        with shared.lock:
            shared.users -= 1
            if not shared.users:
                shared.migrated = False
                shared.engine.dispose()


@dataclass(eq=False)
class _Shared:
    """An engine, and how many use it at present."""

    engine: Engine
    users: int = 0
    migrated: bool = False
    lock: Lock = field(default_factory=Lock)


@lru_cache(maxsize=8)
def _shared(url: str, _process: int) -> _Shared:
    """Engine of an address; a fork gets its own, because connections belong to one process."""
    return _Shared(make_engine(url))


def reading(engine: Engine) -> AbstractContextManager[Connection]:
    """Begin a transaction that sees one state of the database throughout.

    Within a `snapshot` it is that of the snapshot.
    """
    held = snapshot_of(engine)
    return consistent(engine).begin() if held is None else nullcontext(held.connection())


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction that holds SQLite's write lock from its start; it ends a `snapshot`."""
    held = snapshot_of(engine)
    if held is not None:
        held.end()
    with engine.execution_options(write=True).begin() as connection:
        last: list[Callable[[Connection], None]] = []
        kept = connection.info  # a connection that broke has none any more
        kept[_LAST] = last
        try:
            yield connection
            for act in last:
                act(connection)
        finally:
            del kept[_LAST]


def at_the_end(connection: Connection, act: Callable[[Connection], None]) -> None:
    """Do something last in a transaction of `writing`, and at once in any other.

    What takes a lock that every writer needs holds it for a moment only, and after all others.
    """
    last = connection.info.get(_LAST)
    if last is None:
        act(connection)
    else:
        last.append(act)


def make_engine(url: str) -> Engine:
    """Engine without connections, whatever the version of the tables is."""
    address = sa.make_url(_with_driver(url))
    try:
        # The parameters of a failed statement are texts of documents, which belong in no log.
        engine = sa.create_engine(
            address,
            hide_parameters=True,
            connect_args=_limits(address),
            pool_pre_ping=address.get_backend_name() != "sqlite",  # a server may have restarted
        )
    except ImportError as error:
        if address.drivername != _POSTGRESQL:
            raise
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        lack = f"the driver of PostgreSQL cannot be loaded: {reason}"
        message = f"{lack}. Run: {_INSTALL}"
        raise MissingDependencyError(message, lack=lack, remedy=_INSTALL) from error
    watch(engine)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _set_pragmas)
        sa.event.listen(engine, "begin", _begin)
    return engine


def _with_driver(url: str) -> str:
    """Name in a PostgreSQL URL the driver that this project installs."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.partition("+")[0] not in ("sqlite", "postgresql", "postgres"):
        raise InputError(
            f"the database URL must start with sqlite:// or postgresql://; found scheme {scheme!r}."
        )
    return f"{_POSTGRESQL}://{rest}" if scheme in ("postgresql", "postgres") else url


def _limits(address: sa.URL) -> dict[str, Any]:
    """Time limits for PostgreSQL, or for a broken connection to it, unless the URL sets them."""
    if address.get_backend_name() == "sqlite":
        return {}
    limits = {
        "connect_timeout": _CONNECT_SECONDS,
        "options": " ".join(f"-c {name}={value}" for name, value in _SESSION.items()),
        **_SILENCE,
    }
    return {name: limit for name, limit in limits.items() if name not in address.query}


def check_writable(engine: Engine) -> None:
    """Raise what a write would, without writing anything."""
    with writing(engine) as connection:
        connection.exec_driver_sql("DELETE FROM alembic_version WHERE 1 = 0")


def _migrate(engine: Engine) -> None:
    """Bring the tables to this version."""
    with reading(engine) as connection:
        if revision_of(connection) == HEAD:
            return
    with writing(engine) as connection:
        migrate(connection)


def migrate(connection: Connection) -> None:
    """Bring the tables to this version, in a transaction of the caller's."""
    take(connection, StoreLock.MIGRATION)  # two processes may open a new database at once
    before = revision_of(connection)
    _upgrade(connection)
    if before not in (None, HEAD):
        _LOG.warning(_UPGRADED, before, HEAD)


def revision_of(connection: Connection) -> str | None:
    """Version of the tables; None where there are none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def _upgrade(connection: Connection) -> None:
    """Create the tables of a new database, or run the migrations that an older one lacks."""
    # A server that opens tables of this version never needs Alembic, nor its memory.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", _SCRIPTS)
    config.attributes["connection"] = connection
    if revision_of(connection) is None:
        create_tables(connection)
        command.stamp(config, "head")
        return
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise InputError(
            f"the tables of this database have version {revision_of(connection)!r}, which this "
            f"ocrjury does not know; its own are of version {HEAD!r}. Open the database with the "
            "ocrjury that last wrote to it, or a newer one: pip install --upgrade ocrjury"
        ) from error


def _set_pragmas(connection: sqlite3.Connection, _record: Any) -> None:
    """Make SQLite durable under concurrent readers and strict about foreign keys."""
    # Python's sqlite3 commits before DDL of its own accord; without it, BEGIN is ours.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={_LOCK_SECONDS * 1000}").close()
    _switch_to_wal(connection)
    for pragma in ("foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}").close()


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Let readers and a writer work side by side.

    Where several processes switch a new database at once, SQLite refuses some of them without
    waiting, whatever its busy timeout.
    """
    end = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _begin(connection: Connection) -> None:
    """Begin; a writer takes the lock at once, so that it waits and never fails half-way."""
    writes = connection.get_execution_options().get("write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
