"""Whether a text is a cron schedule of five fields."""

import re
from typing import NamedTuple


class _Field(NamedTuple):
    """One of the five fields: its name, its range and the words it knows."""

    name: str
    low: int
    high: int
    words: tuple[str, ...] = ()  # the first stands for `low`


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of the month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of the week", 0, 7, _DAYS),
)
_PART = re.compile(r"(?:\*|(?P<low>[0-9a-z]+)(?:-(?P<high>[0-9a-z]+))?)(?:/(?P<step>[0-9]+))?")


def cron_problem(text: str) -> str | None:
    """Reason why a text is not a cron schedule, None if it is one.

    Accepts ``*``, numbers, ranges, lists, steps, and the English names of months and days.

    >>> cron_problem("0 6 * * mon")
    >>> cron_problem("0 25 * * 1")
    "the hour '25' is not between 0 and 23"
    """
    fields = text.lower().split()
    if len(fields) != len(_FIELDS):
        return (
            f"it has {len(fields)} fields; five are needed: minute, hour, day of the month, month, "
            "day of the week"
        )
    problems = (
        _part_problem(part, field)
        for written, field in zip(fields, _FIELDS, strict=True)
        for part in written.split(",")
    )
    return next((problem for problem in problems if problem), None)


def _part_problem(part: str, field: _Field) -> str | None:
    """Problem of one part of a list, None if there is none."""
    match = _PART.fullmatch(part)
    if match is None or int(match["step"] or 1) == 0:
        return f"the {field.name} {part!r} is not written like *, 5, 1-5, 1,3,5 or */15"
    ends = [_number(end, field) for end in (match["low"], match["high"]) if end is not None]
    if any(end is None or not field.low <= end <= field.high for end in ends):
        return f"the {field.name} {part!r} is not between {field.low} and {field.high}"
    if len(ends) == 2 and (ends[0] or 0) > (ends[1] or 0):
        return f"the {field.name} {part!r} runs backwards"
    return None


def _number(word: str, field: _Field) -> int | None:
    """Number that a word stands for, None if it is not valid."""
    if word in field.words:
        return field.words.index(word) + field.low
    return int(word) if word.isdecimal() else None
