"""Files for one account: what ocrjury writes is read by nobody else on the machine."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OTHERS = 0o077
"""Permissions that an account's own files and folders deny to all other accounts."""


@contextmanager
def writing_privately() -> Iterator[None]:
    """Make every new file and folder of this process for its own account only."""
    before = os.umask(OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def keep_private(home: Path) -> None:
    """Make a home that no other account can look into, or close the one that is there.

    The home of another account stays as it is; `ocrjury doctor` says so.
    """
    if not home.is_dir():
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _is_open(home) and home.stat().st_uid == os.geteuid():
        _close(home)


def list_open(home: Path) -> list[Path]:
    """Home, files and folders that the mode opens to other accounts, the home first.

    What lies in a closed folder is reached by nobody, but a copy of it may be.
    """
    inside = (
        Path(folder, name)
        for folder, folders, files in os.walk(home)
        for name in (*folders, *files)
    )
    return [path for path in (home, *inside) if _is_open(path)]


def close_open(home: Path) -> int:
    """Close whatever in a home is open to other accounts; returns how many files and folders."""
    paths = list_open(home)
    for path in paths:
        _close(path)
    return len(paths)


def _is_open(path: Path) -> bool:
    """Return whether other accounts get something; a link has no mode of its own."""
    mode = path.lstat().st_mode
    return not stat.S_ISLNK(mode) and bool(mode & OTHERS)


def _close(path: Path) -> None:
    path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)
