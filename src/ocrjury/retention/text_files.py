"""Files of a home that hold texts or pictures of documents; nothing outside it is looked at."""

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ocrjury.errors import StateError
from ocrjury.readers.cells import COLUMNS
from ocrjury.store.database import Connection, reading
from ocrjury.store.files import keep_numbers
from ocrjury.store.purges import configs_of_pool
from ocrjury.store.workspace import Store

FOLDERS = ("sheets", "scoring")
"""Folders of a home with one folder for each evaluation: handed-out sheets, half-scored pools."""
DAY = 86_400.0
SETTLED = 600.0
"""No file takes a living process so many seconds."""
_TEXTS = ("reference", "hypothesis", "image")


class FileCount(NamedTuple):
    """A folder of a home, and how many files it held."""

    folder: str
    files: int


def home_of(store: Store) -> Path:
    """Folder of everything in a store."""
    return store.files.folder.parent


def folders_of(store: Store, evaluation: str) -> list[FileCount]:
    """Folders of an evaluation that are there."""
    folders = []
    for name in FOLDERS:
        path = home_of(store) / name / evaluation
        if path.is_dir():
            files = sum(entry.is_file() for entry in path.rglob("*"))
            folders.append(FileCount(f"{name}/{evaluation}", files))
    return folders


def remove_folder(store: Store, folder: str) -> None:
    """Remove a folder that `folders_of` named.

    Raises
    ------
    OSError
        Part of it cannot be removed.
    StateError
        A link leads out of the home, where nothing is removed.
    """
    path = (home_of(store) / folder).resolve()
    if not path.exists() or folder.partition("/")[0] not in FOLDERS:
        return
    if not path.is_relative_to(home_of(store).resolve()):
        raise StateError(
            f"{home_of(store) / folder} lies outside the home, at {path}: remove it, then do this "
            "again."
        )
    _remove_tree(path)


def _remove_tree(path: Path) -> None:
    """Remove a folder whole; what somebody else removes meanwhile is gone as well."""

    def fail(_remove: object, _path: str, raised: Any) -> None:
        if not isinstance(raised[1], FileNotFoundError):
            raise raised[1]

    shutil.rmtree(path, onerror=fail)


def keep_pool_numbers(store: Store, address: str) -> None:
    """Write the numbers of a pool beside it, for when it is removed; that may take a while."""
    with reading(store.engine) as connection:
        named = _named(connection, address)
    keep_numbers(store.files, address, named=named)


def find_halves(store: Store, *, seconds: float = SETTLED) -> list[Path]:
    """Files, and folders of them, that a process began to write and died over.

    Parameters
    ----------
    seconds
        How long nobody has touched them; processes of another machine cannot be asked.
    """
    return sorted(
        path for path in store.files.folder.glob(".*.*") if _is_abandoned(path, seconds=seconds)
    )


def remove_halves(store: Store, *, seconds: float = SETTLED) -> int:
    """Remove what `find_halves` finds; return how many there were."""
    halves = find_halves(store, seconds=seconds)
    for path in halves:
        if path.is_dir() and not path.is_symlink():
            _remove_tree(path)
        else:
            path.unlink(missing_ok=True)
    return len(halves)


def _named(connection: Connection, address: str) -> Sequence[str]:
    """Columns with words that later steps need: no texts, and no names of pictures."""
    known = [column.name for column in COLUMNS if column.name not in _TEXTS]
    for config in configs_of_pool(connection, address):
        pool = config.pool
        known += [config.sampling.stratum or "", *pool.judged_columns, *pool.auxiliaries]
    return [name for name in known if name not in _TEXTS]


def _is_abandoned(path: Path, *, seconds: float) -> bool:
    """Return whether the process that a half-written file names is gone, or the file a day old."""
    try:
        age = time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return False
    if age > DAY:
        return True
    pid = path.name.rpartition(".")[2]
    if age < seconds or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
