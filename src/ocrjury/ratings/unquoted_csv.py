"""Cells of CSV text in which no cell is quoted, column by column."""

import csv
from operator import methodcaller

from ocrjury.ratings.csv_rows import check_distinct_cells

_LONG = 1 << 20  # characters from which Arrow's parser is worth its import


def unquoted_columns(text: str, separator: str, *, source: object) -> list[list[str]] | None:
    """Cells column by column where no cell is quoted and all rows are as long, else None.

    Raises
    ------
    InputError
        If too many cells of a long text differ.
    """
    text = text.replace("\r\n", "\n").rstrip("\n")
    first = text.partition("\n")[0]
    if any(sign in text for sign in '"\r\0') or not first.replace(separator, "").strip():
        return None
    width = first.count(separator) + 1
    if len(text) <= _LONG:
        return _split(text, separator, width)
    return _split_by_arrow(text, separator, width, source=source)


def _split(text: str, separator: str, width: int) -> list[list[str]] | None:
    """Cells of text without quotes; None unless all rows have this width."""
    lines = text.split("\n")
    if (
        set(map(methodcaller("count", separator), lines)) != {width - 1}
        or max(map(len, lines)) > csv.field_size_limit()
    ):
        return None
    cells = text.replace("\n", separator).split(separator)
    return [cells[place::width] for place in range(width)]


def _split_by_arrow(
    text: str, separator: str, width: int, *, source: object
) -> list[list[str]] | None:
    """The same for long text; equal cells of a column are one object, which later steps use."""
    import numpy as np  # noqa: PLC0415  # only long files need Arrow
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import csv as arrow  # noqa: PLC0415

    if width > 1 and "\n\n" in text:  # Arrow would fill the empty row
        return None
    words = pa.dictionary(pa.int32(), pa.string())
    names = [str(place) for place in range(width)]
    try:
        table = arrow.read_csv(
            pa.py_buffer(text.encode()),
            read_options=arrow.ReadOptions(use_threads=False, column_names=names),
            parse_options=arrow.ParseOptions(
                delimiter=separator, quote_char=False, ignore_empty_lines=False
            ),
            convert_options=arrow.ConvertOptions(column_types=dict.fromkeys(names, words)),
        )
    except (pa.ArrowInvalid, UnicodeEncodeError):  # rows of unequal length
        return None
    table = table.unify_dictionaries()
    sizes = (len(column.chunk(0).dictionary) for column in table.columns)
    check_distinct_cells(sum(sizes), source=source)
    columns = []
    for column in table.columns:
        distinct = column.chunk(0).dictionary.to_pylist()
        if max(map(len, distinct)) > csv.field_size_limit():
            return None
        codes = np.concatenate([chunk.indices.to_numpy() for chunk in column.chunks])
        columns.append(np.array(distinct, dtype=object)[codes].tolist())
    return columns
