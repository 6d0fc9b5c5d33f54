"""Make sure that the bytes of what was removed are gone from a database file."""

import sqlite3
from typing import cast

from ocrjury.errors import StateError
from ocrjury.store.database import Engine


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
