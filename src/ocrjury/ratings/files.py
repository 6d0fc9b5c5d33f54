"""Ratings as people have them in CSV files, long or wide, as one long table of text cells.

Long: columns item and rater, and either rating (with or without dimension) or one column for each
dimension. Wide: one row per item, one column per rater, perhaps the items' ids in the first
column. Columns that hold no ratings are set aside, each cell beside the ratings of its row.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, compress
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_RATINGS, MAX_TABLE, MAX_TABLE_CELLS
from ocrjury.normal_forms import normal_form
from ocrjury.problem_lists import first_named
from ocrjury.ratings.csv_tables import Table, each_times, read_table
from ocrjury.ratings.export_columns import CLUSTER, WEIGHT, first_pass_rows, is_export, is_history
from ocrjury.ratings.id_columns import id_column
from ocrjury.ratings.long_columns import seems_long
from ocrjury.ratings.row_numbers import without_row_numbers
from ocrjury.ratings.sheets import DESCRIPTION
from ocrjury.text_files import read_text

SINGLE = "rating"
"""Name of the dimension where a file has only one and does not name it."""
ORDER = ("session", "position", "submitted_at")
"""Columns of a long file that tell in which order raters worked."""
MISSING = ("", "na", "n/a", "nan", "*", ".")
"""Cells, in lower case, that stand for no rating."""
WIDE = (
    "The file was read as wide, with a row for each item and a column for each rater. If it has a "
    "row for each rating, name its columns with --item, --rater and --rating."
)
"""Sentence on how a wide file was read, where that may be wrong."""
_JSON = re.compile(r'\ufeff?\s*(?:\[\s*\{|\{\s*")')
_NO_DIMENSIONS = (*DESCRIPTION, *ORDER)


class Names(NamedTuple):
    """Names of the columns of a long file; None: the usual ones."""

    item: str | None = None
    rater: str | None = None
    rating: str | None = None


class RatingFile(NamedTuple):
    """The ratings of a file, those that are missing left out, and how its shape was understood.

    Cells are kept column by column: ``item``, ``rater``, ``dimension`` and ``rating`` of each
    rating, ``row`` as a spreadsheet counts. ``aside`` has the cells of the columns that hold no
    ratings, one for each rating. Of an export of an evaluation ``left_out`` counts the ratings by
    kind that do not count, and ``weight`` and ``cluster`` are the columns with the weights of items
    and with what they were drawn in together; rows that were chosen otherwise have no weights.
    """

    item: list[str]
    rater: list[str]
    dimension: list[str]
    rating: list[str]
    row: list[int]
    shape: str
    aside: Mapping[str, list[str]]
    left_out: Mapping[str, int] = MappingProxyType({})
    weight: str | None = None
    cluster: str | None = None
    exported: bool = False

    @property
    def dimensions(self) -> list[str]:
        """Dimensions in the file's order."""
        return list(dict.fromkeys(self.dimension))

    @property
    def cells(self) -> dict[str, set[str]]:
        """Distinct ratings by dimension."""
        names = self.dimensions
        if len(names) == 1:
            return {names[0]: set(self.rating)}
        cells: dict[str, set[str]] = {name: set() for name in names}
        for name, cell in set(zip(self.dimension, self.rating, strict=True)):
            cells[name].add(cell)
        return cells

    @property
    def raters(self) -> list[str]:
        """Raters in the file's order."""
        return list(dict.fromkeys(self.rater))

    def kept(self, wanted: Sequence[bool]) -> "RatingFile":
        """Part of the ratings."""
        if all(wanted):
            return self
        item, rater, dimension, rating = (list(compress(cells, wanted)) for cells in self[:4])
        aside = {name: list(compress(cells, wanted)) for name, cells in self.aside.items()}
        row = list(compress(self.row, wanted))
        return self._replace(
            item=item, rater=rater, dimension=dimension, rating=rating, row=row, aside=aside
        )


