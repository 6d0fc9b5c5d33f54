"""SQLite as tests can afford it: nothing waits for the disk, no statement is compiled twice.

Every test has a database of its own. Measured on a test that runs an evaluation: its hundreds of
commits wait for the disk longer than they compute, and compiling the same statements for the engine
of another database takes a quarter of its processor time. Neither changes what a statement does,
nor what is left after a kill; only a power cut could tell.
"""

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from ocrjury.store import database

durable = database._set_pragmas
_compiled = LRUCache(2000)


def _hasty(connection, record):
    durable(connection, record)
    connection.execute("PRAGMA synchronous=OFF").close()


def make_quick():
    """Let this process open SQLite so from now on."""
    database._set_pragmas = _hasty
    # The key of a compiled statement holds its dialect, of which every engine has its own.
    SQLiteDialect_pysqlite.__eq__ = lambda one, other: type(one) is type(other)
    SQLiteDialect_pysqlite.__hash__ = lambda one: hash(type(one))
    sa.Engine._compiled_cache = property(lambda _: _compiled, lambda _, __: None)
