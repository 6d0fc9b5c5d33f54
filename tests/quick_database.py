"""Databases as tests can afford them: SQLite waits for no disk, no statement is compiled twice.

Every test has a database of its own. Measured on a test that runs an evaluation: its hundreds of
commits wait for the disk longer than they compute, and compiling the same statements for the engine
of another database takes a quarter of its processor time, those that create the tables included.
Neither changes what a statement does, nor what is left after a kill; only a power cut could tell.
"""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from ocrjury.store import database

durable = database._set_pragmas
create_tables = database.create_tables
_schema = []
_compiled = LRUCache(2000)


def _hasty(connection, record):
    durable(connection, record)
    connection.execute("PRAGMA synchronous=OFF").close()


def _create_tables(connection):
    """Create the tables as the product does; after the first database, by the same statements."""
    if connection.dialect.name != "sqlite":
        create_tables(connection)
    elif _schema:
        for statement in _schema:
            connection.connection.driver_connection.execute(statement).close()
    else:
        create_tables(connection)
        rows = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql > ''")
        _schema.extend(rows.scalars())


def make_quick():
    """Let this process open databases so from now on."""
    database._set_pragmas = _hasty
    database.create_tables = _create_tables
    # The key of a compiled statement holds its dialect, of which every engine has its own.
    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        dialect.__eq__ = lambda one, other: type(one) is type(other)
        dialect.__hash__ = lambda one: hash(type(one))
    sa.Engine._compiled_cache = property(lambda _: _compiled, lambda _, __: None)
