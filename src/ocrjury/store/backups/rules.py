"""Rules that the database of a backup keeps, or no longer keeps, as every store does."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from ocrjury.store.audit_chain import verify_chain
from ocrjury.store.migrations import HEAD
from ocrjury.store.schema.creation import create_tables

_GAPS = """
    SELECT count(*) FROM (
        SELECT 1 FROM ratings GROUP BY assignment, dimension
        HAVING min(rev) <> 1 OR max(rev) <> count(*)
    )"""
_NAMED = """
    SELECT pool_hash FROM evaluations WHERE pool_hash IS NOT NULL
    UNION SELECT html_uri FROM reports
    UNION SELECT pdf_uri FROM reports WHERE pdf_uri IS NOT NULL
    ORDER BY 1"""
_ACTING = "SELECT name, type, sql FROM sqlite_master WHERE type IN ('trigger', 'view')"
"""Triggers and views of a database; without them it only holds rows."""


@contextmanager
def open_unchanging(database: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that writes nothing, not even beside the file."""
    with closing(_connect(database)) as connection:
        yield connection


def _connect(database: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(database.absolute()))}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True)


def broken_rules(database: Path, revision: str | None) -> Iterator[str]:
    """Yield the rules of a store that a database no longer keeps."""
    with open_unchanging(database) as connection:
        if connection.execute("PRAGMA foreign_key_check").fetchone():
            yield "rows refer to missing ones"
        (gaps,) = connection.execute(_GAPS).fetchone()
        if gaps:
            yield "earlier revisions of ratings are missing, which are never removed"
        if revision != HEAD:
            return
        missing = _guards().keys() - _acting(connection).keys()
        if missing:
            yield f"nothing guards rows that never change: {', '.join(sorted(missing))} are missing"
    yield from foreign_parts(database)
    engine = sa.create_engine("sqlite://", creator=lambda: _connect(database))
    try:
        broken = verify_chain(engine).broken
    finally:
        engine.dispose()
    if broken:
        yield f"the audit log was changed at line {broken.seq}"


def named_files(database: Path, revision: str | None) -> list[str]:
    """Files that rows name and no purge has removed; none of another version of the tables."""
    if revision != HEAD:
        return []
    with open_unchanging(database) as connection:
        removed = [body for (body,) in connection.execute("SELECT body FROM purges")]
        names = [name for (name,) in connection.execute(_NAMED)]
    return [name for name in names if not any(name in body for body in removed)]


def foreign_parts(database: Path) -> Iterator[str]:
    """Yield what a database of this version would do by itself and ocrjury did not tell it to."""
    with open_unchanging(database) as connection:
        for name, (kind, sql) in sorted(_acting(connection).items()):
            if _guards().get(name) != (kind, sql):
                yield f"the database has the {kind} {name}, which ocrjury does not make"


def _acting(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """Kind and statement of every trigger and view, by name."""
    return {name: (kind, sql) for name, kind, sql in connection.execute(_ACTING).fetchall()}


@cache
def _guards() -> Mapping[str, tuple[str, str]]:
    """Triggers of a new database, which keep rows of human data as they are."""
    engine = sa.create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            create_tables(connection)
            rows = connection.exec_driver_sql(_ACTING).all()
            return {name: (kind, sql) for name, kind, sql in rows}
    finally:
        engine.dispose()
