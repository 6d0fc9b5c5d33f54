"""Fingerprints of the outputs that two evaluations judged; hashes outlast the texts."""

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from ocrjury.evaluation.case import Case
from ocrjury.store.files import FileStore, iter_texts

_BITS = 128


def outputs_of(case: Case) -> str | None:
    """Hash of the texts of an evaluation's pool, None where they are removed."""
    return _of_snapshot(case.work.store.files, str(case.row.pool_hash))


@lru_cache(maxsize=16)  # an address names one content for ever
def _of_snapshot(files: FileStore, address: str) -> str | None:
    try:
        return outputs_hash(iter_texts(files, address))
    except FileNotFoundError:
        return None


def outputs_hash(texts: Iterable[tuple[str, str | None]]) -> str:
    """Hash of which text was read of which document, whatever their order.

    Examples
    --------
    >>> both = outputs_hash([("a", "one"), ("b", None)])
    >>> both == outputs_hash([("b", None), ("a", "one")])
    True
    >>> both == outputs_hash([("a", "one"), ("b", "")])
    False
    """
    total = 0
    for name, text in texts:
        mark = "-" if text is None else f"+{text}"
        whole = f"{len(name)}:{name}{mark}".encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(whole, digest_size=_BITS // 8).digest()
        total = (total + int.from_bytes(digest, "big")) % (1 << _BITS)
    return f"{total:0{_BITS // 4}x}"
