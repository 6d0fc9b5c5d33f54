"""Columns and rows of a table of counts that are no categories: its totals, and the items' ids.

They look like counts, so that a scale whose names are taken from the table would hold them. Whoever
means such a category declares it by name.
"""

from collections.abc import Sequence

from ocrjury.errors import InputError

_FEWEST = 3  # columns beside which a sum is no chance, and rows of ids


def check_no_totals(
    columns: Sequence[str], numbers: Sequence[Sequence[int]], *, source: object, crosstab: bool
) -> None:
    """Refuse a last column, or a last row of a cross table, that is the sum of all others."""
    across = [list(column) for column in zip(*numbers, strict=True)]
    if _ends_in_sums(numbers):
        what = f"the last column, {columns[-1]!r:.60},"
    elif crosstab and _ends_in_sums(across):
        what = "the last row"
    else:
        return
    raise InputError(
        f"{source}: {what} holds the sums of the others. Leave totals out; if it is a category, "
        "name all categories, as in --scale nominal:a,b,c."
    )


def check_no_ids(
    columns: Sequence[str], numbers: Sequence[Sequence[int]], *, source: object
) -> None:
    """Refuse a first column that numbers the rows, as items are, and makes their sums unequal."""
    first = [row[0] for row in numbers]
    counted = first == list(range(first[0], first[0] + len(first)))
    if counted and len(first) >= _FEWEST and len(set(map(sum, numbers))) > 1:
        raise InputError(
            f"{source}: the first column, {columns[0]!r:.60}, numbers the rows. If it names the "
            f"items, say so: --item {columns[0]!r}. If it is a category, name all categories, as "
            "in --scale nominal:a,b,c."
        )


def _ends_in_sums(rows: Sequence[Sequence[int]]) -> bool:
    """Whether the last number of every row is the sum of those before it, not all of them 0.

    Examples
    --------
    >>> _ends_in_sums([[2, 1, 3], [0, 3, 3]]), _ends_in_sums([[2, 1, 3], [0, 3, 0]])
    (True, False)
    """
    wide = len(rows) > 1 and min(map(len, rows)) >= _FEWEST
    return wide and any(map(sum, rows)) and all(sum(row[:-1]) == row[-1] for row in rows)
