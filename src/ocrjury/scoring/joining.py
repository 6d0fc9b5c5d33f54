"""Scored batches as one Parquet file, in constant memory.

The types of a pool's own columns are those of a batch, so two batches may disagree; the file has
the type that holds both, which is the one that reading the pool at once would give.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ocrjury.whole_files import whole_file

_EXACT = 1 << 53
"""Whole numbers up to it are fractions without rounding."""


def join_batches(parts: Sequence[Path], target: Path) -> int:
    """Write the rows of all files, in order, to one file; return how many there are.

    The same rows in the same batches give the same bytes.
    """
    schema = _schema_of_all(parts)
    rows = 0
    with whole_file(target) as part, pq.ParquetWriter(part, schema, compression="zstd") as writer:
        for path in parts:
            table = _as(pq.read_table(path), schema)
            writer.write_table(table)
            rows += table.num_rows
    return rows


def _schema_of_all(parts: Sequence[Path]) -> pa.Schema:
    filled: dict[str, set[pa.DataType]] = {}
    declared: dict[str, set[pa.DataType]] = {}
    files: Counter[str] = Counter()
    long: set[str] = set()
    for path in parts:
        metadata = pq.read_metadata(path)
        with_values = _filled_columns(metadata)
        long |= _columns_of_long_numbers(metadata)
        for field in pq.read_schema(path):
            files[field.name] += 1
            kind = {field.type} - {pa.null()}
            declared[field.name] = declared.get(field.name, set()) | kind
            filled[field.name] = filled.get(field.name, set()) | (
                kind if field.name in with_values else set()
            )
    return pa.schema(
        [
            # A batch without values does not determine the type, unless no batch has values.
            (name, _common_type(types, everywhere=files[name] == len(parts), long=name in long))
            for name, kinds in declared.items()
            for types in [filled[name] or kinds]
        ]
    )


def _filled_columns(metadata: pq.FileMetaData) -> set[str]:
    """Columns of a file with a value other than null."""
    filled: set[str] = set()
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for place in range(row_group.num_columns):
            column = row_group.column(place)
            counts = column.statistics
            if (
                counts is None
                or not counts.has_null_count
                or counts.null_count < row_group.num_rows
            ):
                filled.add(column.path_in_schema.partition(".")[0])
    return filled


def _columns_of_long_numbers(metadata: pq.FileMetaData) -> set[str]:
    """Columns of a file with a whole number that fractions would round."""
    long: set[str] = set()
    for group in range(metadata.num_row_groups):
        for place in range(metadata.num_columns):
            column = metadata.row_group(group).column(place)
            counts = column.statistics
            ends = (counts.min, counts.max) if counts is not None and counts.has_min_max else ()
            if any(isinstance(end, int) and abs(end) > _EXACT for end in ends):
                long.add(column.path_in_schema)
    return long


def _common_type(types: set[pa.DataType], *, everywhere: bool, long: bool) -> pa.DataType:
    """Type that holds all values of a column, of which ``long`` ones are text beside fractions."""
    if not types:
        return pa.large_string()
    if len(types) == 1:
        (only,) = types
        # Where a batch lacks the column its whole numbers are missing, and become fractions.
        if only != pa.int64() or everywhere:
            return only
    if types <= {pa.int64(), pa.float64()} and not long:
        return pa.float64()
    return pa.large_string()


def _as_text(number: float | None) -> str | None:
    """Number as text, whole ones with all their digits; Arrow writes 1e+11 for a long id."""
    if number is None:
        return None
    return str(int(number)) if abs(number) <= _EXACT and number.is_integer() else repr(number)


def _as(table: pa.Table, schema: pa.Schema) -> pa.Table:
    columns = []
    for field in schema:
        if field.name not in table.column_names:
            columns.append(pa.nulls(table.num_rows, field.type))
            continue
        column = table.column(field.name)
        if column.null_count == len(column):
            columns.append(pa.nulls(table.num_rows, field.type))
        elif pa.types.is_floating(column.type) and pa.types.is_large_string(field.type):
            columns.append(pa.array(map(_as_text, column.to_pylist()), field.type))
        else:
            columns.append(pc.cast(column, field.type))
    return pa.table(columns, schema=schema)
