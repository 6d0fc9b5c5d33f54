"""A folder of this machine in which other accounts may write, too: their links lead nowhere.

Whoever may write beside a report may put a link where a file of it will come, and whoever follows
it changes a file of the account that publishes.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

from fsspec.implementations.local import LocalFileSystem

from ocrjury.errors import InputError


class SharedFolder(LocalFileSystem):  # type: ignore[misc]  # fsspec has no types
    """The local file system, with new files that are nobody else's."""

    cachable = False

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **_: Any) -> None:  # noqa: ARG002  # as its base
        """Write a new file, as open as its folder, in place of whatever has its name."""
        Path(path).unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(value)
            os.fchmod(file.fileno(), open_as(Path(path).parent) & 0o666)
            file.flush()
            os.fsync(file.fileno())


def open_as(folder: Path) -> int:
    """Mode that lets whoever may read a folder read what lies in it.

    Other files of ours are for one account, but what is published is for those who come here.
    """
    return stat.S_IMODE(folder.stat().st_mode)


def make_folders(folder: Path, *, root: Path) -> None:
    """Make a folder and those above it; inside the root they are as open as the root."""
    if folder == root:
        folder.mkdir(parents=True, exist_ok=True)
    elif not folder.exists():
        make_folders(folder.parent, root=root)
        folder.mkdir(exist_ok=True)
        folder.chmod(open_as(folder.parent))


def refuse_links(path: Path, *, root: Path) -> None:
    """Refuse a path on which a link lies below the root, or that leads to a pipe or a device.

    Raises
    ------
    InputError
        The sentence names it.
    """
    for folder in (path, *path.parents):
        if folder == root:
            return
        with suppress(FileNotFoundError, NotADirectoryError):
            mode = folder.lstat().st_mode
            if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                raise InputError(
                    f"{folder} is a link, a pipe or a device. Remove it, or publish to a folder in "
                    "which only you write."
                )
