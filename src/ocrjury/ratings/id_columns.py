"""First columns of tables that name the items, and hold no ratings."""

from collections.abc import Container, Sequence
from typing import Final

from ocrjury.ratings.csv_tables import Table

_NAMES: Final = frozenset(
    (
        *("", "item", "items", "id", "doc", "document", "unit", "name", "no", "no.", "nr", "#"),
        *("number", "index", "row", "page", "case", "sample", "subject", "file", "filename"),
        *("항목", "문서", "문항", "번호", "순번", "연번", "쪽", "페이지", "파일", "아이디"),
        *("项目", "文档", "文件", "编号", "序号", "页", "页码"),
    )
)
_ENDS: Final = ("_id", " id", "_no", " no", " no.", "번호", "编号", "序号")
_FEWEST = 8  # rows in which nobody gives ratings that each are one above the last


def names_items(column: str) -> bool:
    """Return whether a first column of this name holds the items' ids.

    Examples
    --------
    >>> [names_items(name) for name in ("Doc_ID", "문서번호", "序号", "R01", "김수지")]
    [True, True, True, False, False]
    """
    name = column.lower()
    return name in _NAMES or name.endswith(_ENDS)


def id_column(columns: Sequence[str], table: Table, *, missing: Container[str]) -> str | None:
    """The first column if it names the items.

    It does if it is called so, if its cells are distinct words while all others are numbers, or if
    it counts the rows.

    Parameters
    ----------
    missing
        Cells, in lower case, that stand for no rating.
    """
    if not columns:
        return None
    first = columns[0]
    cells = table.columns[first]
    if names_items(first) or (len(columns) > 1 and _count_up(cells)):
        return first
    others = {cell for name in columns[1:] for cell in table.columns[name]}
    words = not any(map(_is_number, cells))
    distinct = len(set(cells)) == len(cells) and "" not in cells
    numbers = all(_is_number(cell) for cell in others if cell.lower() not in missing)
    return first if words and distinct and numbers else None


def _count_up(cells: Sequence[str]) -> bool:
    """Return whether cells are whole numbers, each one above the last, too many to be ratings."""
    if len(cells) < _FEWEST or not all(cell.isascii() and cell.isdecimal() for cell in cells[:2]):
        return False
    start = int(cells[0][:18])
    return all(cell.lstrip("0") == str(n or "") for n, cell in enumerate(cells, start=start))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
