"""Trouble of the whole store, not of one statement: its disk is full, its server is away.

Whatever the database's driver raises for it becomes one sentence with a remedy, before anything
above the store sees it.
"""

import errno
import os
import resource
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from ocrjury.errors import Ailment, StoreError

REMEDIES: Final[Mapping[Ailment, str]] = {
    "full": "is full. What was stored is safe; make room on its disk, then do this again.",
    "read-only": "can only be read. Mount its disk for writing and let this account write there, "
    "then do this again.",
    "away": "cannot be opened: {detail}. Mount its disk or start its server, or name another store "
    "in OCRJURY_HOME or OCRJURY_DATABASE_URL.",
    "busy": "was busy for too long. Do this again; if it stays so, end the program that holds it.",
    "damaged": "is damaged. Stop all that use it, keep a copy, and restore the last backup.",
}
_LONGEST: Final = 200
_PRIMARY: Final = 0xFF
_SQLITE: Final[Mapping[int, Ailment]] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_PERM: "read-only",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
}
_UNCLEAR: Final = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
"""Codes that SQLite has for a full disk, too, and for a folder that is gone."""
_POSTGRESQL: Final[Mapping[str, Ailment]] = {
    "53100": "full",  # disk_full
    "25006": "read-only",  # read_only_sql_transaction
    "55P03": "busy",  # lock_not_available
    "40P01": "busy",  # deadlock_detected
    "XX001": "damaged",
    "XX002": "damaged",
}
_AWAY: Final = ("08", "28", "3D", "53", "57P")
"""Prefixes of PostgreSQL's codes for connections, sign-in, resources and shutdown."""
_DISK: Final[Mapping[int, Ailment]] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",  # a limit of the account, as of `ulimit -f`
    errno.EROFS: "read-only",
}
_LITTLE: Final = 65_536
"""Bytes without which SQLite cannot open a database: its shared memory takes half of them."""


def watch(engine: sa.Engine) -> None:
    """Raise `StoreError` wherever a database reports trouble of the whole store."""
    place = _place(engine.url)

    def translate(context: sa.engine.ExceptionContext) -> None:
        if context.is_pre_ping:  # a connection that a restart ended is replaced by a new one
            return
        ailment = _ailment(context.original_exception, engine.url)
        if ailment is not None:
            raise trouble(ailment, place, detail=str(context.original_exception))

    sa.event.listen(engine, "handle_error", translate)


def trouble(ailment: Ailment, place: str, *, detail: str = "") -> StoreError:
    """Error about a store, with the remedy.

    Examples
    --------
    >>> print(trouble("away", "postgresql://db/ocrjury", detail="connection refused"))
    ... # doctest: +NORMALIZE_WHITESPACE
    The store at postgresql://db/ocrjury cannot be opened: connection refused. Mount its disk or
    start its server, or name another store in OCRJURY_HOME or OCRJURY_DATABASE_URL.
    """
    lines = detail.strip().splitlines() or ["no answer"]
    reason = lines[0][:_LONGEST].rstrip(". ")
    return StoreError(ailment, f"The store at {place} {REMEDIES[ailment].format(detail=reason)}")


def is_trouble(error: BaseException) -> bool:
    """Return whether an error is of the whole store or its disk, and may be over at the next try.

    Examples
    --------
    >>> is_trouble(OSError(errno.ENOSPC, "No space left on device")), is_trouble(KeyError("d1"))
    (True, False)
    """
    if isinstance(error, OSError):
        return ailment_of_disk(error) is not None
    return isinstance(error, StoreError | sa.exc.OperationalError)


def ailment_of_disk(error: OSError) -> Ailment | None:
    """Ailment of a whole disk by an operating system's error, None if it is about one file."""
    return _DISK.get(error.errno or 0)


def _ailment(error: BaseException | None, url: sa.URL) -> Ailment | None:
    """Trouble that an error of a driver reports; None if it is that of one statement."""
    if isinstance(error, sqlite3.Error):
        return ailment_of_sqlite(getattr(error, "sqlite_errorcode", 0), Path(url.database or ""))
    if type(error).__module__.partition(".")[0] == "psycopg":
        return _of_postgresql(getattr(error, "sqlstate", None), type(error).__name__)
    return None


def ailment_of_sqlite(code: int, file: Path) -> Ailment | None:
    """Ailment of a file's disk by an error code of SQLite; None if it is of one statement."""
    if code & _PRIMARY not in _UNCLEAR:
        return _SQLITE.get(code & _PRIMARY)
    folder = file.parent
    if not folder.is_dir():
        return "away"
    if shutil.disk_usage(folder).free < _LITTLE or _are_files_limited():
        return "full"
    if not os.access(folder, os.W_OK) or (file.exists() and not os.access(file, os.W_OK)):
        return "read-only"
    return "away"


def _are_files_limited() -> bool:
    """Return whether files of this process are limited in size, which looks like a broken disk."""
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY


def _of_postgresql(state: str | None, kind: str) -> Ailment | None:
    if state is None:  # nothing came back from a server
        return "away" if kind in ("OperationalError", "ConnectionTimeout") else None
    return _POSTGRESQL.get(state) or ("away" if state.startswith(_AWAY) else None)


def _place(url: sa.URL) -> str:
    """Place of a database, without who signs in."""
    if url.get_backend_name() == "sqlite":
        return url.database or "memory"
    return f"postgresql://{url.host or url.query.get('host', '')}/{url.database or ''}"
