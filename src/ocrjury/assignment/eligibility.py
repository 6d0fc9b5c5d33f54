"""Eligible and previous raters of each item: pairs of ids turned into indices.

Items for which the same raters are eligible share one row of a table, so that a million items of
a few languages and document types take a few rows and not a million.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix

from ocrjury.arrays import Booleans, Integers
from ocrjury.errors import InputError

Eligible = Mapping[Any, Iterable[Hashable]] | pd.DataFrame | None
Places = Mapping[Any, int]


def read_eligible(
    eligible: Eligible, items: list[Any], raters: list[Any]
) -> tuple[Integers, Booleans]:
    """Kind of every item, shape (N,), and who may rate each kind, shape (K, R)."""
    if eligible is None:
        return np.zeros(len(items), dtype=np.int64), np.ones((1, len(raters)), dtype=bool)
    place = {name: number for number, name in enumerate(raters)}
    kinds: dict[bytes, int] = {}
    kind = np.fromiter(
        (kinds.setdefault(may, len(kinds)) for may in _eligible_places(eligible, items, place)),
        dtype=np.int64,
        count=len(items),
    )
    allowed = np.zeros((len(kinds), len(raters)), dtype=bool)
    for may, row in kinds.items():
        allowed[row, np.frombuffer(may, dtype=np.int64)] = True
    return kind, allowed


def read_previous(
    previous: pd.DataFrame | None, items: list[Any], raters: list[Any]
) -> tuple[Integers, Integers]:
    """Earlier raters of every item, and on how many items any two of them met.

    Returns
    -------
    tuple
        Places of raters, shape (N, P) for at most P earlier raters, R where there are fewer; and
        meetings, shape (R, R), items outside the present ones included.
    """
    n_raters = len(raters)
    meetings = np.zeros((n_raters, n_raters), dtype=np.int64)
    if previous is None:
        return np.empty((len(items), 0), dtype=np.int64), meetings
    place = {name: number for number, name in enumerate(raters)}
    numbers = {name: number for number, name in enumerate(items)}
    item_names, rater_names = _columns(previous, "previous")
    pairs = np.array(
        [
            (numbers.setdefault(item, len(numbers)), place[rater])
            for item, rater in zip(item_names, rater_names, strict=True)
            if rater in place
        ],
        dtype=np.int64,
    ).reshape(-1, 2)
    pairs = np.unique(pairs, axis=0)
    met = csr_matrix(
        (np.ones(len(pairs), dtype=np.int64), (pairs[:, 0], pairs[:, 1])),
        shape=(len(numbers), n_raters),
    )
    meetings += np.asarray((met.T @ met).toarray(), dtype=np.int64)
    np.fill_diagonal(meetings, 0)
    return _padded(pairs[pairs[:, 0] < len(items)], len(items), n_raters), meetings


def _eligible_places(eligible: Any, items: list[Any], place: Places) -> Iterator[bytes]:
    """Yield the places of the raters of every item, sorted, as bytes."""
    if isinstance(eligible, pd.DataFrame):
        by_item: dict[Any, list[Any]] = {}
        for item, rater in zip(*_columns(eligible, "eligible"), strict=True):
            by_item.setdefault(item, []).append(rater)
        eligible = by_item
    known: dict[tuple[Any, ...], bytes] = {}
    for item in items:
        names = tuple(eligible.get(item, ()))
        if names not in known:
            places = sorted({place[name] for name in names if name in place})
            known[names] = np.array(places, dtype=np.int64).tobytes()
        yield known[names]


def _columns(pairs: pd.DataFrame, what: str) -> tuple[list[Any], list[Any]]:
    """Items and raters of a frame."""
    absent = [name for name in ("item", "rater") if name not in pairs.columns]
    if absent:
        raise InputError(
            f"{what} needs the columns 'item' and 'rater'; {', '.join(map(repr, absent))} not "
            f"found among {', '.join(map(repr, pairs.columns))}."
        )
    return pairs["item"].tolist(), pairs["rater"].tolist()


def _padded(pairs: Integers, n_items: int, nobody: int) -> Integers:
    """Sorted pairs of item and rater as one row per item."""
    number = np.bincount(pairs[:, 0], minlength=n_items)
    start = np.concatenate([[0], np.cumsum(number)[:-1]]) if n_items else number
    rows = np.full((n_items, int(number.max(initial=0))), nobody, dtype=np.int64)
    rows[pairs[:, 0], np.arange(len(pairs)) - start[pairs[:, 0]]] = pairs[:, 1]
    return rows
