"""Signatures: a row or a sheet that this store did not write, or that somebody changed, is found.

The key lies in the store's folder, for its owner alone. Whoever imports on another machine needs
the same file there.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict

from ocrjury.campaign.content_hashes import canonical_json
from ocrjury.errors import InputError
from ocrjury.store.workspace import SHEETS_KEY, Store
from ocrjury.whole_files import write_whole

_SIZE = 32
MANIFEST = "manifest"
"""Title of the hidden sheet."""
FORMAT = "ocrjury-sheet-1"


class Manifest(BaseModel):
    """Manifest of a sheet: its rater and its round, signed, on a hidden sheet of the workbook.

    Attributes
    ----------
    rows
        How many items it was handed out with.
    sessions
        Whether it has a column of sessions.
    exported_at
        ISO time.
    """

    model_config = ConfigDict(frozen=True)

    evaluation: str
    round: int
    rater: str
    rubric_hash: str
    language: str
    rows: int
    sessions: bool
    exported_at: str
    version: str

    def cells(self, key: bytes) -> list[tuple[str, str]]:
        """Names and texts to be written, with the signature; programs change numbers."""
        texts = {
            name: {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            for name, value in self.model_dump().items()
        }
        facts = {"format": FORMAT, **texts}
        return [*facts.items(), ("signature", signature(key, facts))]

    @classmethod
    def read(cls, cells: Mapping[str, str], *, key: bytes) -> Self:
        """Manifest that `cells` wrote; `InputError` if incomplete, changed, or of another store."""
        facts = {name: cells.get(name, "") for name in ("format", *cls.model_fields)}
        if facts["format"] != FORMAT:
            raise InputError(
                f"its hidden sheet {MANIFEST!r} says it is {facts['format'][:40]!r} and not "
                f"{FORMAT!r}; it is not a sheet of `ocrjury sheets export` of this version"
            )
        if not signed(key, facts, cells.get("signature", "")):
            raise InputError(
                f"its hidden sheet {MANIFEST!r} was changed, or another store wrote it (its key is "
                "in the file sheets.key of that store's folder)"
            )
        return cls.model_validate(facts)


def signing_key(store: Store) -> bytes:
    """Key of a store; the first call makes it, readable by its owner alone.

    `InputError` if the file holds something else.
    """
    path = store.files.folder.parent / SHEETS_KEY
    if not path.exists():
        _make(path)
    key = path.read_bytes()
    if len(key) != _SIZE:
        raise InputError(
            f"{path} holds {len(key)} bytes and no key of {_SIZE}. Restore it from a backup; "
            "without it, sheets that were handed out cannot be imported."
        )
    return key


def row_key(key: bytes, assignment: str) -> str:
    """Name of a row: it tells nothing, and nobody without the key can make one.

    It begins with a letter, because spreadsheets take ``1e5`` for a number.

    Examples
    --------
    >>> row_key(bytes(32), "claims-2026w47/1/R01/0/d7")
    'k-ovfld5gsyowfs742'
    """
    return f"k-{base64.b32encode(_mac(key, 'row', assignment)[:10]).decode().lower()}"


def signature(key: bytes, facts: Mapping[str, object]) -> str:
    """Signature of plain facts, whatever their order."""
    return _mac(key, "sheet", canonical_json(facts)).hex()


def signed(key: bytes, facts: Mapping[str, object], text: str) -> bool:
    """Return whether a signature is that of these facts, in constant time."""
    return hmac.compare_digest(signature(key, facts).encode(), text.encode())


def image_name(key: bytes, *parts: str) -> str:
    """Name for a picture that tells nothing of the file it was made of."""
    return f"p-{_mac(key, 'image', *parts).hex()[:16]}"


def _mac(key: bytes, purpose: str, *parts: str) -> bytes:
    """Code that only the key can make; a purpose's codes are of no use elsewhere."""
    return hmac.new(key, "\n".join((purpose, *parts)).encode(), hashlib.sha256).digest()


def _make(path: Path) -> None:
    """Make a key; of two processes that do so at once, both use the first one's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        write_whole(path, secrets.token_bytes(_SIZE), new=True, mode=0o600)
