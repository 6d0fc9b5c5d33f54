"""Documents of a pool by the values of its other columns, such as the quality of a scan."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.columns import LEAST_CONFIDENCE, numeric_column
from ocrjury.errors import InputError
from ocrjury.findings.pool_metrics import GroupRow, PoolGroups
from ocrjury.language import phrase
from ocrjury.scoring.batch_files import SCORES

MOST_VALUES = 12
"""A text with more values is none that groups documents; a number with more is cut in quarters."""
MOST_COLUMNS = 4
"""Columns that are chosen where a campaign names none."""
FIRST, SECOND = "doc_type", "kind"
_OWN = frozenset(
    {"doc_id", "page_id", "system", "reference", "hypothesis", "confidence"}
    | {"image", "box", "masks", LEAST_CONFIDENCE, *SCORES}
)
Column = Callable[[str], pd.Series]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Names of groups in their order, and the group of every document, -1 for none."""

    names: tuple[str, ...]
    code: Integers
    quarters: bool = False
    numeric: bool = False

    @property
    def order(self) -> dict[int, str | None]:
        """Name of every code that occurs, None for documents of no group, which come last."""
        present = set(np.unique(self.code).tolist())
        named: dict[int, str | None] = dict(enumerate([*self.names]))
        return {code: name for code, name in {**named, -1: None}.items() if code in present}


def grouping(values: pd.Series, *, chosen: bool = True) -> Groups | None:
    """Groups of a column, None where it makes none.

    Parameters
    ----------
    values
        Texts, truth values or numbers with at least two values. Up to twelve are groups of their
        own; more numbers are cut in quarters, more texts are none.
    chosen
        Whether a campaign names the column. A column that nobody named is taken for a number of the
        documents, and left alone, where it is whole and has another value for each.

    Examples
    --------
    >>> grouping(pd.Series(["light", "heavy", "light"])).names
    ('heavy', 'light')
    >>> grouping(pd.Series(range(20))).names[0]
    '0 to 4.75'
    """
    known = values.dropna()
    if not known.map(lambda value: isinstance(value, str | bool | int | float | np.generic)).all():
        return None
    n = known.nunique()
    if n < 2:
        return None
    if n <= MOST_VALUES:
        return _values(values)
    if not pd.api.types.is_numeric_dtype(known):
        return None
    numbers = known.to_numpy(dtype=float)
    if not chosen and n == len(known) and (numbers == numbers.round()).all():
        return None
    return _quarters(pd.to_numeric(values, errors="coerce").to_numpy(dtype=float, na_value=np.nan))


def _values(values: pd.Series) -> Groups:
    """One group for each value; numbers keep their order, truth values read yes and no."""
    order = sorted(values.dropna().unique().tolist(), key=lambda value: (_is_text(value), value))
    places = {value: place for place, value in enumerate(order)}
    code = [places.get(value, -1) for value in values]
    numeric = not any(isinstance(value, str | bool) for value in order)
    return Groups(tuple(map(_name, order)), np.array(code, dtype=np.int64), numeric=numeric)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _name(value: object) -> str:
    if isinstance(value, bool):
        return phrase("yes") if value else phrase("no")
    return f"{value:g}" if isinstance(value, float) else str(value)


def _quarters(numbers: Floats) -> Groups | None:
    """Quarters of a number, fewer where many values are equal."""
    ends = np.unique(np.nanquantile(numbers, [0, 0.25, 0.5, 0.75, 1]))
    names = tuple(
        phrase("{low} to {high}", low=f"{low:.4g}", high=f"{high:.4g}")
        for low, high in pairwise(ends)
    )
    if len(set(names)) < max(len(names), 2):
        return None
    # A value on an edge belongs to the lower quarter, the smallest to the first.
    code = np.clip(np.searchsorted(ends, numbers, side="left") - 1, 0, len(names) - 1)
    return Groups(names, np.where(np.isfinite(numbers), code, -1), quarters=True, numeric=True)


def columns_that_group(
    names: Iterable[str],
    column: Column,
    *,
    named: Sequence[str] | None,
    others: Iterable[str] = (),
) -> dict[str, Groups]:
    """Groups by column: those that a campaign names, or up to four that are found.

    Parameters
    ----------
    names, column
        Columns of the pool, and what reads one of them.
    named
        ``report.covariates`` of the campaign; None: document type and kind of field first, then
        the others in the order of the pool.
    others
        Further columns that are no property of a document, such as scores of judges.

    Raises
    ------
    InputError
        If a named column is absent, or makes no groups.
    """
    present = list(names)
    if named is not None:
        return {name: _named(name, present, column) for name in named}
    left = [name for name in present if name not in _OWN and name not in set(others)]
    left.sort(key=lambda name: (name != FIRST, name != SECOND))
    columns: dict[str, Groups] = {}
    for name in left:
        groups = None if name.endswith("_id") else grouping(column(name), chosen=False)
        if groups is not None and len(columns) < MOST_COLUMNS:
            columns[name] = groups
    return columns


def _named(name: str, names: Sequence[str], column: Column) -> Groups:
    if name not in names:
        raise InputError(
            f"report.covariates names the column {name!r}, which the pool lacks; it has "
            f"{', '.join(map(repr, names))}. Fix the name, or leave the key out."
        )
    groups = grouping(column(name))
    if groups is None:
        raise InputError(
            f"report.covariates names the column {name!r}, which makes no groups: it needs at "
            f"least two values, at most {MOST_VALUES} unless they are numbers. Name another column."
        )
    return groups


def pool_groups(
    scored: pd.DataFrame,
    groups: dict[str, Groups],
    *,
    empty: Booleans,
    critical: Floats | None = None,
) -> tuple[PoolGroups, ...]:
    """Size, empty outputs, error rate and exact share of every group of every column.

    Groups by a text are in the order of their exact share, the best first; numbers keep theirs.
    """
    numbers = pd.DataFrame(
        {
            "edits": numeric_column(scored, "edit_distance"),
            "length": numeric_column(scored, "n_ref_chars"),
            "exact": numeric_column(scored, "exact_match"),
            "empty": empty,
            "critical": math.nan if critical is None else critical,
        }
    )
    return tuple(
        PoolGroups(
            column,
            of.quarters,
            _rows(numbers, of),
        )
        for column, of in groups.items()
    )


def _rows(numbers: pd.DataFrame, of: Groups) -> tuple[GroupRow, ...]:
    rows = [_row(name, numbers[of.code == code]) for code, name in of.order.items()]
    if of.numeric:
        return tuple(rows)
    worst = {row.name: -row.exact if math.isfinite(row.exact) else 1.0 for row in rows}
    return tuple(sorted(rows, key=lambda row: (row.name is None, worst[row.name])))


def _row(name: str | None, part: pd.DataFrame) -> GroupRow:
    length = float(part["length"].sum())
    return GroupRow(
        name,
        n=len(part),
        n_reference=int(part["exact"].notna().sum()),
        empty=int(part["empty"].sum()),
        cer=float(part["edits"].sum()) / length if length else math.nan,
        exact=float(part["exact"].mean()),
        judged=int(part["critical"].notna().sum()),
        critical=float(part["critical"].mean()),
    )
