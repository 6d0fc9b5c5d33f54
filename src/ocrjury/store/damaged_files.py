"""Files of a store that are damaged or gone: which one, what it holds, and what helps."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

from ocrjury.errors import InputError
from ocrjury.text_files import read_bytes

HASH_LENGTH = 32
"""Number of digits that a file's name has of the SHA-256 of its content."""

_HELD = {
    "pool": "the scored pool of an evaluation",
    "numbers": "the numbers of a pool whose texts were removed",
    "report": "a report",
}
_ANEW = {"report": ", or write the report anew: `ocrjury report NAME --again`"}


def unusable(path: Path, trouble: str) -> InputError:
    """Error about a stored file that cannot be used.

    Examples
    --------
    >>> print(unusable(Path("/srv/files/pool-01.parquet"), "is damaged"))
    ... # doctest: +NORMALIZE_WHITESPACE
    /srv/files/pool-01.parquet, the scored pool of an evaluation, is damaged. Put back the file of
    this name from the folder `files` of a backup, then do this again.
    """
    kind = path.name.partition("-")[0]
    return InputError(
        f"{path}, {_HELD.get(kind, 'a file of the store')}, {trouble}. Put back the file of this "
        f"name from the folder `files` of a backup, then do this again{_ANEW.get(kind, '')}."
    )


def gone(path: Path) -> InputError:
    """Error about a stored file that is not there, although no purge has removed it."""
    return unusable(path, "is gone")


@contextmanager
def readable_table(path: Path) -> Iterator[None]:
    """Turn what Arrow says of a damaged file into a sentence; what the disk says stays as it is."""
    import pyarrow as pa  # noqa: PLC0415  # heavy: the web process imports this package

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, FileNotFoundError) or getattr(error, "errno", None):
            raise
        raise unusable(path, "is damaged") from error


def read_stored(path: Path) -> bytes:
    """Content of a file that is named by it.

    Raises
    ------
    InputError
        If the file is gone or unreadable, or its content is not the one that its name was made of.
    """
    body = read_bytes(path, remedy="Render the report first.")
    if not holds_its_content(path, body):
        raise unusable(path, "is damaged")
    return body


def is_whole(path: Path) -> bool:
    """Return whether a file is there with the content that its name was made of."""
    return path.is_file() and holds_its_content(path, path.read_bytes())


def holds_its_content(path: Path, body: bytes) -> bool:
    """Return whether a name was made of this content."""
    return hashlib.sha256(body).hexdigest()[:HASH_LENGTH] == hash_of(path.name)


def hash_of(address: str) -> str:
    """Beginning of the SHA-256 of a stored file's content, as its address has it.

    Examples
    --------
    >>> hash_of("pool-0123abcd.parquet")
    '0123abcd'
    """
    return PurePath(address).stem.rpartition("-")[2]
