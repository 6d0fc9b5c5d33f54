"""Files and folders that appear under their name whole or not at all.

What is written lies hidden beside its place until it is complete and on the disk. A full disk or a
kill leaves what stood there before; what a killed process left hidden, the next writer removes.
"""

import errno
import fcntl
import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

_TRIES = 100
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def whole_file(path: Path, *, new: bool = False, mode: int = 0o666) -> Iterator[Path]:
    """Yield the path of an empty hidden file, which takes its place when the block ends well.

    Parameters
    ----------
    path
        The place, in an existing folder. A pipe or a device is written to as it is.
    new
        Raise `FileExistsError` instead of replacing what somebody else put there.
    mode
        Mode of a file that replaces none, less what the process's umask takes away.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    path = path.resolve()  # a link goes on to point at its file
    with ExitStack() as stack:
        try:
            part, descriptor = _locked(path, stack, lambda part: _new_file(part, mode))
        except OSError as error:  # named by the file that was asked for
            raise OSError(error.errno, error.strerror, str(path)) from error
        granted = stat.S_IMODE(os.fstat(descriptor).st_mode)
        os.fchmod(descriptor, 0o600)  # nobody else reads what may not be for everybody
        with _naming(path):
            yield part
            os.fsync(descriptor)
        with suppress(FileNotFoundError):
            granted = stat.S_IMODE(path.stat().st_mode)
        os.fchmod(descriptor, granted)
        (_claim if new else os.replace)(part, path)
        _sync_folder(path.parent)


def write_whole(path: Path, body: bytes | str, *, new: bool = False, mode: int = 0o666) -> None:
    """Write a file, a text in UTF-8, whole or not at all; as `whole_file`."""
    with whole_file(path, new=new, mode=mode) as part:
        part.write_bytes(body.encode() if isinstance(body, str) else body)


@contextmanager
def whole_text(
    path: Path, *, encoding: str = "utf-8", new: bool = False, mode: int = 0o666
) -> Iterator[IO[str]]:
    """Yield a text file that ends lines as it is told; as `whole_file`."""
    with (
        whole_file(path, new=new, mode=mode) as part,
        part.open("w", encoding=encoding, newline="") as file,
    ):
        yield file


def copy_whole(source: Path, path: Path) -> Path:
    """Copy the content of a file, whole or not at all; return the path of the copy."""
    with whole_file(path) as part:
        shutil.copyfile(source, part)
    return path


@contextmanager
def hidden_folder(beside: Path) -> Iterator[Path]:
    """Yield a new folder beside a path, for files that move from there into their places.

    It is gone when the block ends; one whose process was killed goes with the next one.
    """
    with ExitStack() as stack:
        folder = _locked(beside, stack, _new_folder)[0]
        with _naming(beside):
            yield folder


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Name the place on a full disk; the system names none, or the file that is copied there."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _locked(path: Path, stack: ExitStack, make: Callable[[Path], int]) -> tuple[Path, int]:
    """New hidden file or folder, locked for as long as this process lives; removed at the end."""
    _sweep(path)
    for _ in range(_TRIES):
        part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.{os.getpid()}")
        descriptor = make(part)
        with suppress(OSError):  # a file system without locks; there, nothing is swept
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            stack.callback(os.close, descriptor)
            stack.callback(_remove, part)
            return part, descriptor
        os.close(descriptor)  # another writer swept it before the lock was ours
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(path))


def _new_file(part: Path, mode: int) -> int:
    return os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)


def _new_folder(part: Path) -> int:
    part.mkdir(mode=0o700)
    return os.open(part, os.O_RDONLY)


def _claim(part: Path, path: Path) -> None:
    """Give a file its name unless another has it; a link, unlike a move, never replaces one."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        part.replace(path)


def _sweep(path: Path) -> None:
    """Remove what killed processes left hidden beside a path."""
    left = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{8}}\.\d+")
    with os.scandir(path.parent) as entries:
        parts = [Path(entry.path) for entry in entries if left.fullmatch(entry.name)]
    for part in parts:
        with suppress(OSError):  # its process lives and holds the lock, or it is gone already
            descriptor = os.open(part, os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(part)
            finally:
                os.close(descriptor)


def _remove(part: Path) -> None:
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        part.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can tell."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
