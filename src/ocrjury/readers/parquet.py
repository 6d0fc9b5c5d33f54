"""Records of a Parquet file, read in batches that fit into memory."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_CHARACTERS
from ocrjury.readers.cells import checked_columns
from ocrjury.readers.limits import check_growth
from ocrjury.readers.problems import LONG_ROW, SHORTER_ROWS, Problems
from ocrjury.readers.sources import Place, open_binary

_BATCH_ROWS = 10_000
_BATCH_BYTES = 64 << 20
_BUFFER = 1 << 20  # without it, each column of a row group is read whole
_LONGEST = 4 * MAX_CHARACTERS
"""Bytes in which no more characters than a row may have can be written."""


def parquet_records(
    place: Place, problems: Problems, *, references: bool = False
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number, counted from 1, and the named cells of every row.

    A row with more text than a pool takes is a problem, and is not unpacked.
    """
    with open_binary(place) as file:
        try:
            checked_columns(pq.read_schema(file).names, str(place), references=references)
            for numbers, batch in _batches(file, str(place), problems):
                yield from zip(numbers, batch.to_pylist(), strict=True)
        except (pa.ArrowException, OSError) as error:
            why = str(error).rstrip(".")
            raise InputError(f"{place} is not a readable Parquet file: {why}.") from error


def count_rows(place: Place) -> int | None:
    """Number of rows by a file's metadata, None if it is not a Parquet file."""
    with open_binary(place) as file:
        try:
            return int(pq.read_metadata(file).num_rows)
        except (pa.ArrowException, OSError):
            return None


def _batches(
    file: Any, name: str, problems: Problems
) -> Iterator[tuple[list[int], pa.RecordBatch]]:
    """Yield the numbers of rows and the rows, few at a time where texts are long.

    Texts are read as indices into a dictionary, because a few bytes on disk can stand for one text
    repeated in gigabytes of rows. Memory holds the distinct texts of one row group.
    """
    schema = pq.read_schema(file)
    texts = [
        column.name
        for column in schema
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    ]
    table = pq.ParquetFile(file, read_dictionary=texts, buffer_size=_BUFFER)
    _check_growth(table.metadata, name)
    done = 0
    for batch in table.iter_batches(batch_size=_BATCH_ROWS):
        sizes = _sizes(batch)
        for row in np.flatnonzero(sizes > _LONGEST).tolist():
            problems.add(done + row + 1, LONG_ROW, remedy=SHORTER_ROWS)
        rows = np.flatnonzero(sizes <= _LONGEST)
        for part in _parts(sizes[rows]):
            chosen = rows[part]
            yield (done + chosen + 1).tolist(), _plain(batch.take(pa.array(chosen)))
        done += len(batch)


def _check_growth(metadata: Any, name: str) -> None:
    """Reject a file that unpacks like a bomb."""
    for group in range(metadata.num_row_groups):
        for place in range(metadata.num_columns):
            column = metadata.row_group(group).column(place)
            check_growth(
                column.total_uncompressed_size, packed=column.total_compressed_size, name=name
            )


def _sizes(batch: pa.RecordBatch) -> NDArray[np.int64]:
    """Bytes of text of each row, shape (n,)."""
    sizes = np.zeros(len(batch), dtype=np.int64)
    for column in batch.columns:
        sizes += _lengths(column)
    return sizes


def _parts(sizes: NDArray[np.int64]) -> Iterator[slice]:
    """Yield slices of rows of about `_BATCH_BYTES`."""
    part = np.cumsum(sizes) // _BATCH_BYTES
    ends = [*(np.flatnonzero(np.diff(part)) + 1).tolist(), len(sizes)]
    for start, end in zip([0, *ends], ends, strict=False):
        if end > start:
            yield slice(start, end)


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
