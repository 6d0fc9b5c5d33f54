"""What makes a backup worth keeping: every file is as it was written, and the database is whole."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import sqlalchemy as sa

from ocrjury.errors import InputError
from ocrjury.store.audit_chain import verify_chain
from ocrjury.store.backups.copying import Tick
from ocrjury.store.backups.manifest import (
    DATABASE,
    FILES,
    MANIFEST,
    Manifest,
    entry_of,
    read_manifest,
)
from ocrjury.store.migrations import HEAD
from ocrjury.store.schema.creation import create_tables

_SHOWN = 5
_ADDRESS = re.compile(rf"{FILES}/(?!numbers-)[a-z_-]+-([0-9a-f]{{32}})\.[a-z.]+")
_GAPS = """
    SELECT count(*) FROM (
        SELECT 1 FROM ratings GROUP BY assignment, dimension
        HAVING min(rev) <> 1 OR max(rev) <> count(*)
    )"""


class Checked(NamedTuple):
    """A backup that is as it was written.

    Attributes
    ----------
    faults
        What was wrong with the store already when the backup was made.
    """

    manifest: Manifest
    faults: tuple[str, ...]


def check_backup(folder: Path, *, tick: Tick) -> Checked:
    """Check a backup against its manifest, and its database against the rules of a store.

    Raises
    ------
    InputError
        If it is no backup, or is damaged; the sentence names what.
    """
    manifest = read_manifest(folder)
    problems = _check_files(folder, manifest, tick=tick) or _check_database(folder, manifest)
    if problems:
        rest = f" and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        listed = "; ".join(problems[:_SHOWN])
        raise InputError(f"the backup in {folder} is damaged: {listed}{rest}. Use another one.")
    return Checked(manifest, (*_damaged_files(manifest), *_broken_rules(folder, manifest)))


def _check_files(folder: Path, manifest: Manifest, *, tick: Tick) -> list[str]:
    """What is wrong with the files."""
    there = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()
    } - {MANIFEST}
    problems = [f"{name} is missing" for name in sorted(manifest.files.keys() - there)]
    problems += [f"{name} is not in {MANIFEST}" for name in sorted(there - manifest.files.keys())]
    for name in sorted(there & manifest.files.keys()):
        if entry_of(folder / name) != manifest.files[name]:
            problems.append(f"{name} has changed")
        tick(name)
    return problems


def _check_database(folder: Path, manifest: Manifest) -> list[str]:
    """What is wrong with the database as a file."""
    with open_unchanging(folder / DATABASE) as connection:
        try:
            (whole,) = connection.execute("PRAGMA integrity_check").fetchone()
            if whole != "ok":
                return [f"{DATABASE}: {whole}"]
            counts = count_rows(connection)
        except sqlite3.DatabaseError as error:
            return [f"{DATABASE}: {error}"]
    return [f"{DATABASE} has other numbers of rows than {MANIFEST}"] * (counts != manifest.tables)


def _damaged_files(manifest: Manifest) -> Iterator[str]:
    """Yield the files whose name is not that of their content."""
    for name, entry in manifest.files.items():
        address = _ADDRESS.fullmatch(name)
        if address and not entry.sha256.startswith(address[1]):
            yield f"{name} is damaged"


def _broken_rules(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the rules about rows that never change which the store no longer keeps."""
    with open_unchanging(folder / DATABASE) as connection:
        if connection.execute("PRAGMA foreign_key_check").fetchone():
            yield "rows refer to missing ones"
        (gaps,) = connection.execute(_GAPS).fetchone()
        if gaps:
            yield "earlier revisions of ratings are missing, which are never removed"
        if manifest.revision != HEAD:
            return
        missing = _guards() - _triggers(connection)
        if missing:
            yield f"nothing guards rows that never change: {', '.join(sorted(missing))} are missing"
    engine = sa.create_engine("sqlite://", creator=lambda: _connect(folder / DATABASE))
    try:
        broken = verify_chain(engine).broken
    finally:
        engine.dispose()
    if broken:
        yield f"the audit log was changed at line {broken.seq}"


def _connect(database: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(database.absolute()))}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True)


@contextmanager
def open_unchanging(database: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that writes nothing, not even beside the file."""
    with closing(_connect(database)) as connection:
        yield connection


def count_rows(connection: sqlite3.Connection) -> dict[str, int]:
    """Number of rows of every table, whatever its version is."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    return {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608  # ours
        for (name,) in names
    }


def _triggers(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    return {name for (name,) in rows}


@cache
def _guards() -> set[str]:
    """Triggers of a new database, which keep rows of human data as they are."""
    engine = sa.create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            create_tables(connection)
            rows = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type='trigger'")
            return set(rows.scalars())
    finally:
        engine.dispose()
