"""Files of a path: one file, a folder, an archive or a pattern, local or at any address."""

import contextlib
import glob
import os
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

from ocrjury.errors import InputError
from ocrjury.readers.addresses import check_address, is_address
from ocrjury.readers.patient_files import system_at
from ocrjury.readers.sources import (
    PathLike,
    Source,
    address_errors,
    guarded,
    open_local,
)

_MAX_DIRECTORY = 128 << 20
"""Largest directory of an archive, in bytes: about a million files. It is read as a whole."""

_OFFICE = {"[Content_Types].xml", "META-INF/manifest.xml"}  # in workbooks and documents
_END = b"PK\x05\x06"
_END64_LOCATOR = b"PK\x06\x07"
_LONGEST_END = 22 + 0xFFFF
_LOCATOR_SIZE = 20
_MAGIC = frozenset("*?[")
_LITTER = {"Thumbs.db", "desktop.ini", "__MACOSX"}


class FileSet(NamedTuple):
    """Files of a pool, ordered by name."""

    name: str
    files: list[Source]
    single: bool


def find_files(path: PathLike) -> FileSet:
    """Files of a path; for a folder all files below it except hidden ones.

    A path with ``*``, ``?`` or ``[]`` is a pattern unless a file has that name; ``**`` matches
    folders at any depth. A zip archive is treated as a folder.
    """
    name = os.fspath(path)
    if is_address(name):
        return _at_address(name)
    place = Path(name)
    if place.is_dir():
        return FileSet(name, _sorted(_walk(place), place), single=False)
    if _MAGIC & set(name) and not place.exists():
        # Path.glob takes no absolute pattern, and yields hidden files.
        names = glob.iglob(name, recursive=True)  # noqa: PTH207
        visible = (
            match for match in names if Path(match).is_file() and not _is_litter(Path(match).name)
        )
        return FileSet(name, _sorted(visible, _base(name)), single=False)
    if place.exists() and is_archive(open_local(place)):
        return _in_archive(name, open_local(place))
    return FileSet(name, [local_source(place, place.parent)], single=True)


def root_of(path: PathLike) -> str:
    """Folder or address that names of files start from in a pool, such as those of its images.

    Examples
    --------
    >>> root_of("/scans/*/p1.hocr"), root_of("/scans/pool.jsonl"), root_of("s3://bucket/pool.csv")
    ('/scans', '/scans', 's3://bucket')
    """
    name = os.fspath(path)
    if is_address(name):
        return name.rpartition("/")[0]
    # A place that cannot be reached, as on a server that is away, is no error here.
    if os.path.isdir(name):  # noqa: PTH112
        return name
    if _MAGIC & set(name) and not os.path.exists(name):  # noqa: PTH110
        return str(_base(name))
    return str(Path(name).parent)


def local_source(path: Path, root: Path) -> Source:
    """Local file."""

    def sibling(name: str) -> Source | None:
        beside = path.with_name(name)
        return local_source(beside, root) if beside.is_file() else None

    relative = Path(os.path.relpath(path, root)).as_posix()
    return Source(str(path), relative, lambda: open_local(path), sibling)


def _walk(folder: Path) -> Iterator[str]:
    """Yield the files below a folder; links to folders are not followed."""
    for inner, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not _is_litter(name)]
        for name in files:
            if not _is_litter(name):
                yield str(Path(inner, name))


def _is_litter(name: str) -> bool:
    """Return whether a file or folder is hidden or was created by a file manager."""
    return name.startswith(".") or name in _LITTER


def _sorted(names: Iterator[str], root: Path) -> list[Source]:
    """Local files, ordered by name."""
    return [local_source(Path(name), root) for name in sorted(names)]


def _base(pattern: str) -> Path:
    """Folder above the first part of a path that is a pattern."""
    parts = Path(pattern).parts
    first = next(place for place, part in enumerate(parts) if _MAGIC & set(part))
    return Path(*parts[:first])


