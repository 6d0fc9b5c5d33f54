"""Checks of a backup: every file is as it was written, and the database is whole."""

import re
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ocrjury.errors import InputError
from ocrjury.store.backups.copying import Tick
from ocrjury.store.backups.manifest import (
    DATABASE,
    FILES,
    MANIFEST,
    VERSION,
    Manifest,
    entry_of,
    read_manifest,
)
from ocrjury.store.backups.rules import broken_rules, named_files, open_unchanging
from ocrjury.store.workspace import SHEETS_KEY

_SHOWN = 5
_IN_PLACE = re.compile(rf"{re.escape(DATABASE)}|{re.escape(SHEETS_KEY)}|{FILES}/[^/]+")
_ADDRESS = re.compile(rf"{FILES}/(?!numbers-)[a-z_-]+-([0-9a-f]{{32}})\.[a-z.]+")


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
        listed = _listed(problems, between="; ")
        raise InputError(f"the backup in {folder} is damaged: {listed}. Use another one.")
    rules = broken_rules(folder / DATABASE, manifest.revision)
    lost = _lost_files(folder, manifest)
    return Checked(manifest, (*_damaged_files(manifest), *lost, *rules))


def _listed(names: list[str], *, between: str) -> str:
    rest = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return between.join(names[:_SHOWN]) + rest


def _check_files(folder: Path, manifest: Manifest, *, tick: Tick) -> list[str]:
    """Problems of the files; none is opened but those that a backup consists of."""
    paths = [path for path in folder.rglob("*") if not _is(stat.S_ISDIR, path)]
    present = {path.relative_to(folder).as_posix() for path in paths} - {MANIFEST}
    strange = [
        f"{name} is no plain file" if in_place else f"{name} is in no place of a backup"
        for name in sorted(present)
        if not (in_place := _IN_PLACE.fullmatch(name)) or not _is(stat.S_ISREG, folder / name)
    ]
    if strange:
        return strange
    named = {DATABASE, *manifest.files}
    problems = [f"{name} is missing" for name in sorted(named - present)]
    problems += [f"{name} is not in {MANIFEST}" for name in sorted(present - manifest.files.keys())]
    for name in sorted(present & manifest.files.keys()):
        if entry_of(folder / name) != manifest.files[name]:
            problems.append(f"{name} has changed")
        tick(name)
    return problems


def _is(kind: Callable[[int], bool], path: Path) -> bool:
    """Return whether a path itself is of a kind, not its link's target."""
    return kind(path.lstat().st_mode)


def _check_database(folder: Path, manifest: Manifest) -> list[str]:
    """Problems of the database as a file."""
    with open_unchanging(folder / DATABASE) as connection:
        try:
            (whole,) = connection.execute("PRAGMA integrity_check").fetchone()
            if whole != "ok":
                return [f"{DATABASE}: {whole}"]
            counts = count_rows(connection)
            if VERSION not in counts:
                return [f"{DATABASE} holds no tables of ocrjury"]
            (revision,) = connection.execute(f"SELECT max(version_num) FROM {VERSION}").fetchone()  # noqa: S608  # ours
        except sqlite3.DatabaseError as error:
            return [f"{DATABASE}: {error}"]
    if revision != manifest.revision:
        return [f"{DATABASE} has another version of the tables than {MANIFEST}"]
    return [f"{DATABASE} has other numbers of rows than {MANIFEST}"] * (counts != manifest.tables)


def _damaged_files(manifest: Manifest) -> Iterator[str]:
    """Yield the files whose name is not that of their content."""
    for name, entry in manifest.files.items():
        address = _ADDRESS.fullmatch(name)
        if address and not entry.sha256.startswith(address[1]):
            yield f"{name} is damaged"


def _lost_files(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Yield what rows name and the store does not hold, as one whose home was not mounted."""
    named = named_files(folder / DATABASE, manifest.revision)
    lost = [name for name in named if f"{FILES}/{name}" not in manifest.files]
    if lost:
        yield f"{FILES} lacks {_listed(lost, between=', ')}"


def count_rows(connection: sqlite3.Connection) -> dict[str, int]:
    """Number of rows of every table, whatever its version is."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    return {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608  # ours
        for (name,) in names
    }
