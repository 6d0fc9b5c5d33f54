"""A backup of a store that is in use: its database as of one moment, and its files."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import ocrjury
from ocrjury.errors import InputError
from ocrjury.store.backups.checking import Checked, check_backup, count_rows
from ocrjury.store.backups.copying import Tick, copy_rows
from ocrjury.store.backups.manifest import (
    DATABASE,
    FILES,
    FileEntry,
    Manifest,
    copy_file,
    entry_of,
    sync,
    write_manifest,
)
from ocrjury.store.backups.rules import open_unchanging
from ocrjury.store.backups.unfinished_folder import unfinished
from ocrjury.store.database import (
    Engine,
    make_engine,
    open_database,
    reading,
    revision_of,
    writing,
)
from ocrjury.store.migrations import HEAD
from ocrjury.store.workspace import FILES_FOLDER, SHEETS_KEY

_WAIT_SECONDS = 30
_UNFINISHED = ".ocrjury-backup.unfinished"
"""Beside the backup; one name for all, so that the next one removes what a kill left."""


def write_backup(
    folder: Path, *, home: Path, database_url: str, now: datetime, tick: Tick
) -> Checked:
    """Write a backup of the store in a home, and check it; others may go on writing to the store.

    The folder appears when everything is in it and on the disk. It holds whatever was committed
    before the call. The database comes first: a file that a row names was there before the row.

    Parameters
    ----------
    folder
        It must not exist, or be empty.

    Raises
    ------
    InputError
        If the folder holds something, or the backup does not pass its check.
    """
    folder = folder.absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} holds something already; give each backup a folder of its own.")
    if folder.is_symlink() or folder.is_mount():  # neither can be replaced
        raise InputError(f"{folder} is a link, or the top of a disk; name a new folder in it.")
    with unfinished(folder.with_name(_UNFINISHED), place=folder) as part:
        source = _copy_database(database_url, part / DATABASE, tick=tick)
        files = _copy_files(home / FILES_FOLDER, part / FILES, tick=tick)
        if (home / SHEETS_KEY).exists():
            files[SHEETS_KEY] = copy_file(home / SHEETS_KEY, part / SHEETS_KEY)
        write_manifest(part, _manifest(part, source, files, now=now))
        checked = check_backup(part, tick=tick)
        for path in (*part.iterdir(), part):
            sync(path)
        part.rename(folder)
        sync(folder.parent)
    return checked


def _manifest(part: Path, source: str, files: dict[str, FileEntry], *, now: datetime) -> Manifest:
    with open_unchanging(part / DATABASE) as connection:
        tables = count_rows(connection)
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    files = {DATABASE: entry_of(part / DATABASE), **files}
    return Manifest(ocrjury.__version__, revision, source, now, tables, files)


def _copy_database(url: str, target: Path, *, tick: Tick) -> str:
    """Write a database as of one moment into an SQLite file; return which kind it is."""
    engine = make_engine(url)
    try:
        with reading(engine) as connection:
            revision = revision_of(connection)
        if revision is None:
            raise InputError("the database has no tables of ocrjury: there is nothing to back up.")
        if engine.dialect.name == "sqlite":
            _copy_file(Path(engine.url.database or ""), target)
            tick(DATABASE)
        else:
            _copy_server(engine, revision, target, tick=tick)
    finally:
        engine.dispose()
    return engine.dialect.name


def _copy_file(source: Path, target: Path) -> None:
    """Copy an SQLite database: one statement sees one state, and keeps nobody from writing."""
    with closing(sqlite3.connect(source, timeout=_WAIT_SECONDS)) as connection:
        connection.execute("VACUUM INTO ?", (str(target),)).close()


def _copy_server(engine: Engine, revision: str, target: Path, *, tick: Tick) -> None:
    """Copy all rows of a PostgreSQL database in one transaction that sees one state."""
    if revision != HEAD:
        raise InputError(
            f"the tables of this database have version {revision!r} and this ocrjury works with "
            f"{HEAD!r}. Back it up with the ocrjury that wrote it, or upgrade it first: "
            "`ocrjury status` does."
        )
    one_state = engine.execution_options(
        isolation_level="REPEATABLE READ", postgresql_readonly=True
    )
    copy = open_database(f"sqlite:///{target}")
    try:
        with one_state.begin() as source, writing(copy) as connection:
            copy_rows(source, connection, tick=tick)
    finally:
        copy.dispose()
    with closing(sqlite3.connect(target)) as alone:  # one file, without a log beside it
        alone.execute("PRAGMA journal_mode=DELETE").close()


def _copy_files(source: Path, target: Path, *, tick: Tick) -> dict[str, FileEntry]:
    """Copy the files of a store, but those that somebody is still writing.

    A folder among them is none of a store, such as the lost+found of a disk.
    """
    target.mkdir()
    entries = {}
    paths = source.iterdir() if source.is_dir() else ()
    for name in sorted(path.name for path in paths if not path.is_dir()):
        if name.startswith("."):
            continue
        try:
            entries[f"{FILES}/{name}"] = copy_file(source / name, target / name)
        except FileNotFoundError:  # removed by a purge meanwhile
            (target / name).unlink(missing_ok=True)
        tick(name)
    return entries
