"""Files that are named by their content, so that writing one twice is harmless."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FileStore:
    """A folder of files; a name never changes its content."""

    folder: Path

    def put(self, body: bytes, *, kind: str, suffix: str) -> str:
        """Write a file with this content, at most once, and return its address.

        Parameters
        ----------
        body
            The content.
        kind
            First word of the name, for people who look into the folder.
        suffix
            End of the name with its dot.
        """
        name = f"{kind}-{hashlib.sha256(body).hexdigest()[:32]}{suffix}"
        path = self.folder / name
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            # A reader sees the whole file or none, also after a power cut.
            part = path.with_name(f".{name}.{os.getpid()}")
            with part.open("wb") as file:
                file.write(body)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        return name

    def path(self, address: str) -> Path:
        """Path of the file at an address."""
        return self.folder / Path(address).name


def content_hash(body: bytes) -> str:
    """SHA-256 of a content."""
    return hashlib.sha256(body).hexdigest()


_BLOCK = 1 << 20


def adopt_file(files: FileStore, path: Path, *, kind: str, suffix: str) -> str:
    """Move a file into the store and return its address, the same that `FileStore.put` would give.

    Parameters
    ----------
    path
        On the same disk as the store; it is gone afterwards.
    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
        os.fsync(file.fileno())
    name = f"{kind}-{digest.hexdigest()[:32]}{suffix}"
    files.folder.mkdir(parents=True, exist_ok=True)
    path.replace(files.folder / name)
    return name
