"""Ratings of automatic judges in columns of a pool, such as a language model's 1 to 5."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ocrjury.errors import InputError
from ocrjury.scales import Scale

_SHOWN = 5


def judge_columns(
    pool: pd.DataFrame, judges: Mapping[str, Mapping[str, str]], *, scale: Scale
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
            if column not in pool.columns:
                raise InputError(
                    f"{place} names the column {column!r}, which the pool lacks; it has "
                    f"{', '.join(map(str, pool.columns))}."
                )
            if column not in columns:
                columns[column] = _on_scale(pool, column, place=place, scale=scale)
    return pd.DataFrame(columns, index=pool.index)


def _on_scale(pool: pd.DataFrame, column: str, *, place: str, scale: Scale) -> "pd.Series[Any]":
    """One column as values of the scale; a cell off the scale is an error."""
    cells = [None if pd.isna(cell) else cell for cell in pool[column].tolist()]
    values = [None if cell is None else _value(cell, scale) for cell in cells]
    off_scale = [n for n, cell in enumerate(cells) if cell is not None and values[n] is None]
    if off_scale:
        documents = ", ".join(repr(pool["doc_id"].iloc[n]) for n in off_scale[:_SHOWN])
        more = f" and {len(off_scale) - _SHOWN} more" if len(off_scale) > _SHOWN else ""
        raise InputError(
            f"{place}: the column {column!r} has {len(off_scale)} value(s) that are not on the "
            f"raters' scale ({scale}), the first is {_shown(cells[off_scale[0]])}; see document "
            f"{documents}{more}. Convert the judge's scores to that scale, or leave them empty."
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
    try:
        number = float(cell)  # type: ignore[arg-type]  # raises for anything else
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) and scale.low <= number <= scale.high else None


def _shown(cell: object) -> str:
    """Number of a cell, or only the type of anything else."""
    try:
        return f"{float(cell):g}"  # type: ignore[arg-type]  # as above
    except (TypeError, ValueError):
        return f"a {'text' if isinstance(cell, str) else type(cell).__name__}"
