"""Auxiliary variables of every document, in the form that explains scores best."""

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.columns import numeric_column
from ocrjury.errors import InputError
from ocrjury.estimation.greg import independent_columns

_ITEMS_PER_COLUMN = 15
# A line in log(CER) alone overrates unusable documents: above this CER they are all alike.
_BEYOND_REPAIR = 0.5
# Errors beyond ten times its length do not make a document worse.
_MOST_CER = 10.0
_Columns = list[tuple[str, Floats]]


def auxiliaries(pool: pd.DataFrame, *, n: int | None = None) -> tuple[Floats, list[str]]:
    """Auxiliary columns of all documents of a scored pool, and their names.

    Parameters
    ----------
    pool
        Frame with any of ``cer``, ``confidence`` and ``doc_type``; missing values
        get an indicator column.
    n
        Documents that will be rated. A column that explains nothing costs one document's worth of
        width, so each needs at least 15 documents: groups of columns are added in the
        order below until the next one does not fit. The choice depends on n alone. None: all
        columns.

    Returns
    -------
    matrix, names
        Shape (N, p), finite, p at least 1, no column a combination of earlier ones. In order: the
        constant; log10(1 + 100 CER) and no reference; CER = 0; min(CER, 0.5); confidence and no
        confidence; one column per document type from the second most frequent on. Rows follow the
        pool: ``matrix[rows]`` and ``matrix.mean(axis=0)`` are what `greg_mean` takes.

    Notes
    -----
    Columns are never chosen by how well they explain the ratings at hand: that would make the
    interval too short. With the constant and one column it is the regression on one prediction
    known as PPI++ (Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453).

    Examples
    --------
    >>> pool = pd.DataFrame({"cer": [0, 0.09, 0.99, None], "doc_type": ["bill"] * 3 + ["form"]})
    >>> matrix, names = auxiliaries(pool)
    >>> names
    ['constant', 'log10(1 + 100 CER)', 'no reference', 'CER = 0']
    >>> matrix[:, 1].round(2).tolist()
    [0.0, 1.0, 2.0, 0.0]
    """
    if not len(pool):
        raise InputError("auxiliaries needs at least one document; the pool is empty.")
    columns: _Columns = [("constant", np.ones(len(pool)))]
    for group in (*_of_cer(pool), _of_confidence(pool), *([type_] for type_ in _of_type(pool))):
        larger = _independent(columns + group)
        if n is not None and n < _ITEMS_PER_COLUMN * len(larger):
            break
        columns = larger
    return np.column_stack([column for _, column in columns]), [name for name, _ in columns]


def _independent(columns: _Columns) -> _Columns:
    """Columns that are not combinations of earlier ones."""
    matrix = np.column_stack([column for _, column in columns])
    return [columns[place] for place in independent_columns(matrix, np.ones(len(matrix)))]


def _of_cer(pool: pd.DataFrame) -> list[_Columns]:
    """Groups of columns of CER; 0 where it is unknown, which the indicator marks."""
    cer = numeric_column(pool, "cer")
    known = np.isfinite(cer)
    if not known.any():
        return []
    bounded = np.clip(np.where(known, cer, 0.0), 0.0, _MOST_CER)
    return [
        [
            ("log10(1 + 100 CER)", np.log10(1 + 100 * bounded)),
            ("no reference", (~known).astype(float)),
        ],
        [("CER = 0", (known & (bounded == 0)).astype(float))],
        [(f"min(CER, {_BEYOND_REPAIR})", np.minimum(bounded, _BEYOND_REPAIR))],
    ]


def _of_confidence(pool: pd.DataFrame) -> _Columns:
    """Confidence with its mean where it is unknown, and the indicator of that."""
    confidence = numeric_column(pool, "confidence")
    known = np.isfinite(confidence)
    if not known.any():
        return []
    filled = np.where(known, confidence, confidence[known].mean())
    return [("confidence", filled), ("no confidence", (~known).astype(float))]


def _of_type(pool: pd.DataFrame) -> _Columns:
    """Indicators of all document types but the most frequent."""
    if "doc_type" not in pool.columns:
        return []
    types = pool["doc_type"].astype(object).where(pool["doc_type"].notna(), None)
    counts = types.value_counts(dropna=False, sort=False)
    names = sorted(counts.index, key=lambda name: (-counts[name], name is None, str(name)))
    return [
        (
            "no type" if name is None else f"type {name}",
            np.array([value == name for value in types], dtype=float),
        )
        for name in names[1:]
    ]
