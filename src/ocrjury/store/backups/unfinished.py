"""A folder that is not finished yet: under a hidden name, and at most one process writes it."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ocrjury.errors import InputError


@contextmanager
def unfinished(folder: Path) -> Iterator[Path]:
    """Yield an empty folder that is removed at the end; what a kill left of an earlier one goes.

    Raises
    ------
    InputError
        If another process is writing it.
    """
    folder.mkdir(mode=0o700, exist_ok=True, parents=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        _lock(lock, folder)
        _empty(folder)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


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
