"""Records of any format, checked and stored as one frame without unusable and repeated rows."""

import json
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_CHARACTERS, MAX_COLUMNS
from ocrjury.readers.cells import COLUMNS, CellError, Column, ambiguous_names, own_names
from ocrjury.readers.problems import (
    LONG_ROW,
    SHORTER_ROWS,
    Problems,
    Quarantine,
    RowProblems,
)
from ocrjury.readers.reading import Row

Hashes = NDArray[np.int64]

REPEATED_ID = "the doc_id of an earlier row"
REPEATED_ID_REMEDY = "Give each row its own; the fields of a page share page_id, not doc_id."
_REPEATED = f"{REPEATED_ID}. {REPEATED_ID_REMEDY}".rstrip(".")
_FEWER_COLUMNS = "Put further values into one column, as an object."
NAMELESS = "default"
"""System of outputs that name none."""
_BLOCK_ROWS = 10_000
_NAMES = frozenset(column.name for column in COLUMNS)
_DOCUMENT_TEXT = ("reference", "hypothesis")
_TEXT = tuple(c.name for c in COLUMNS if c.name not in ("confidence", "box"))


def pool_frame(records: Iterator[tuple[int, dict[str, Any]]], problems: Problems) -> pd.DataFrame:
    """Pool frame of all records; one error names all problems."""
    numbers = array("q")
    blocks: list[pd.DataFrame] = []
    block, names = _Block(), set(_NAMES)
    for number, record in records:
        numbers.append(number)
        unusable = _too_much(record, names) or ambiguous_names(tuple(record))
        if unusable is None:
            block.add(number, _renamed(record), problems)
        else:
            problems.add(number, unusable[0], remedy=unusable[1])
            block.skip()
        if len(block) == _BLOCK_ROWS:
            blocks.append(block.frame())
            block = _Block()
    blocks.append(block.frame())
    frame = pd.concat([b for b in blocks if len(b)] or blocks, ignore_index=True)
    _note_duplicates(frame["doc_id"], numbers, problems)
    problems.raise_any()
    if frame.empty:
        raise InputError(f"{problems.source} holds no document; a pool needs at least one.")
    return _tidied(frame)


class _Block:
    """A block of rows, stored as columns."""

    def __init__(self) -> None:
        self.columns: dict[str, list[Any]] = {column.name: [] for column in COLUMNS}
        self.others: dict[str, dict[int, Any]] = {}
        self.size = 0

    def __len__(self) -> int:
        """Number of rows."""
        return self.size

    def add(self, number: int, record: dict[str, Any], problems: Problems) -> None:
        """Append a row; an unusable cell is noted and left empty."""
        for column in COLUMNS:
            value = record.pop(column.name, None)
            try:
                cell = _cell(value, column)
            except CellError as error:
                # Messages go into logs, which never contain text of a document.
                secret = column.name in _DOCUMENT_TEXT and value is not None
                shown = type(value).__name__ if secret else value
                problems.add(number, str(error), value=shown, remedy=error.remedy)
                cell = None
            self.columns[column.name].append(cell)
        for name, value in record.items():
            cells = self.others.setdefault(name, {})
            if value is not None:
                cells[self.size] = value
        self.size += 1

    def skip(self) -> None:
        """Append a row without any cell."""
        for cells in self.columns.values():
            cells.append(None)
        self.size += 1

    def frame(self) -> pd.DataFrame:
        """Frame of the rows, with compactly stored texts."""
        typed = {name: pd.Series(self.columns[name], dtype="str") for name in _TEXT}
        typed["confidence"] = pd.Series(self.columns["confidence"], dtype="float64")
        typed["box"] = pd.Series(self.columns["box"], dtype="object")
        rows = range(self.size)
        others = {
            name: pd.Series([cells.get(row) for row in rows], dtype="object")
            for name, cells in self.others.items()
        }
        return pd.DataFrame({**{c.name: typed[c.name] for c in COLUMNS}, **others})


def _too_much(record: dict[str, Any], names: set[str]) -> tuple[str, str] | None:
    """Problem and remedy of a row that is too large for a pool, None if it is not.

    ``names`` are the columns of the pool so far; those of a row that fits are added.
    """
    if len(names) + len(record.keys() - names) > MAX_COLUMNS:
        return f"more than {MAX_COLUMNS:,} columns with those of earlier rows", _FEWER_COLUMNS
    if sum(map(_size, record.values())) > MAX_CHARACTERS:
        return LONG_ROW, SHORTER_ROWS
    names.update(record)
    return None


def _size(value: object) -> int:
    """Characters of a cell."""
    if isinstance(value, str):
        return len(value)
    return 0 if isinstance(value, int | float | None) else len(str(value))


