"""Files too large for memory, taken into a store under the name that their content gives."""

import hashlib
import os
from pathlib import Path

from ocrjury.store.files import FileStore

_BLOCK = 1 << 20


def adopt_file(files: FileStore, path: Path, *, kind: str, suffix: str) -> str:
    """Return the address of a file, moved into the store; `FileStore.put` would name it alike.

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
