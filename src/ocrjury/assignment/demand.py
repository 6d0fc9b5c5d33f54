"""Demands on an assignment: N items that need ratings, R raters who may give them.

Items with the same number of wanted ratings and the same raters in question form a group; all
further work is done per group, because its items differ in nothing but their names.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Integers
from ocrjury.assignment.eligibility import Eligible, read_eligible, read_previous
from ocrjury.assignment.identity import distinct_ids
from ocrjury.errors import InputError

Capacity = int | Mapping[Any, float | None] | None


@dataclass(frozen=True, slots=True, eq=False)
class Demand:
    """Items and raters in canonical order, and what is asked of them.

    Attributes
    ----------
    items, raters
        Ids, N and R of them.
    need
        New ratings wanted of each item, shape (N,).
    kind
        Row of ``allowed`` that holds for each item, shape (N,).
    allowed
        Whether a rater may rate items of a kind, shape (K, R); earlier ratings aside.
    before
        Places of the raters who rated an item before and must not again, shape (N, P), R where
        there are fewer than P.
    capacity
        Most ratings that each rater can give, shape (R,).
    meetings
        On how many items two raters met before, these or others, shape (R, R).
    """

    items: list[Any]
    raters: list[Any]
    need: Integers
    kind: Integers
    allowed: Booleans
    before: Integers
    capacity: Integers
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
    """Demand with checked ids, numbers and pairs."""
    item_ids = distinct_ids(items, "items")
    rater_ids = distinct_ids(raters, "raters")
    need = _needs(raters_per_item, item_ids)
    kind, allowed = read_eligible(eligible, item_ids, rater_ids)
    before, meetings = read_previous(previous, item_ids, rater_ids)
    limits = _capacities(capacity, rater_ids, int(need.sum()))
    return Demand(item_ids, rater_ids, need, kind, allowed, before, limits, meetings)


def group_items(demand: Demand, *, with_before: bool = True) -> Groups:
    """Items of a demand that need ratings, in groups of like items.

    Parameters
    ----------
    with_before
        Whether earlier ratings count, which can make nearly as many groups as items.
    """
    wanted = np.flatnonzero(demand.need)
    keys = np.column_stack([demand.need, demand.kind, *([demand.before] if with_before else [])])
    keys = keys[wanted]
    order = np.lexsort(keys.T[::-1])
    new = np.ones(len(order), dtype=bool)
    new[1:] = (keys[order[1:]] != keys[order[:-1]]).any(axis=1)
    first = np.flatnonzero(new)
    representative = wanted[order[first]]
    allowed = demand.allowed[demand.kind[representative]]
    if with_before:
        group, place = np.nonzero(demand.before[representative] < len(demand.raters))
        allowed[group, demand.before[representative[group], place]] = False
    members = np.split(wanted[order], first[1:]) if len(first) else []
    size = np.diff(np.append(first, len(order)))
    return Groups(members, size, demand.need[representative], allowed)


def _needs(raters_per_item: int | Mapping[Any, int], items: list[Any]) -> Integers:
    """Ratings wanted of each item."""
    if not isinstance(raters_per_item, Mapping):
        _check_counts([raters_per_item], "raters_per_item must be whole numbers, none below 0")
        return np.full(len(items), int(raters_per_item), dtype=np.int64)
    absent = [name for name in items if name not in raters_per_item]
    if absent or len(raters_per_item) > len(items):
        strange = set(raters_per_item) - set(items)
        raise InputError(
            f"raters_per_item must name every item and no other; {len(absent)} item(s) are "
            f"absent{_first(absent)}, {len(strange)} name(s) are no item{_first(strange)}."
        )
    wanted = [raters_per_item[name] for name in items]
    _check_counts(wanted, "raters_per_item must be whole numbers, none below 0")
    return np.array(wanted, dtype=np.int64)


def _capacities(capacity: Capacity, raters: list[Any], total: int) -> Integers:
    """Most ratings of each rater; whoever has no limit can do all of them."""
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
    numbers = [total if limit is None or _is_nan(limit) else limit for limit in limits]
    _check_counts(numbers, "capacity must be whole numbers, none below 0, or None for no limit")
    return np.minimum(np.array(numbers, dtype=np.int64), total)


def _is_nan(limit: Any) -> bool:
    """Return whether a capacity was left open, as nan from an empty cell."""
    return bool(limit != limit)  # noqa: PLR0124  # only nan differs from itself


def _check_counts(numbers: Iterable[Any], rule: str) -> None:
    """Raise if a value is no whole number from 0; equal values are looked at once."""
    for number in dict.fromkeys(numbers):
        whole = isinstance(number, int | float | np.number) and float(number).is_integer()
        if not whole or float(number) < 0:
            raise InputError(f"{rule}; found {number!r}.")


def _first(names: Iterable[Any]) -> str:
    """Example in words, empty without names."""
    return next((f" (for example {name!r})" for name in sorted(names, key=repr)), "")
