"""Records of a Parquet file, read in batches that fit into memory."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ocrjury.errors import InputError
from ocrjury.readers.cells import check_columns, own_names
from ocrjury.readers.limits import MAX_LINE
from ocrjury.readers.sources import Place, open_binary

_BATCH_ROWS = 10_000
_BATCH_BYTES = 64 << 20
_BUFFER = 1 << 20  # without it, each column of a row group is read whole
_ALWAYS_ALLOWED = 64 << 20
_RATIO = 200
"""Largest ratio of a column's unpacked to its packed size."""


def parquet_records(place: Place) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number, counted from 1, and the named cells of every row."""
    with open_binary(place) as file:
        try:
            number = 0
            for batch in _batches(file, str(place)):
                for record in batch.to_pylist():
                    number += 1
                    yield number, record
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{place} is not a readable Parquet file: {error}.") from error


def count_rows(place: Place) -> int | None:
    """Number of rows by a file's metadata, None if it is not a Parquet file."""
    with open_binary(place) as file:
        try:
            return int(pq.read_metadata(file).num_rows)
        except (pa.ArrowException, OSError):
            return None


def _batches(file: Any, name: str) -> Iterator[pa.RecordBatch]:
    """Yield batches of rows, smaller ones where texts are long.

    Texts are read as indices into a dictionary, because a few bytes on disk can stand for one text
    repeated in gigabytes of rows. Memory holds the distinct texts of one row group.
    """
    schema = pq.read_schema(file)
    check_columns(own_names(schema.names), name)
    texts = [
        column.name
        for column in schema
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    ]
    table = pq.ParquetFile(file, read_dictionary=texts, buffer_size=_BUFFER)
    _check_growth(table.metadata, name)
    done = 0
    for batch in table.iter_batches(batch_size=_BATCH_ROWS):
        for start, length in _slices(batch, name, done):
            yield _plain(batch.slice(start, length))
        done += len(batch)


def _check_growth(metadata: Any, name: str) -> None:
    """Reject a file that unpacks like a bomb."""
    for group in range(metadata.num_row_groups):
        for place in range(metadata.num_columns):
            column = metadata.row_group(group).column(place)
            size = column.total_uncompressed_size
            if size > _ALWAYS_ALLOWED and size > _RATIO * max(column.total_compressed_size, 1):
                raise InputError(
                    f"{name} unpacks to more than {_RATIO} times its size, which text never does; "
                    "it is not read."
                )


def _slices(batch: pa.RecordBatch, name: str, done: int) -> Iterator[tuple[int, int]]:
    """Yield first row and number of rows of parts of about `_BATCH_BYTES`."""
    sizes = np.zeros(len(batch), dtype=np.int64)
    for column in batch.columns:
        sizes += _lengths(column)
    long = np.flatnonzero(sizes > MAX_LINE)
    if len(long):
        raise InputError(
            f"{name}, row {done + int(long[0]) + 1}: more than {MAX_LINE:,} bytes of text, which "
            "no page has."
        )
    part = np.cumsum(sizes) // _BATCH_BYTES
    starts = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist()]
    for start, end in zip(starts, [*starts[1:], len(batch)], strict=True):
        if end > start:
            yield start, end - start


def _lengths(column: pa.Array) -> Any:
    """Bytes of each text of a column; 0 for other columns."""
    if not pa.types.is_dictionary(column.type):
        return 0
    lengths = pc.binary_length(column.dictionary).fill_null(0)
    sizes = pc.take(lengths, column.indices).fill_null(0)
    return sizes.to_numpy(zero_copy_only=False).astype(np.int64)


def _plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Batch with texts instead of indices."""
    columns = [
        column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)
