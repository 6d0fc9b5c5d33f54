"""Zip archives, guarded against bombs."""

import struct
import zipfile
from typing import IO, Any

from ocrjury.errors import InputError
from ocrjury.readers.sources import guarded

_MAX_DIRECTORY = 128 << 20
"""Largest directory of an archive, in bytes: about a million files. It is read as a whole."""

_END = b"PK\x05\x06"
_END64_LOCATOR = b"PK\x06\x07"
_LONGEST_END = 22 + 0xFFFF
_LOCATOR_SIZE = 20


def is_archive(file: IO[bytes]) -> bool:
    """Whether an open file is a zip archive; closes it."""
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
