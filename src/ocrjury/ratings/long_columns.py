"""Columns of a long table that are not called item, rater and rating.

A long table has a row for each rating, so that items stand in several of its rows; a wide one has
a row for each item. Only names that say it decide: a table that is read the wrong way may give
numbers all the same.
"""

import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from ocrjury.errors import InputError
from ocrjury.plain_numbers import plain_number
from ocrjury.problem_lists import first_named
from ocrjury.ratings.csv_tables import Table
from ocrjury.ratings.id_columns import names_items

_RATERS: Final = frozenset(
    (
        *("rater", "annotator", "coder", "judge", "reviewer", "evaluator", "assessor", "grader"),
        *("labeler", "labeller", "scorer", "marker", "expert", "worker", "user", "rated_by"),
        *("annotated_by", "labeled_by", "labelled_by", "평가자", "심사자", "심사위원", "평가위원"),
        *("검토자", "채점자", "작업자", "라벨러", "주석자", "评分人", "评分者", "评分员", "评审"),
        *("评审员", "评委", "评估者", "评估员", "标注者", "标注员", "标注人", "审核员"),
    )
)
_ENDS: Final = ("_id", " id", "_name", " name", "_code", " code")
_WIDEST = 30  # columns of a table in which each row may be one rating
_RATINGS_PER_ITEM = 1.5  # from here on, items are repeated on purpose and not by mistake


class LongColumns(NamedTuple):
    """Columns of a table that seems to be long; None where nothing tells.

    Attributes
    ----------
    others
        Columns that name something else, and hold no ratings.
    certain
        Whether names and cells leave no other reading.
    """

    item: str
    rater: str | None
    rating: str | None
    others: frozenset[str] = frozenset()
    certain: bool = False

    @property
    def options(self) -> str:
        """Options of a command line that name the columns."""
        names = {"item": self.item, "rater": self.rater, "rating": self.rating}
        given = {option: shlex.quote(name) if name else "COLUMN" for option, name in names.items()}
        return " ".join(f"--{option} {name}" for option, name in given.items())


def names_raters(column: str) -> bool:
    """Whether a column of this name says who rated.

    Examples
    --------
    >>> [names_raters(name) for name in ("Annotator", "coder_id", "평가자", "R01", "user story")]
    [True, True, True, False, False]
    """
    name = column.lower().strip()
    return name in _RATERS or any(name.removesuffix(end) in _RATERS for end in _ENDS)


def seems_long(
    table: Table, passed: Collection[str], *, item: str | None = None
) -> LongColumns | None:
    """Columns of a table that must be long; None of one that may well be wide.

    Parameters
    ----------
    passed
        Columns of which it is known that they hold none of the three.
    item
        The column of items, where it is known.

    Raises
    ------
    InputError
        If it seems to be long, and nothing tells which column is which.
    """
    apart = [name for name in table.header if name.lower() == "dimension" and name not in passed]
    columns = [name for name in table.header if name not in passed and name not in apart]
    seems = long_columns(table, columns, item=item, apart=apart)
    if seems is None or (seems.certain and not (apart and seems.rating is None)):
        return seems
    raise InputError(
        f"{table.source}: cells of the column {seems.item!r} stand in several rows, as where each "
        f"row is one rating; found the columns {first_named(table.header)}. Say which column is "
        f"what: {seems.options}. If every column is a rater's instead, give each item one row "
        "and a name of its own."
    )


def long_columns(
    table: Table, columns: Collection[str], *, item: str | None = None, apart: Collection[str] = ()
) -> LongColumns | None:
    """Columns of items, raters and ratings; None if the table may well be wide.

    Parameters
    ----------
    columns
        Those that may be one of the three.
    item
        The column of items, where it is known.
    apart
        Columns that tell ratings of one item by one rater apart.
    """
    if not 3 <= len(columns) <= _WIDEST:
        return None
    cells = {name: set(table.columns[name]) for name in columns}
    repeated = [
        name for name in columns if len(cells[name]) * _RATINGS_PER_ITEM <= len(table.numbers)
    ]
    named_raters = [name for name in columns if names_raters(name)]
    named_items = [name for name in repeated if names_items(name) and name not in named_raters]
    is_named = item is not None or bool(named_items)
    if item is None:
        others = (name for name in columns if name not in named_raters)
        item = named_items[0] if named_items else next(others, None)
    if item is None or item not in repeated or not (is_named or _are_names(item, cells)):
        return None
    rater = _rater(table, item, named_raters or repeated, apart=apart)
    ids = frozenset(name for name in columns if names_items(name)) - {item, rater}
    ratings = [name for name in columns if name not in {item, rater} | ids]
    certain = (
        named_raters == [rater]
        and rater in repeated
        and len(named_items) <= 1
        and bool(ratings)
        and all(cells[str(rater)].isdisjoint(cells[name]) for name in ratings)
    )
    usual = [name for name in ratings if name.lower() == "rating"]
    only = usual or (ratings if len(ratings) == 1 else [])
    rating = only[0] if only and rater is not None else None
    return LongColumns(item, rater, rating, ids, certain)


def _are_names(item: str, cells: Mapping[str, set[str]]) -> bool:
    """Whether the cells of a column are words that stand in no other column: no ratings."""
    words = all(plain_number(cell) is None for cell in cells[item])
    return words and all(
        cells[item].isdisjoint(others) for name, others in cells.items() if name != item
    )


def _rater(
    table: Table, item: str, candidates: Sequence[str], *, apart: Collection[str]
) -> str | None:
    """The one column by which no item is rated twice by one rater; words before numbers."""
    others = [name for name in candidates if name != item]
    if len(others) == 1 and names_raters(others[0]):
        return others[0]
    keys = [table.columns[name] for name in (item, *apart)]
    fitting = [
        name
        for name in others
        if len(set(zip(*keys, table.columns[name], strict=True))) == len(table.numbers)
    ]
    words = [name for name in fitting if all(plain_number(c) is None for c in table.columns[name])]
    chosen = words or fitting
    return chosen[0] if len(chosen) == 1 else None
