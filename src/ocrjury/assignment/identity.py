"""Ids of items and raters: checked, and put into an order of their own."""

import numbers
from collections.abc import Hashable, Iterable
from typing import Any

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
    ordered: list[Any] = list(ids)
    types = set(map(type, ordered))
    for kind in (str, numbers.Real):
        if all(issubclass(type_, kind) for type_ in types):
            return sorted(ordered)
    return sorted(ordered, key=lambda name: (type(name).__name__, repr(name)))


def distinct_ids(ids: Iterable[Hashable], what: str) -> list[Any]:
    """Ids in canonical order; a missing or repeated id is an error."""
    names = list(ids)
    doubtful = [] if {str} >= set(map(type, names)) else names
    # Nan is the only value that differs from itself.
    missing = [place for place, name in enumerate(doubtful) if name is None or name != name]  # noqa: PLR0124
    if missing:
        raise InputError(
            f"{what} need an id each; {len(missing)} have none, the first at place "
            f"{missing[0] + 1}. Remove them or name them."
        )
    if len(set(names)) != len(names):
        seen: set[Hashable] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # add() answers None
        raise InputError(
            f"{what} must be named once each; found {len(names)} names, {len(set(names))} of them "
            f"distinct, for example {twice!r} twice. Remove the repeated ones."
        )
    return canonical_order(names)
