"""Columns of a pool that hold what an automatic judge gave, such as a language model's 1 to 5."""

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
    """Columns of automatic judges on the raters' scale.

    Parameters
    ----------
    pool
        What `read_pool` returned; in CSV every cell of a file's own columns is text.
    judges
        Name of each judge to the column of each dimension: ``{judge: {dimension: column}}``.

    Returns
    -------
    DataFrame
        One row per document and each named column once: numbers, ``nan`` where the judge gave
        nothing; on a nominal scale the names of the categories, and null.

    Raises
    ------
    InputError
        If the pool lacks a column, or a cell is not on the scale. It names judge, column and
        documents, and no text: the column may be one of a document's text.

    Examples
    --------
    >>> pool = pd.DataFrame({"doc_id": ["a", "b"], "llm": ["4", None]})
    >>> judge_columns(pool, {"LLM": {"meaning": "llm"}}, scale=Scale.likert(1, 5))["llm"].tolist()
    [4.0, nan]
    """
    found: dict[str, pd.Series[Any]] = {}
    for judge, by_dimension in judges.items():
        for dimension, column in by_dimension.items():
            place = f"pool.judges.{judge}.{dimension}"
            if column not in pool.columns:
                raise InputError(
                    f"{place} names the column {column!r}, which the pool lacks; it has "
                    f"{', '.join(map(str, pool.columns))}."
                )
            if column not in found:
                found[column] = _on_scale(pool, column, place=place, scale=scale)
    return pd.DataFrame(found, index=pool.index)


def _on_scale(pool: pd.DataFrame, column: str, *, place: str, scale: Scale) -> "pd.Series[Any]":
    """One column on the scale; raise if a cell is not."""
    cells = [None if pd.isna(cell) else cell for cell in pool[column].tolist()]
    values = [None if cell is None else _value(cell, scale) for cell in cells]
    strange = [n for n, cell in enumerate(cells) if cell is not None and values[n] is None]
    if strange:
        documents = ", ".join(repr(pool["doc_id"].iloc[n]) for n in strange[:_SHOWN])
        more = f" and {len(strange) - _SHOWN} more" if len(strange) > _SHOWN else ""
        raise InputError(
            f"{place}: the column {column!r} holds {len(strange)} value(s) that are not on the "
            f"raters' scale ({scale}): {_named(cells[strange[0]])} is the first; see document "
            f"{documents}{more}. Bring the judge's scores onto that scale, or leave them empty."
        )
    return pd.Series(values, index=pool.index, dtype="float64" if scale.ordered else "str")


def _value(cell: object, scale: Scale) -> float | str | None:
    """Cell as a number of the scale or as the name of a category, None if it is neither.

    Fractions are welcome: a judge may be a mean of several.
    """
    if not scale.ordered:
        return str(cell) if str(cell) in set(map(str, scale.categories)) else None
    if isinstance(cell, bool) and scale.kind != "binary":
        return None
    try:
        number = float(cell)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) and scale.low <= number <= scale.high else None


def _named(cell: object) -> str:
    """Number as it is; of anything else only what it is."""
    try:
        return f"{float(cell):g}"  # type: ignore[arg-type]  # as above
    except (TypeError, ValueError):
        return f"a {'text' if isinstance(cell, str) else type(cell).__name__}"
