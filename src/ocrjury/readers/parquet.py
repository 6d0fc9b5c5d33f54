"""Records of a Parquet file, in batches of rows."""

from collections.abc import Iterator
from typing import Any

from ocrjury.errors import InputError
from ocrjury.readers.cells import check_columns, own_names
from ocrjury.readers.sources import PathLike, open_binary

_BATCH_ROWS = 10_000


def parquet_records(path: PathLike) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield row number, counted from 1, and named cells of every row."""
    import pyarrow as pa  # noqa: PLC0415  # a second of import that other formats need not pay
    import pyarrow.parquet as pq  # noqa: PLC0415

    with open_binary(path) as file:
        try:
            table = pq.ParquetFile(file)
            check_columns(own_names(table.schema_arrow.names), str(path))
            number = 0
            for batch in table.iter_batches(batch_size=_BATCH_ROWS):
                for record in batch.to_pylist():
                    number += 1
                    yield number, record
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{path} is no readable Parquet file: {error}.") from error
