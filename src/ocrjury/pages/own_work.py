"""Limits on the work of a block that somebody brings: no endless loop, no endless text."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from jinja2 import TemplateRuntimeError

LARGEST: Final = 5_000_000
"""Characters that one step of a block may make."""
MOST: Final = 100_000_000
"""Characters that all steps of a block may make together."""
TURN: Final = 500
"""Characters as which a turn of a loop and a call of a macro count."""
_LONGEST_NUMBER: Final = 4_096
"""Bits of a whole number."""
_WIDE = re.compile(r"\*|\d{5}|\{[^}]*\{")
"""Pattern of formats in ``%`` or ``{}`` that fill a text up."""
_left: ContextVar[int | None] = ContextVar("left", default=None)


@contextmanager
def working() -> Iterator[None]:
    """Count the work of a block."""
    before = _left.set(MOST)
    try:
        yield
    finally:
        _left.reset(before)


def spend(characters: int = TURN) -> None:
    """Take note of work before it is done.

    Raises
    ------
    TemplateRuntimeError
        It would be too much.
    """
    left = _left.get()
    if left is None:
        return
    if characters > min(left, LARGEST):
        raise TemplateRuntimeError("this is too much work for a block")
    _left.set(left - characters)


def spend_on(values: tuple[Any, ...]) -> None:
    """Take note of a step on some values, of which a text or list is as long as it says."""
    size = 1
    for at, value in enumerate(values):
        size *= max(1, _size(value) if at or not isinstance(value, int) else 1)
    spend(size)


def check_format(pattern: object) -> None:
    """Refuse a format that fills a text up."""
    if _left.get() is not None and isinstance(pattern, str) and _WIDE.search(pattern):
        raise TemplateRuntimeError("a width of five digits or more has no place in a block")


def check_sign(operator: str, left: Any, right: Any) -> None:
    """Take note of what a sign between two values makes."""
    if isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length() * (abs(right) if operator == "**" else 1) + right.bit_length()
        if bits > _LONGEST_NUMBER:
            raise TemplateRuntimeError("a number of more than a thousand digits has no place here")
    elif operator == "%":
        check_format(left)
        spend_on((left, right))
    elif operator == "*":
        spend_on((left, right) if isinstance(right, int) else (right, left))
    elif isinstance(left, str | list | tuple):
        spend(len(left) + len(right))


def _size(value: object) -> int:
    """Upper bound of what a value adds to a text."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return sum(len(part) if isinstance(part, str) else 1 for part in value)
    return abs(value) if isinstance(value, int) else 1
