"""A folder that is not finished yet: under a hidden name, and at most one process writes it."""

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ocrjury.errors import InputError


@contextmanager
def unfinished(folder: Path) -> Iterator[Path]:
    """Yield an empty folder that is removed at the end; what a kill left of an earlier one goes.

    Raises
    ------
    InputError
        If another process is writing it, or another account or a link has its name.
    """
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
    lock = _open_own(folder)
    try:
        _lock(lock, folder)
        _empty(folder)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


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
        raise InputError(f"another process is writing {folder}; wait until it ends.") from error


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
