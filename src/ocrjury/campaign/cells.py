"""Cells of the rater registry: each is parsed, or refused by a ValueError that says what fits."""

import re
from collections.abc import Callable
from datetime import date
from typing import Literal, get_args

from ocrjury.plain_numbers import plain_number

Role = Literal["rater", "adjudicator", "expert"]
ROLES: tuple[Role, ...] = get_args(Role)


def is_email(text: str) -> bool:
    """Return whether a text is a plain email address, which a mail header takes as one recipient.

    Examples
    --------
    >>> [is_email(text) for text in ("kim@example.org", "mailto:kim@example.org", "kim@[a")]
    [True, False, False]
    """
    part = r"[^@\s,;:<>()\[\]\\\"\x00-\x1f\x7f]+"
    return re.fullmatch(f"{part}@{part}", text) is not None


def pseudonym(text: str) -> str:
    """Name that reports may print."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,31}", text):
        raise ValueError("a letter and then letters, digits, - or _, such as R01")
    return text


def email(text: str) -> str:
    """Email address that a mail header can hold."""
    if not is_email(text):
        raise ValueError("an email address, or empty")
    return text


def role(text: str) -> Role:
    """Role, however it is capitalised."""
    for known in ROLES:
        if text.lower() == known:
            return known
    raise ValueError(f"one of {', '.join(ROLES)}")


def words(text: str) -> tuple[str, ...]:
    """Parts of a cell between semicolons."""
    return tuple(part for each in text.split(";") if (part := each.strip()))


def languages(text: str) -> tuple[str, ...]:
    """Codes of languages; two of them without a semicolon would be one that nobody has."""
    codes = words(text)
    if any(re.search(r"[\s,|/]", code) for code in codes):
        raise ValueError("codes of languages with semicolons between them, such as en;ko")
    return codes


def cost(text: str) -> float:
    """Price of a rating."""
    return _number(text, "a number of at least 0", within=lambda number: number >= 0)


def minutes(text: str) -> float:
    """Minutes per item."""
    return _number(text, "a number above 0, or empty", within=lambda number: number > 0)


def capacity(text: str) -> int:
    """Ratings per round, no more than a database counts."""
    if not (text.isascii() and text.isdecimal()):
        raise ValueError("a whole number of ratings per round, or empty for no limit")
    return min(int(text), 2**31 - 1)


def days(text: str) -> tuple[date, ...]:
    """One or more days."""
    try:
        return tuple(date.fromisoformat(part.strip()) for part in text.split(";") if part.strip())
    except ValueError:
        raise ValueError("dates such as 2026-11-23, separated by semicolons") from None


def _number(text: str, allowed: str, *, within: Callable[[float], bool]) -> float:
    number = plain_number(text)
    if number is None or not within(number) or number == float("inf"):
        raise ValueError(allowed)
    return number
