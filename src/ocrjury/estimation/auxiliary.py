"""Auxiliary variables of every document, in the form that explains scores best."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Floats
from ocrjury.columns import check_columns, numeric_column
from ocrjury.errors import InputError
from ocrjury.estimation.basis import Basis

_ITEMS_PER_COLUMN = 15
# A line in log(CER) alone overrates unusable documents: above this CER they are all alike.
_BEYOND_REPAIR = 0.5
# Errors beyond ten times its length do not make a document worse.
_MOST_CER = 10.0
_TAILS = (0.01, 0.99)
CER, CONFIDENCE, DOC_TYPE = "cer", "confidence", "doc_type"


class AuxiliaryColumns(NamedTuple):
    """Auxiliary columns of a pool.

    Attributes
    ----------
    matrix
        Shape (N, p).
    names
        One for each column.
    sources
        The pool's column behind each of them, ``""`` for the constant.
    """

    matrix: Floats
    names: list[str]
    sources: list[str]


class _Column(NamedTuple):
    """One column, and the pool's column that it comes from."""

    name: str
    numbers: Floats
    source: str


_Columns = list[_Column]


def auxiliaries(
    pool: pd.DataFrame, *, n: int | None = None, judges: Sequence[str] = ()
) -> tuple[Floats, list[str]]:
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
    judges
        Columns with a number from an automatic judge, such as the rating of a language model, a
        quality estimate or a fluency, the most trusted first. Any unit and either direction will
        do; outliers are cut.

    Returns
    -------
    matrix, names
        Shape (N, p), finite, p at least 1, no column a combination of earlier ones. In order: the
        constant; log10(1 + 100 CER) and no reference; CER = 0; min(CER, 0.5); confidence and no
        confidence; each judge and no judge; one column per document type from the second most
        frequent on. Rows follow the pool: ``matrix[rows]`` and ``matrix.mean(axis=0)`` are what
        `greg_mean` takes.

    Raises
    ------
    InputError
        If the pool is empty, or a judge has no column, or one without any number.

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
    [0.0, 1.0, 2.0, 1.0]
    """
    chosen = auxiliary_columns(pool, n=n, judges=judges)
    return chosen.matrix, chosen.names


def auxiliary_columns(
    pool: pd.DataFrame, *, n: int | None, judges: Sequence[str] = ()
) -> AuxiliaryColumns:
    """Result of `auxiliaries` with the source of each column."""
    if not len(pool):
        raise InputError("auxiliaries needs at least one document; the pool is empty.")
    check_columns(pool, judges, "the pool")
    ones = np.ones(len(pool))
    # A group that does not fit is the last, so that a basis needs to forget nothing.
    basis, columns = Basis(ones), list[_Column]()
    for group in chain([[_Column("constant", ones, "")]], _groups(pool, judges)):
        larger = columns + [column for column in group if basis.add(column.numbers)]
        if columns and n is not None and n < _ITEMS_PER_COLUMN * len(larger):
            break
        columns = larger
    return AuxiliaryColumns(
        np.column_stack([column.numbers for column in columns]),
        [column.name for column in columns],
        [column.source for column in columns],
    )


def _groups(pool: pd.DataFrame, judges: Sequence[str]) -> Iterator[_Columns]:
    """Yield the columns that enter together, the most useful first."""
    yield from _of_cer(pool)
    yield _of_number(CONFIDENCE, numeric_column(pool, CONFIDENCE))
    for judge in judges:
        yield _of_number(judge, _without_outliers(_scores(pool, judge)))
    yield from _of_type(pool)


def _of_cer(pool: pd.DataFrame) -> list[_Columns]:
    """Groups of columns of CER, and the indicator of its absence."""
    cer = numeric_column(pool, CER)
    known = np.isfinite(cer)
    if not known.any():
        return []
    bounded = np.clip(np.where(known, cer, 0.0), 0.0, _MOST_CER)
    least = np.minimum(bounded, _BEYOND_REPAIR)
    return [
        [
            _Column("log10(1 + 100 CER)", _filled(np.log10(1 + 100 * bounded), known), CER),
            _Column("no reference", (~known).astype(float), CER),
        ],
        [_Column("CER = 0", _filled((bounded == 0).astype(float), known), CER)],
        [_Column(f"min(CER, {_BEYOND_REPAIR})", _filled(least, known), CER)],
    ]


def _filled(values: Floats, known: Booleans) -> Floats:
    """Values, with their mean in place of those that are not known.

    With the indicator beside it any number would do; without, as where no document that was drawn
    lacks a reference, another number would count as a score.
    """
    return np.where(known, values, values[known].mean())


def _of_number(name: str, values: Floats) -> _Columns:
    """Values with their mean where they are unknown, and the indicator of that."""
    known = np.isfinite(values)
    if not known.any():
        return []
    missing = _Column(f"no {name}", (~known).astype(float), name)
    return [_Column(name, _filled(values, known), name), missing]


def _scores(pool: pd.DataFrame, judge: str) -> Floats:
    """Numbers of a judge, nan where it gave none."""
    scores = numeric_column(pool, judge)
    if pool[judge].notna().any() and not np.isfinite(scores).any():
        raise InputError(
            f"auxiliaries needs numbers of the judge {judge!r}; the column has values, but no "
            "finite number. Name a column with numbers."
        )
    return scores


def _without_outliers(values: Floats) -> Floats:
    """Values, of which none lies beyond the 1st or 99th percentile by more than their distance.

    A few documents at the end of a long tail, such as that of perplexity, would alone make the
    slope.
    """
    known = np.isfinite(values)
    if not known.any():
        return values
    low, high = np.quantile(values[known], _TAILS)
    if low == high:  # nearly all are alike: what differs is no tail
        return values
    return np.where(known, np.clip(values, 2 * low - high, 2 * high - low), np.nan)


def _of_type(pool: pd.DataFrame) -> Iterator[_Columns]:
    """Yield the indicator of each document type but the most frequent."""
    if DOC_TYPE not in pool.columns:
        return
    codes, places = pd.factorize(pool[DOC_TYPE].astype(object))
    present, counts = np.unique(codes, return_counts=True)
    types = [
        (-count, code < 0, "" if code < 0 else str(places[code]), code)
        for code, count in zip(present.tolist(), counts.tolist(), strict=True)
    ]
    for _, missing, name, code in sorted(types)[1:]:
        title = "no type" if missing else f"type {name}"
        yield [_Column(title, (codes == code).astype(float), DOC_TYPE)]
