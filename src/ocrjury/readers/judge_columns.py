"""Numbers of machines in columns of a pool, such as a language model's rating from 1 to 5."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from ocrjury.errors import InputError
from ocrjury.plain_numbers import plain_number
from ocrjury.scales import Scale, Scales, scale_of

_SHOWN = 5


def judge_columns(
    pool: pd.DataFrame, judges: Mapping[str, Mapping[str, str]], *, scale: Scales
) -> pd.DataFrame:
    """Ratings of automatic judges, checked against the raters' scale.

    Parameters
    ----------
    pool
        Result of `read_pool`; in CSV every cell of a file's further columns is text.
    judges
        Column of each dimension by judge: ``{judge: {dimension: column}}``.

    Returns
    -------
    DataFrame
        One row per document and each column once: numbers, ``nan`` where the judge gave none; on a
        nominal scale the categories, null where the judge gave none.

    Raises
    ------
    InputError
        If the pool lacks a column, or a cell is not on the scale. It names judge, column and
        documents, but quotes no text, since the column may contain text of a document.

    Examples
    --------
    >>> pool = pd.DataFrame({"doc_id": ["a", "b"], "llm": ["4", None]})
    >>> judge_columns(pool, {"LLM": {"meaning": "llm"}}, scale=Scale.likert(1, 5))["llm"].tolist()
    [4.0, nan]
    """
    columns: dict[str, pd.Series[Any]] = {}
    for judge, by_dimension in judges.items():
        for dimension, column in by_dimension.items():
            place = f"pool.judges.{judge}.{dimension}"
            _check_column(pool, column, place)
            if column not in columns:
                own = scale_of(scale, dimension)
                columns[column] = _on_scale(pool, column, place=place, scale=own)
    return pd.DataFrame(columns, index=pool.index)


def number_columns(pool: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Columns with a number for each document, in any unit, such as a fluency.

    Parameters
    ----------
    pool, names
        As for `judge_columns`, and the names of the columns.

    Returns
    -------
    DataFrame
        One row per document; ``nan`` in empty cells.

    Raises
    ------
    InputError
        If the pool lacks a column, or a cell is no finite number.
    """
    columns = {}
    for column in names:
        _check_column(pool, column, "pool.auxiliaries")
        cells, wrong = _values(pool, column, _finite)
        if wrong:
            raise InputError(
                f"pool.auxiliaries: the column {column!r} has {len(wrong)} value(s) that are no "
                f"finite numbers, the first is {_shown(pool[column].iloc[wrong[0]])}; see document "
                f"{_documents(pool, wrong)}. Write a number, or leave them empty."
            )
        columns[column] = pd.Series(cells, index=pool.index, dtype="float64")
    return pd.DataFrame(columns, index=pool.index)


def _check_column(pool: pd.DataFrame, column: str, place: str) -> None:
    """Raise if the pool lacks a column that the campaign names in some place."""
    if column not in pool.columns:
        raise InputError(
            f"{place} names the column {column!r}, which the pool lacks; it has "
            f"{', '.join(map(str, pool.columns))}."
        )


def _values(
    pool: pd.DataFrame, column: str, read: Callable[[object], Any]
) -> tuple[list[Any], list[int]]:
    """Value of each cell, None for an empty one, and the rows whose cell has none."""
    cells = [None if pd.isna(cell) else cell for cell in pool[column].tolist()]
    values = [None if cell is None else read(cell) for cell in cells]
    return values, [
        row for row, cell in enumerate(cells) if cell is not None and values[row] is None
    ]


def _documents(pool: pd.DataFrame, rows: Sequence[int]) -> str:
    """Names of the first documents, and how many there are besides."""
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return ", ".join(repr(pool["doc_id"].iloc[row]) for row in rows[:_SHOWN]) + more


def _on_scale(pool: pd.DataFrame, column: str, *, place: str, scale: Scale) -> "pd.Series[Any]":
    """One column as values of the scale; a cell off the scale is an error."""
    values, off_scale = _values(pool, column, lambda cell: _value(cell, scale))
    if off_scale:
        raise InputError(
            f"{place}: the column {column!r} has {len(off_scale)} value(s) that are not on the "
            f"raters' scale ({scale}), the first is {_shown(pool[column].iloc[off_scale[0]])}; see "
            f"document {_documents(pool, off_scale)}. Convert the judge's scores to that scale, "
            "leave them empty, or name the column under pool.auxiliaries."
        )
    return pd.Series(values, index=pool.index, dtype="float64" if scale.ordered else "str")


def _value(cell: object, scale: Scale) -> float | str | None:
    """Cell as a number on the scale or as a category, None if it is neither.

    Fractions are accepted, since a judge may be the mean of several.
    """
    if not scale.ordered:
        return str(cell) if str(cell) in set(map(str, scale.categories)) else None
    if isinstance(cell, bool) and scale.kind != "binary":
        return None
    number = _finite(cell)
    return number if number is not None and scale.low <= number <= scale.high else None


def _finite(cell: object) -> float | None:
    """Cell as a finite number, None if it is none."""
    try:
        number = plain_number(cell) if isinstance(cell, str) else float(cell)  # type: ignore[arg-type]  # raises for anything else
    except (TypeError, ValueError):
        return None
    return number if number is not None and math.isfinite(number) else None


def _shown(cell: object) -> str:
    """Number of a cell, or only the type of anything else."""
    try:
        return f"{float(cell):g}"  # type: ignore[arg-type]  # as above
    except (TypeError, ValueError):
        return f"a {'text' if isinstance(cell, str) else type(cell).__name__}"