def _at_address(address: str) -> FileSet:
    """Files at an address of fsspec."""
    with address_errors(address):
        check_address(address)
        system, path = system_at(address)
        if _MAGIC & set(path) and not system.exists(path):
            root = str(_base(path).as_posix()).removeprefix(".")
            return FileSet(address, _remote(system, system.glob(path), root=root), single=False)
        if system.isdir(path):
            return FileSet(address, _remote(system, system.find(path), root=path), single=False)
        source = _remote_source(system, path, root=str(PurePosixPath(path).parent))
        if not system.exists(path):
            raise InputError(f"{address} cannot be opened: no such file.")
        if path.lower().endswith(".zip") and is_archive(source.opener()):
            return _in_archive(address, source.opener())
    return FileSet(address, [source._replace(name=address)], single=True)


def _in_archive(name: str, file: IO[bytes]) -> FileSet:
    """Files in a zip archive."""
    import fsspec  # noqa: PLC0415  # only remote pools and archives need it

    with address_errors(name):
        with contextlib.ExitStack() as stack:
            stack.callback(file.close)
            check_archive(file, name)
            system = fsspec.filesystem("zip", fo=file)
            stack.pop_all()  # it stays open for the members
        paths = system.find("")
        if not _OFFICE.isdisjoint(paths):
            raise InputError(
                f"{name} is a file of an office program, such as a workbook; save its sheet as CSV "
                "in UTF-8."
            )
        files = _remote(system, paths, root="", prefix=f"{name}/")
    return FileSet(name, files, single=False)


def _remote(system: Any, paths: list[str], *, root: str, prefix: str | None = None) -> list[Source]:
    """Files of a file system of fsspec, ordered by name."""
    shown = [
        path
        for path in sorted(paths)
        if not any(map(_is_litter, PurePosixPath(_below(path, root)).parts))
    ]
    return [_remote_source(system, path, root=root, prefix=prefix) for path in shown]


def _remote_source(system: Any, path: str, *, root: str, prefix: str | None = None) -> Source:
    name = system.unstrip_protocol(path) if prefix is None else f"{prefix}{path}"

    def sibling(beside: str) -> Source | None:
        other = str(PurePosixPath(path).with_name(beside))
        if not system.exists(other):
            return None
        return _remote_source(system, other, root=root, prefix=prefix)

    return Source(name, _below(path, root), _opener(system, path, name), sibling)


def _opener(system: Any, path: str, name: str) -> Callable[[], IO[bytes]]:
    def opened() -> IO[bytes]:
        with address_errors(name):
            return open_member(system, path, name)

    return opened


def _below(path: str, root: str) -> str:
    return path.removeprefix(root.rstrip("/")).lstrip("/") if root not in ("", ".") else path


def is_archive(file: IO[bytes]) -> bool:
    """Return whether an open file is a zip archive; closes it."""
    with file:
        return file.read(4) in (b"PK\x03\x04", _END)


def check_archive(file: IO[bytes], name: str) -> None:
    """Reject an archive whose directory is too large to read."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _LONGEST_END - _LOCATOR_SIZE))
    tail = file.read()
    place = tail.rfind(_END)
    if place < 0 or len(tail) - place < 22:
        raise InputError(f"{name} is a damaged zip archive: its end is missing.")
    directory = struct.unpack_from("<L", tail, place + 12)[0]
    if tail.startswith(_END64_LOCATOR, max(place - _LOCATOR_SIZE, 0)):
        offset = struct.unpack_from("<Q", tail, place - _LOCATOR_SIZE + 8)[0]
        file.seek(min(offset + 40, size))
        directory = int.from_bytes(file.read(8), "little")
    file.seek(0)
    if directory > _MAX_DIRECTORY:
        raise InputError(f"{name} lists too many files for a zip archive; unpack it.")


def open_member(system: Any, path: str, name: str) -> IO[bytes]:
    """Open file of a file system; a file in an archive is guarded against bombs."""
    opened: IO[bytes] = system.open(path, "rb")
    archive = getattr(system, "zip", None)
    if not isinstance(archive, zipfile.ZipFile):
        return opened
    packed = archive.getinfo(path).compress_size
    return guarded(opened, name, packed=lambda: packed)
