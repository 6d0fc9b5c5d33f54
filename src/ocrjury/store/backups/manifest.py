"""The manifest of a backup: what lies in it, with a hash of every file."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import AwareDatetime

from ocrjury.errors import InputError
from ocrjury.findings.record import Record

DATABASE, FILES, MANIFEST = "ocrjury.db", "files", "manifest.json"
"""Parts of a backup: its database, its folder of files, and its manifest."""
VERSION = "alembic_version"
"""Table with the version of the others."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FileEntry(Record):
    """Size and hash of a file."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest(Record):
    """Contents of a backup.

    Attributes
    ----------
    ocrjury
        Version of the package that made it.
    revision
        Version of the tables.
    source
        Database that it was made from: ``sqlite`` or ``postgresql``.
    tables
        Number of rows of every table.
    files
        Every file but the manifest, by its path in the backup.
    """

    ocrjury: str
    revision: str | None
    source: str
    made_at: AwareDatetime
    tables: dict[str, int]
    files: dict[str, FileEntry]


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a backup; the caller lets the disk have it."""
    body = json.dumps(manifest.to_json(), indent=1, sort_keys=True)
    (folder / MANIFEST).write_text(f"{body}\n", "utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a backup.

    Raises
    ------
    InputError
        If the folder holds no backup, or one whose manifest is damaged.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise InputError(
            f"{folder} holds no backup: it has no {MANIFEST}. `ocrjury backup DIR` makes one."
        )
    try:
        return Manifest.from_json(json.loads(path.read_text("utf-8")))
    except (ValueError, RecursionError) as error:  # of JSON, of the record, or of the encoding
        raise InputError(f"{path} is damaged ({error}). Take another backup.") from error


def copy_file(source: Path, target: Path) -> FileEntry:
    """Copy a file onto the disk, and return its size and hash."""
    digest = hashlib.sha256()
    with source.open("rb") as original, target.open("wb") as copy:
        while block := original.read(_BLOCK):
            digest.update(block)
            copy.write(block)
        copy.flush()
        os.fsync(copy.fileno())
        return FileEntry(copy.tell(), digest.hexdigest())


def entry_of(path: Path) -> FileEntry:
    """Size and hash of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
        return FileEntry(file.tell(), digest.hexdigest())


def sync(path: Path) -> None:
    """Let the disk have a file, or the names in a folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
