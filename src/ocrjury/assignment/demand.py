"""What an assignment has to fulfil: N items that need ratings, R raters who may give them.

Items with the same number of wanted ratings and the same raters in question form a group; all
further work is done per group, because its items differ in nothing but their names.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import csr_matrix

from ocrjury.assignment.identity import distinct_ids
from ocrjury.errors import InputError

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
Capacity = int | Mapping[Any, float | None] | None
Eligible = Mapping[Any, Iterable[Hashable]] | pd.DataFrame | None


@dataclass(frozen=True, slots=True, eq=False)
class Demand:
    """Items and raters in canonical order, and what is asked of them.

    Attributes
    ----------
    items, raters
        Ids, N and R of them.
    need
        New ratings wanted of each item, shape (N,).
    allowed
        Whether a rater may rate an item, shape (N, R); None if everyone may rate everything.
    capacity
        Most ratings that each rater can give, shape (R,).
    partners
        Places of the raters who rated an item before, one tuple per item.
    meetings
        On how many items two raters met before, these or others, shape (R, R).
    """

    items: list[Any]
    raters: list[Any]
    need: Integers
    allowed: Booleans | None
    capacity: Integers
    partners: list[tuple[int, ...]]
    meetings: Integers


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """C groups of like items.

    Attributes
    ----------
    members
        Places of each group's items, C arrays.
    size, need
        Number of items and ratings wanted of each, shape (C,).
    allowed
        Whether a rater may rate the group's items, shape (C, R).
    """

    members: list[Integers]
    size: Integers
    need: Integers
    allowed: Booleans


def read_demand(
    items: Sequence[Hashable],
    raters: Sequence[Hashable],
    *,
    raters_per_item: int | Mapping[Any, int],
    capacity: Capacity,
    eligible: Eligible,
    previous: pd.DataFrame | None,
) -> Demand:
    """Return the checked demand."""
    item_ids = distinct_ids(items, "items")
    rater_ids = distinct_ids(raters, "raters")
    place_of_item = {name: place for place, name in enumerate(item_ids)}
    place_of_rater = {name: place for place, name in enumerate(rater_ids)}
    need = _needs(raters_per_item, item_ids)
    before = _places(_pairs(previous, "previous"), place_of_item, place_of_rater)
    allowed = None
    if eligible is not None or len(before):
        allowed = np.full((len(item_ids), len(rater_ids)), eligible is None)
        if eligible is not None:
            may = _places(_pairs(eligible, "eligible"), place_of_item, place_of_rater)
            allowed[may[:, 0], may[:, 1]] = True
        allowed[before[:, 0], before[:, 1]] = False
    limits = _capacities(capacity, rater_ids, int(need.sum()))
    partners = _partners(before, len(item_ids))
    meetings = _meetings(_pairs(previous, "previous"), place_of_rater)
    return Demand(item_ids, rater_ids, need, allowed, limits, partners, meetings)


def group_items(demand: Demand) -> Groups:
    """Return the items of a demand that need ratings, in groups of like items."""
    wanted = np.flatnonzero(demand.need)
    n_raters = len(demand.raters)
    if demand.allowed is None:
        key = demand.need[wanted][:, None]
    else:
        key = np.column_stack([demand.need, np.packbits(demand.allowed, axis=1)])[wanted]
    _, first, group, size = np.unique(
        key, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    representative = wanted[first]
    members = np.split(wanted[np.argsort(group.ravel(), kind="stable")], np.cumsum(size)[:-1])
    allowed = (
        np.ones((len(size), n_raters), dtype=bool)
        if demand.allowed is None
        else demand.allowed[representative]
    )
    return Groups(members if len(size) else [], size, demand.need[representative], allowed)


def _needs(raters_per_item: int | Mapping[Any, int], items: list[Any]) -> Integers:
    """Return the ratings wanted of each item."""
    if isinstance(raters_per_item, Mapping):
        absent = [name for name in items if name not in raters_per_item]
        strange = set(raters_per_item) - set(items)
        if absent or strange:
            raise InputError(
                f"raters_per_item must name every item and no other; {len(absent)} item(s) are "
                f"absent{_first(absent)}, {len(strange)} name(s) are no item{_first(strange)}."
            )
        wanted = [raters_per_item[name] for name in items]
    else:
        wanted = [raters_per_item] * len(items)
    wrong = [number for number in wanted if not _is_count(number)]
    if wrong:
        raise InputError(
            f"raters_per_item must be whole numbers, none below 0; found {wrong[0]!r}."
        )
    return np.array(wanted, dtype=np.int64)


def _capacities(capacity: Capacity, raters: list[Any], total: int) -> Integers:
    """Return the most ratings of each rater; whoever has no limit can do all of them."""
    if isinstance(capacity, Mapping):
        strange = set(capacity) - set(raters)
        if strange:
            raise InputError(
                f"capacity names {len(strange)} rater(s) who are not among the raters"
                f"{_first(strange)}. Remove them, or add them to raters."
            )
        limits = [capacity.get(name) for name in raters]
    else:
        limits = [capacity] * len(raters)
    numbers = [total if _unlimited(limit) else limit for limit in limits]
    wrong = [number for number in numbers if not _is_count(number)]
    if wrong:
        raise InputError(
            f"capacity must be whole numbers, none below 0, or None for no limit; found "
            f"{wrong[0]!r}."
        )
    return np.minimum(np.array(numbers, dtype=np.int64), total)


def _unlimited(limit: float | None) -> bool:
    """Return whether a capacity was left open (None, or nan from an empty cell)."""
    return limit is None or limit != limit  # noqa: PLR0124  # only nan differs from itself


def _is_count(number: Any) -> bool:
    """Return whether a value is a whole number from 0."""
    if not isinstance(number, int | float | np.number):
        return False
    plain = float(number)
    return plain >= 0 and plain.is_integer()


def _pairs(pairs: Eligible, what: str) -> list[tuple[Any, Any]]:
    """Return pairs of item and rater from a frame or from {item: raters}."""
    if pairs is None:
        return []
    if isinstance(pairs, pd.DataFrame):
        absent = [name for name in ("item", "rater") if name not in pairs.columns]
        if absent:
            raise InputError(
                f"{what} needs the columns 'item' and 'rater'; {', '.join(map(repr, absent))} not "
                f"found among {', '.join(map(repr, pairs.columns))}."
            )
        return list(zip(pairs["item"].tolist(), pairs["rater"].tolist(), strict=True))
    return [(item, rater) for item, raters in pairs.items() for rater in raters]


def _places(
    pairs: list[tuple[Any, Any]], items: dict[Any, int], raters: dict[Any, int]
) -> Integers:
    """Return places of the pairs whose item and rater are both present, shape (p, 2), distinct."""
    found = [
        (items[item], raters[rater]) for item, rater in pairs if item in items and rater in raters
    ]
    return np.unique(np.array(found, dtype=np.int64).reshape(-1, 2), axis=0)


def _partners(before: Integers, n_items: int) -> list[tuple[int, ...]]:
    """Return the earlier raters of each item."""
    if not len(before):
        return [()] * n_items
    cuts = np.searchsorted(before[:, 0], np.arange(1, n_items))
    return [tuple(raters.tolist()) for raters in np.split(before[:, 1], cuts)]


def _meetings(pairs: list[tuple[Any, Any]], raters: dict[Any, int]) -> Integers:
    """Return on how many items two raters met."""
    items: dict[Any, int] = {}
    known = [
        (items.setdefault(item, len(items)), raters[rater])
        for item, rater in pairs
        if rater in raters
    ]
    seen = csr_matrix(
        (np.ones(len(known), dtype=np.int64), np.array(known, dtype=np.int64).reshape(-1, 2).T),
        shape=(len(items), len(raters)),
    )
    seen.data[:] = 1
    meetings = np.asarray((seen.T @ seen).toarray(), dtype=np.int64)
    np.fill_diagonal(meetings, 0)
    return meetings


def _first(names: Iterable[Any]) -> str:
    """Return an example in words, nothing if there is none."""
    return next((f" (for example {name!r})" for name in sorted(names, key=repr)), "")
