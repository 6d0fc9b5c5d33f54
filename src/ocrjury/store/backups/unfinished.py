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
        if not _is_at(lock, folder):  # the other process gave it its name before it let go
            raise InputError(_written_by_another(folder))
        _empty(folder)
        try:
            yield folder
        finally:
            if _is_at(lock, folder):  # what has its name by now, the next process is writing
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
        raise InputError(_written_by_another(folder)) from error


def _written_by_another(folder: Path) -> str:
    return f"another process is writing {folder}; wait until it ends."


def _is_at(descriptor: int, folder: Path) -> bool:
    """Whether a folder that was opened still has its name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), folder.lstat())
    return False


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
