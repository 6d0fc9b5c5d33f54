"""Ids of items and raters: checked, and put into an order of their own."""

import numbers
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from ocrjury.errors import InputError


def canonical_order(ids: Iterable[Hashable]) -> list[Any]:
    """Ids in an order that does not depend on the order in which they came.

    Examples
    --------
    >>> canonical_order(["b", "a"])
    ['a', 'b']
    >>> canonical_order([10, 9])
    [9, 10]
    """
    found: list[Any] = list(ids)
    types = set(map(type, found))
    for kind in (str, numbers.Real):
        if all(issubclass(one, kind) for one in types):
            return sorted(found)
    return sorted(found, key=lambda name: (type(name).__name__, repr(name)))


def distinct_ids(ids: Iterable[Hashable], what: str) -> list[Any]:
    """Ids in canonical order; raise if one is missing or comes twice."""
    found = list(ids)
    missing = [] if {str} >= set(map(type, found)) else _missing(found)
    if missing:
        raise InputError(
            f"{what} need an id each; {len(missing)} have none, the first at place "
            f"{missing[0] + 1}. Remove them or name them."
        )
    if len(set(found)) != len(found):
        seen: set[Hashable] = set()
        twice = next(name for name in found if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # add() answers None
        raise InputError(
            f"{what} must be named once each; found {len(found)} names, {len(set(found))} of them "
            f"distinct, for example {twice!r} twice. Remove the repeated ones."
        )
    return canonical_order(found)


def _missing(ids: list[Any]) -> list[int]:
    """Places of None and nan, the only value that differs from itself."""
    return [place for place, name in enumerate(ids) if name is None or name != name]  # noqa: PLR0124


def shuffled(ids: list[Any], rng: np.random.Generator) -> list[Any]:
    """Ids in random order."""
    return [ids[place] for place in rng.permutation(len(ids))]
