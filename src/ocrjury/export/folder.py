"""A folder of files that belong together, written whole or not at all."""

import errno
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from ocrjury.errors import InputError
from ocrjury.whole_files import hidden_folder, write_whole

_INSIDE: Final = "export"
_LEFT = re.compile(rf"\.{_INSIDE}\.[0-9a-f]{{8}}\.\d+")
"""Names of the files that a killed process leaves in a folder; the next export removes them."""
_ANOTHER_DISK = (errno.EXDEV, errno.EACCES, errno.EPERM, errno.EROFS)


def check_folder(folder: Path, *, names: Collection[str], mark: str) -> None:
    """Refuse a folder that holds anything but an earlier export.

    Parameters
    ----------
    names
        Files that an export writes.
    mark
        The one of them by which a folder is known to be an export.

    Raises
    ------
    InputError
        Names what was found, and what to do.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file; --out names a folder.")
    names_there = (path.name for path in folder.iterdir())
    present = sorted(name for name in names_there if not _LEFT.fullmatch(name))
    others = [name for name in present if name not in names or (folder / name).is_dir()]
    if others:
        raise InputError(
            f"{folder} holds something else than an export: {_some(others)}. Nothing was written; "
            "name an empty or a new folder."
        )
    if present and mark not in present:
        raise InputError(
            f"{folder} holds {_some(present)}, but no {mark}: no export wrote them. Nothing was "
            "written; name an empty or a new folder."
        )


def write_folder(folder: Path, bodies: Mapping[str, bytes], *, mark: str, last: str) -> None:
    """Write the files of an export; those of an earlier one are replaced.

    All are written beside the folder first, or inside of one that is a disk of its own, such as a
    volume of a container. The ``mark`` then goes in before the others, and the ``last`` one after
    them: where it stands, the export is complete.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()  # a link to a folder goes on to point at it
    order = (mark, *(name for name in bodies if name not in {mark, last}), last)
    try:
        _write(folder, bodies, order, beside=folder)
    except OSError as error:
        if error.errno not in _ANOTHER_DISK or not folder.is_dir():
            raise
        _write(folder, bodies, order, beside=folder / _INSIDE)


def _write(
    folder: Path, bodies: Mapping[str, bytes], order: Collection[str], *, beside: Path
) -> None:
    """Write the files into a hidden folder, then move them into theirs in order."""
    *_, last = order
    with hidden_folder(beside) as part:
        for name, body in bodies.items():
            write_whole(part / name, body)
        folder.mkdir(exist_ok=True)
        (folder / last).unlink(missing_ok=True)
        for name in order:
            (part / name).replace(folder / name)


def _some(names: list[str]) -> str:
    """First few names."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(map(repr, names[:3])) + more