def read_ratings(
    path: Path,
    *,
    names: Names = Names(),  # noqa: B008  # frozen
    aside: Iterable[str] = (),
    where: Mapping[str, str] | None = None,
    every_row: bool = False,
) -> RatingFile:
    """Read the ratings of a CSV file (comma, semicolon or tab; UTF-8 or CP949).

    All texts are in Unicode's composed form (NFC): a Mac names files in letters that are apart, and
    김 is the same rater or item either way.

    Parameters
    ----------
    aside
        Columns that hold no ratings, besides those of which it is known; the file need not have
        them.
    where
        Cells by column; other rows are left out.
    every_row
        Of an export of an evaluation read all ratings. Otherwise, and without ``where``, only those
        that count are read, with their weights.

    Raises
    ------
    InputError
        If it is no table, lacks an item, a rater or a column of ``where``, or holds no rating.
    """
    text = normal_form("NFC", read_text(path, most=MAX_TABLE))
    if _JSON.match(text):
        raise InputError(f"{path} is JSON; ratings are read from CSV, so export them as CSV.")
    table = read_table(text, source=str(path), most=MAX_TABLE_CELLS).stripped()
    del text  # it may be long
    table.check_distinct(table.header)
    if not table.numbers:
        raise InputError(f"{path} needs a row of column names and at least one row of ratings.")
    if is_history(table) and not where:
        raise InputError(
            f"{path} holds every revision of the ratings of an evaluation, of all kinds of rounds. "
            "Give what `ocrjury ratings export NAME` writes without --history, or choose rows with "
            "--where."
        )
    exported = is_export(table) and not (where or every_row)
    table, left_out = first_pass_rows(table) if exported else (table.chosen(where or {}), {})
    others = {*aside, *(where or {})}
    table, numbered = without_row_numbers(table, names=names, others=others, missing=MISSING)
    columns = _long_columns(table, names)
    passed = others | {name for name in table.header if name.lower() in _NO_DIMENSIONS}
    seems = None if columns is not None else seems_long(table, passed, item=names.item)
    if seems is not None:
        columns, others = Names(seems.item, seems.rater, seems.rating), others | seems.others
    ratings = (
        _from_wide(table, names.item, others)
        if columns is None
        else _from_long(table, columns, others, guessed=seems is not None)
    )
    if not ratings.rating and len(table.header) < 2:
        raise InputError(
            f"{path} holds no rating: it has one column, {table.header[0]!r}, and ratings need two "
            "or more, separated by commas, semicolons or tabs."
        )
    if not ratings.rating:
        raise InputError(f"{path} holds no rating: every cell is empty.")
    together = CLUSTER if is_export(table) and CLUSTER in table.header else None
    weight, shape = WEIGHT if exported else None, ratings.shape + numbered
    ratings = ratings._replace(left_out=left_out, weight=weight, cluster=together, shape=shape)
    return ratings._replace(exported=is_export(table))


def _long_columns(table: Table, names: Names) -> Names | None:
    """Columns of a long file; None if the file is wide."""
    lower = {name.lower(): name for name in table.header}
    table.check_columns(names)
    item, rater = names.item or lower.get("item"), names.rater or lower.get("rater")
    rating = names.rating or lower.get("rating")
    if rater is None or rating is None:
        table.check_named()
    if rater is None and names.rating is None:
        return None
    if item is None or rater is None:
        raise InputError(
            f"{table.source}: a long table needs a column for the item and one for the rater; "
            f"found {first_named(table.header)}. Name them with --item and --rater."
        )
    return Names(item, rater, rating)


def _from_long(
    table: Table, columns: Names, others: set[str], *, guessed: bool = False
) -> RatingFile:
    item, rater, rating = str(columns.item), str(columns.rater), columns.rating
    table.check_filled(item, rater)
    named = next((name for name in table.header if name.lower() == "dimension"), None)
    if rating is None:
        passed = others | {"", *(name for name in table.header if name.lower() in _NO_DIMENSIONS)}
        read = [name for name in table.header if name not in passed and name not in columns]
        dimensions, used = read * len(table.numbers), read
        shape = f"long, with {len(read)} column{'s' * (len(read) != 1)} of ratings"
    else:
        read, used = [rating], [rating] if named is None else [rating, named]
        table.check_filled(*used[1:])
        dimensions = [SINGLE] * len(table.numbers) if named is None else table.columns[named]
        shape = "long, one row for each rating"
    if guessed:
        shape += f"; items are {item!r}, raters {rater!r}"
    aside = [name for name in table.header if name not in used and name not in columns]
    _check_number(table, len(read))
    items, raters = (each_times(table.columns[name], len(read)) for name in (item, rater))
    ids = items, raters, dimensions
    return _file(table, ids, read=read, shape=shape, aside=aside)


