"""Rows as cells of one type per column, and these as CSV and as Parquet."""

import io
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.export.columns import Column, Table
from ocrjury.pages.document_text import harmless
from ocrjury.ratings.csv_tables import write_table

Row = Mapping[str, object]
Cell = str | float | int | bool | None
_MAKERS: Mapping[str, Callable[[Any], Cell]] = {
    "text": str,
    "number": float,
    "integer": int,
    "flag": bool,
}


class Filled(NamedTuple):
    """A table with its rows; ``columns`` are those that it has in this export."""

    table: Table
    columns: tuple[Column, ...]
    rows: list[tuple[Cell, ...]]

    def to_json(self) -> list[dict[str, Cell]]:
        """Rows by the names of their columns."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


def fill(table: Table, rows: Iterable[Row]) -> Filled:
    """Table with its rows; what a row does not say is empty."""
    given = list(rows)
    known = {column.name: column for column in table.columns}
    for name in dict.fromkeys(name for row in given for name in row):
        column = table.column(name)
        if column is None:
            raise KeyError(f"{table.name} has no column {name!r}")
        known.setdefault(name, replace(column, name=name))
    columns = tuple(known.values())
    cells = [tuple(_cell(column, row.get(column.name)) for column in columns) for row in given]
    return Filled(table, columns, cells)


def estimate_cells(estimate: Estimate) -> dict[str, object]:
    """Cells of an estimate; where it lacks something, the reason says why."""
    body = estimate.to_json()
    body.pop("few", None)  # a column of tables of estimates, which set it themselves
    body.pop("n_effective", None)  # for the gate; the weights are in the table of items
    body.pop("gold_corrected", None)  # the method says it
    reason = body["reason"]
    if reason is None and not estimate.defined:
        reason = "not_computed"
    elif reason is None and math.isnan(estimate.low):
        reason = "no_interval"
    return {
        **body,
        "method": estimate.method or None,
        "reason": reason,
        "warnings": " ".join(estimate.warnings) or None,
    }


def csv_of(filled: Filled) -> bytes:
    """Table as CSV that neither a spreadsheet nor a terminal takes for anything but text.

    A text that a spreadsheet would run has an apostrophe before it; controls and direction
    overrides are shown by their code points.
    """
    file = io.StringIO(newline="")
    header = [str(harmless(column.name)) for column in filled.columns]
    write_table(file, header, (map(_printed, row) for row in filled.rows))
    return file.getvalue().encode()


def parquet_of(filled: Filled) -> bytes:
    """Table as Parquet, every text as it is; columns bear their meaning and unit."""
    import pyarrow as pa  # noqa: PLC0415  # heavy: the command line imports this package
    import pyarrow.parquet as pq  # noqa: PLC0415

    types = {
        "text": pa.string(),
        "number": pa.float64(),
        "integer": pa.int64(),
        "flag": pa.bool_(),
    }
    fields, arrays = [], []
    for place, column in enumerate(filled.columns):
        cells: list[Any] = [row[place] for row in filled.rows]
        named = column.type == "rating" and any(isinstance(cell, str) for cell in cells)
        if named:
            cells = [None if cell is None else str(cell) for cell in cells]
        kind = types.get(column.type, pa.string() if named else pa.float64())
        about = {"description": column.meaning, "unit": column.unit}
        fields.append(pa.field(column.name, kind, metadata=about))
        arrays.append(pa.array(cells, type=kind))
    schema = pa.schema(fields, metadata={"description": filled.table.row})
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), sink)
    return sink.getvalue()


def _cell(column: Column, value: Any) -> Cell:
    """Value as its column wants it; what is no number is empty."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if column.type == "rating":
        return value if isinstance(value, str) else _short(float(value))
    return _MAKERS[column.type](value)


def _short(value: float) -> float | int:
    """Whole number without a fraction."""
    return int(value) if value.is_integer() else value


def _printed(cell: Cell) -> object:
    """Cell as CSV has it."""
    if isinstance(cell, bool):
        return str(cell).lower()
    return harmless(cell)
