"""Files that are named by their content, so that writing one twice is harmless; scored pools."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.store.damaged_files import HASH_LENGTH, gone, is_whole, readable_table
from ocrjury.whole_files import whole_file, write_whole

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class FileStore:
    """A folder of files; a name never changes its content."""

    folder: Path

    def put(self, body: bytes, *, kind: str, suffix: str) -> str:
        """Write a file with this content, unless it is there and whole, and return its address.

        Parameters
        ----------
        body
            The content.
        kind
            First word of the name, for people who look into the folder.
        suffix
            End of the name with its dot.
        """
        name = f"{kind}-{hashlib.sha256(body).hexdigest()[:HASH_LENGTH]}{suffix}"
        path = self.folder / name
        if not is_whole(path):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, body)
        return name

    def path(self, address: str) -> Path:
        """Path of the file at an address."""
        return self.folder / Path(address).name


def content_hash(body: bytes) -> str:
    """SHA-256 of a content."""
    return hashlib.sha256(body).hexdigest()


_BLOCK = 1 << 20
_TEXTS, _NUMBERS = "pool-", "numbers-"


def adopt_pool(files: FileStore, path: Path) -> str:
    """Move a scored pool into the store and return its address; the same pool has the same.

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
    name = f"{_TEXTS}{digest.hexdigest()[:HASH_LENGTH]}.parquet"
    files.folder.mkdir(parents=True, exist_ok=True)
    path.replace(files.folder / name)
    return name


_CELLS = 100_000
"""Number of values read at once: a small pool is one piece, one of a million goes by columns."""


def read_snapshot(
    files: FileStore, address: str, *, without: Collection[str] = ()
) -> "pd.DataFrame":
    """Read a scored pool; after a purge it has no column with a text of a document.

    Parameters
    ----------
    without
        Columns that are not read.
    """
    return _of_snapshot(files, address, lambda path: read_columns(path, lambda n: n not in without))


def read_documents(files: FileStore, address: str, doc_ids: Collection[str]) -> "pd.DataFrame":
    """Read some documents of a scored pool, in the memory of a few row groups."""
    import pyarrow as pa  # noqa: PLC0415  # heavy: the web process imports this package
    import pyarrow.compute as pc  # noqa: PLC0415  # as above
    import pyarrow.parquet as pq  # noqa: PLC0415  # as above

    def read(path: Path) -> "pd.DataFrame":
        with pq.ParquetFile(path) as file:
            wanted = pa.array(doc_ids, file.schema_arrow.field("doc_id").type)
            groups = map(file.read_row_group, range(file.num_row_groups))
            parts = [group.filter(pc.is_in(group["doc_id"], wanted)) for group in groups]
        documents: pd.DataFrame = pa.concat_tables(parts).to_pandas()
        return documents

    return _of_snapshot(files, address, read)


def iter_texts(files: FileStore, address: str) -> Iterator[tuple[str, str | None]]:
    """Yield name and text of every document of a scored pool, in the memory of a batch.

    Raises
    ------
    FileNotFoundError
        If a purge has removed the texts.
    """
    import pyarrow.parquet as pq  # noqa: PLC0415  # heavy: the web process imports this package

    path = files.path(address)
    with readable_table(path), pq.ParquetFile(path) as file:
        for batch in file.iter_batches(columns=["doc_id", "hypothesis"]):
            names, texts = (batch[name].to_pylist() for name in ("doc_id", "hypothesis"))
            yield from zip(names, texts, strict=True)


def _of_snapshot(
    files: FileStore, address: str, read: "Callable[[Path], pd.DataFrame]"
) -> "pd.DataFrame":
    """Read a pool, or its numbers where its texts are removed; `InputError` if neither can be."""
    for path in (files.path(address), files.path(numbers_address(address))):
        with contextlib.suppress(FileNotFoundError), readable_table(path):
            return read(path)
    raise gone(files.path(address))


def read_columns(path: Path, wanted: Callable[[str], bool]) -> "pd.DataFrame":
    """Read columns of a Parquet file, a few at a time, so in little more memory than they take."""
    import pandas as pd  # noqa: PLC0415  # heavy: the web process imports this package
    import pyarrow.parquet as pq  # noqa: PLC0415  # as above

    with pq.ParquetFile(path) as file:
        names = list(filter(wanted, file.schema_arrow.names))
        at_once = max(1, _CELLS // max(1, file.metadata.num_rows))
        parts = [
            file.read(columns=names[first : first + at_once], use_threads=False).to_pandas()
            for first in range(0, len(names), at_once)
        ]
    frame: pd.DataFrame = pd.concat(parts, axis=1)
    return frame


def numbers_address(address: str) -> str:
    """Address of a pool's numbers once its texts are removed.

    >>> numbers_address("pool-0123.parquet")
    'numbers-0123.parquet'
    """
    return _NUMBERS + address.removeprefix(_TEXTS)


def keep_numbers(files: FileStore, address: str, *, named: Collection[str]) -> None:
    """Write a pool's numbers beside it: what is no text, and the columns that are named.

    Nothing is written where the pool itself is gone already.

    Parameters
    ----------
    named
        Columns that may hold words, such as the type of a document; others with words are left out.
    """
    import pyarrow as pa  # noqa: PLC0415  # as above
    import pyarrow.parquet as pq  # noqa: PLC0415

    source, target = files.path(address), files.path(numbers_address(address))
    if not source.exists():
        return
    with whole_file(target) as part, readable_table(source), pq.ParquetFile(source) as pool:
        kept = [field for field in pool.schema_arrow if _stays(field.type) or field.name in named]
        with pq.ParquetWriter(part, pa.schema(kept), compression="zstd") as writer:
            for batch in pool.iter_batches(columns=[field.name for field in kept]):
                columns = [batch.column(field.name) for field in kept]
                writer.write_batch(pa.record_batch(columns, schema=pa.schema(kept)))


def _stays(kind: object) -> bool:
    """Return whether a column of a type cannot hold a text."""
    import pyarrow.types as pt  # noqa: PLC0415  # as above

    return bool(pt.is_floating(kind) or pt.is_integer(kind) or pt.is_boolean(kind))