def _from_wide(table: Table, item: str | None, others: set[str]) -> RatingFile:
    columns = [name for name in table.header if name not in others]
    ids = id_column(columns, table, missing=MISSING) if item is None else item
    if ids is not None:
        table.check_filled(ids)
    raters = [name for name in columns if name != ids]
    _check_number(table, len(raters))
    places = [str(place) for place in range(1, len(table.numbers) + 1)]
    items = each_times(places if ids is None else table.columns[ids], len(raters))
    named = f"named by {ids!r}" if ids else "named by the first column"
    about = "items numbered by row" if ids is None else f"items {named}"
    aside = [name for name in table.header if name in others]
    shape = f"wide, {len(raters)} raters, {about}"
    cells = items, raters * len(table.numbers), [SINGLE] * len(items)
    return _file(table, cells, read=raters, shape=shape, aside=aside)


def _check_number(table: Table, columns: int) -> None:
    """Refuse a table with more ratings than are read, some of which may be missing."""
    if columns * len(table.numbers) > MAX_RATINGS:
        raise InputError(
            f"{table.source} has more than {MAX_RATINGS:,} cells of ratings; measure a part of its "
            "dimensions or items."
        )


def _file(
    table: Table,
    ids: tuple[list[str], list[str], list[str]],
    *,
    read: Sequence[str],
    shape: str,
    aside: Sequence[str],
) -> RatingFile:
    """Ratings of the columns that are read, without the missing ones; refuses two of the same."""
    columns = [table.columns[name] for name in read]
    single = len(columns) == 1
    ratings = RatingFile(
        *ids,
        rating=columns[0] if single else list(chain.from_iterable(zip(*columns, strict=True))),
        row=each_times(table.numbers, len(read)),
        shape=shape,
        aside={name: each_times(table.columns[name], len(read)) for name in aside},
    )
    missing = {cell for cell in set(ratings.rating) if cell.lower() in MISSING}
    if missing:
        ratings = ratings.kept([cell not in missing for cell in ratings.rating])
    _refuse_repeats(ratings, table)
    return ratings


def _refuse_repeats(ratings: RatingFile, table: Table) -> None:
    """Refuse two ratings of one item by one rater on one dimension."""
    import numpy as np  # noqa: PLC0415  # commands start without it

    number = np.zeros(len(ratings.item), dtype=np.int64)
    for cells in (ratings.item, ratings.rater, ratings.dimension):
        place = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
        number *= len(place)
        number += np.fromiter(map(place.__getitem__, cells), dtype=np.int64, count=len(cells))
    number.sort()
    if (number[1:] != number[:-1]).all():
        return
    first: dict[tuple[str, str, str], int] = {}
    keys = zip(ratings.item, ratings.rater, ratings.dimension, strict=True)
    for key, row in zip(keys, ratings.row, strict=True):
        before = first.setdefault(key, row)
        if before != row:
            item, rater, _ = key
            raise InputError(
                f"{table.source}, row {row}: {rater} rated item {item!r} before, in row {before}; "
                f"keep one of the two. {_reading(ratings, table)}".rstrip()
            )


def _reading(ratings: RatingFile, table: Table) -> str:
    """Sentence on how a file was read and what else it may be, empty where it is nothing else."""
    if ratings.shape.startswith("wide"):
        return WIDE
    if any(name.lower() == "dimension" for name in table.header):
        return ""
    return "If they are ratings on several dimensions, name these in a column 'dimension'."