def _cell(value: Any, column: Column) -> Any:
    """Value of a cell, None if it is missing and not required."""
    if value is not None:
        return column.read(value)
    if column.required:
        raise CellError(f"no {column.name}", column.remedy)
    return None


def _renamed(record: dict[str, Any]) -> dict[str, Any]:
    """Record with the pool's own column names."""
    names = own_names(record)
    return {own: record[name] for name, own in zip(record, names, strict=True)}


def _note_duplicates(ids: "pd.Series[str]", numbers: "array[int]", problems: Problems) -> None:
    """Note every row that repeats the doc_id of an earlier row."""
    for place in np.flatnonzero(ids.notna() & ids.duplicated()):
        problems.add(
            numbers[place],
            REPEATED_ID,
            value=ids.iloc[place],
            remedy=REPEATED_ID_REMEDY,
        )


def _tidied(frame: pd.DataFrame) -> pd.DataFrame:
    """Frame with defaults filled in and further columns as plain values."""
    frame["page_id"] = frame["page_id"].fillna(frame["doc_id"])
    frame["system"] = frame["system"].fillna(NAMELESS)
    for name in frame.columns:
        if name not in _NAMES:
            frame[name] = _plain(frame[name])
    return frame


def _plain(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Column with one type that any table format supports: numbers, truth values or text.

    Whole numbers that fractions would round, such as ids of 17 digits, become text.
    """
    values = [None if _is_missing(value) else value for value in column]
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pd.Series(values, dtype="boolean")
    if kinds == {int} and _fits(values):
        return pd.Series(values, dtype="int64")
    if kinds and kinds <= {int, float} and all(map(_is_exact, values)):
        return pd.Series(values, dtype="float64")
    return pd.Series(map(_as_text, values), dtype="str")


def _fits(values: list[Any]) -> bool:
    return all(value is not None and -(2**63) <= value < 2**63 for value in values)


def _is_exact(value: object) -> bool:
    """Return whether a value is the same as a float; a whole number may have too many digits."""
    try:
        return not isinstance(value, int) or int(float(value)) == value
    except OverflowError:
        return False


def _is_missing(value: object) -> bool:
    """Return whether a value is None or nan."""
    return value is None or (isinstance(value, float) and np.isnan(value))


def _as_text(value: object) -> str | None:
    """Value as text: lists, objects and truth values as JSON, times and others as they print."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | int | float | list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def frame_of_rows(
    rows: Iterator[Row], *, name: str, quarantine: Quarantine, seen: "SeenIds | None" = None
) -> pd.DataFrame:
    """Pool frame of the usable rows; the others go to the quarantine.

    Parameters
    ----------
    rows
        At least one row.
    name
        Name of the pool.
    seen
        Ids of earlier batches.
    """
    places: list[tuple[str, str | None]] = []
    problems = RowProblems(name, "row", quarantine=quarantine, places=places)
    frame = pool_frame(_noted(rows, places), problems)
    keep = np.ones(len(frame), dtype=bool)
    keep[list(problems.rows)] = False
    if seen is not None:
        known = np.flatnonzero(keep)[seen.add(frame.loc[keep, "doc_id"].tolist())]
        for row in known.tolist():
            quarantine.add(places[row][0], _REPEATED, places[row][1])
        keep[known] = False
    return frame if keep.all() else frame[keep].reset_index(drop=True)


def _noted(
    rows: Iterator[Row], places: list[tuple[str, str | None]]
) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield number and values of rows, and note the position of each."""
    for number, row in enumerate(rows):
        places.append((row.path, row.position))
        yield number, row.record


class SeenIds:
    """Ids of all batches so far, stored in eight bytes each.

    Sorted arrays of hashes, each at least twice as long as the next. In a pool of a million
    documents, two different ids share a 64-bit hash with a probability below one in ten million.
    """

    def __init__(self) -> None:
        self._levels: list[Hashes] = []

    def add(self, ids: Sequence[str]) -> NDArray[np.bool_]:
        """Mark ids of earlier batches, shape (n,), and add the new ones."""
        hashes = np.fromiter(map(hash, ids), dtype=np.int64, count=len(ids))
        known = np.zeros(len(hashes), dtype=bool)
        for level in self._levels:
            place = np.searchsorted(level, hashes)
            place[place == len(level)] = 0
            known |= level[place] == hashes
        self._keep(np.unique(hashes[~known]))
        return known

    def _keep(self, fresh: Hashes) -> None:
        """Add hashes, merging arrays of similar size so that there are few."""
        if not len(fresh):
            return
        while self._levels and len(self._levels[-1]) < 2 * len(fresh):
            fresh = np.sort(np.concatenate([self._levels.pop(), fresh]))
        self._levels.append(fresh)
