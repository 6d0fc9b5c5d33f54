"""A folder that is not finished yet: under a hidden name, and at most one process writes it."""

import errno
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ocrjury.errors import InputError
from ocrjury.store.trouble import ailment_of_disk, ailment_of_sqlite


@contextmanager
def unfinished(folder: Path, *, place: Path) -> Iterator[Path]:
    """Yield an empty folder that is removed at the end; what a kill left of an earlier one goes.

    Parameters
    ----------
    place
        Where its content is to be in the end, on the same disk.

    Raises
    ------
    InputError
        If another process is writing it, or another account or a link has its name.
    OSError
        If the disk is full; it names the place.
    """
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
    lock = _open_own(folder)
    try:
        _lock(lock, folder)
        if not _is_at(lock, folder):  # the other process gave it its name before it let go
            raise InputError(_written_by_another(folder))
        _empty(folder)
        try:
            with _naming(place):
                yield folder
        finally:
            if _is_at(lock, folder):  # what has its name by now, the next process is writing
                shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


@contextmanager
def _naming(place: Path) -> Iterator[None]:
    """Name the place on a full disk: the system names no file, and SQLite the one it copies."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0)
        if ailment_of_sqlite(code, place) != "full":
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(place)) from error
    except OSError as error:
        if ailment_of_disk(error) != "full":
            raise
        raise OSError(error.errno, error.strerror, str(place)) from error


def _open_own(folder: Path) -> int:
    """Open a folder that nobody else prepared: what is in it goes, and people's data come."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR):
            raise
        raise InputError(_not_ours(folder)) from error
    if os.fstat(descriptor).st_uid != os.geteuid():
        os.close(descriptor)
        raise InputError(_not_ours(folder))
    return descriptor


def _not_ours(folder: Path) -> str:
    return f"{folder} is no folder of this account. Remove it, or choose another place."


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise InputError(_written_by_another(folder)) from error


def _written_by_another(folder: Path) -> str:
    return f"another process is writing {folder}; wait until it ends."


def _is_at(descriptor: int, folder: Path) -> bool:
    """Return whether a folder that was opened still has its name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), folder.lstat())
    return False


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
