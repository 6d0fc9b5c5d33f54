"""Databases as tests can afford them: SQLite waits for no disk, no statement is compiled twice.

Every test has a database of its own. Measured on a test that runs an evaluation: its hundreds of
commits wait for the disk longer than they compute, and compiling the same statements for the engine
of another database takes a quarter of its processor time. A new database with its tables takes
16 ms, a copy of one 3. Nothing of it changes what a statement does, nor what is left after a kill;
only a power cut could tell.
"""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import get_ident

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from ocrjury.store import database

durable = database._set_pragmas
migrate = database._migrate
_compiled = LRUCache(2000)


def _hasty(connection, record):
    durable(connection, record)
    connection.execute("PRAGMA synchronous=OFF").close()


def _migrate(engine):
    """Bring the tables to this version; where no file is yet, begin with a copy of a new one."""
    path = engine.url.database
    if engine.dialect.name == "sqlite" and path and not os.path.exists(path):  # noqa: PTH110  # quick
        _put_copy(Path(path))
    migrate(engine)


def _put_copy(path):
    """Put a new database at a path, whole at once; do nothing where the product could not."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}")
    with suppress(OSError):
        fresh.write_bytes(_new_database(database._SCRIPTS))
        os.link(fresh, path)  # fails where another process was quicker
    with suppress(OSError):
        fresh.unlink()


@cache
def _new_database(_migrations):
    """What the file of a database holds that has its tables, and nothing in them."""
    engine = database.make_engine("sqlite://")
    migrate(engine)
    with engine.connect() as connection:
        content = bytearray(connection.connection.driver_connection.serialize())
    engine.dispose()
    content[18:20] = b"\x02\x02"  # written ahead, which a database in memory cannot be
    return bytes(content)


def make_quick(*, copies=True):
    """Let this process open databases so from now on, new ones as copies unless it says no."""
    database._set_pragmas = _hasty
    if copies:
        database._migrate = _migrate
    # The key of a compiled statement holds its dialect, of which every engine has its own.
    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        dialect.__eq__ = lambda one, other: type(one) is type(other)
        dialect.__hash__ = lambda one: hash(type(one))
    sa.Engine._compiled_cache = property(lambda _: _compiled, lambda _, __: None)
