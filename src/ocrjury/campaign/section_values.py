"""Values of the keys of ``campaign.yaml``: counts, shares, words, addresses, schedules."""

import codecs
import re
from calendar import monthrange
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ocrjury.campaign.cells import is_email
from ocrjury.campaign.problems import shown

Seed = Annotated[int, Field(ge=0, le=2**63 - 1)]  # what both databases hold
CampaignName = Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", max_length=60)]


class Section(BaseModel):
    """Part of a campaign: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def _encoding(name: str) -> str:
    try:
        codecs.lookup(name)
    except LookupError as error:
        raise PydanticCustomError("encoding", "unknown encoding") from error
    return name


def checked_address(text: str) -> str:
    """Email address as it was given."""
    if not is_email(text):
        raise PydanticCustomError("address", "not an email address")
    return text


def _cron(text: str) -> str:
    if why := cron_problem(text):
        raise PydanticCustomError(
            "rule",
            "{message}",
            {"message": f"{shown(text)} is no schedule: {why}. Every Monday at six: '0 6 * * 1'."},
        )
    return text


_KEPT = re.compile(
    r"(?:PREFECT|PG|AWS|AZURE|GOOGLE)_?\w*|OCRJURY_(?:DATABASE_URL|PROXY_SECRET|METRICS_TOKEN)"
)
"""Variables with secrets of the machine; a campaign names those of a mail server of its own."""


def _own_variable(name: str) -> str:
    if _KEPT.fullmatch(name.upper()):
        message = (
            f"{name} is for this machine, and no campaign may send it to a server; name a variable "
            "of its own, such as OCRJURY_MAIL_PASSWORD."
        )
        raise PydanticCustomError("rule", "{message}", {"message": message})
    return name


Encoding = Annotated[str, AfterValidator(_encoding)]


Address = Annotated[str, AfterValidator(checked_address)]


Cron = Annotated[str, AfterValidator(_cron)]


Count = Annotated[int, Field(ge=0)]


Positive = Annotated[int, Field(ge=1)]


Share = Annotated[float, Field(ge=0, le=1)]


PositiveShare = Annotated[float, Field(gt=0, le=1)]


Word = Annotated[str, Field(min_length=1)]


Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"), AfterValidator(_own_variable)]


JudgeName = Annotated[str, Field(pattern=r"^\w[\w .-]{0,29}$")]


Columns = Annotated[dict[str, Word], Field(min_length=1)]


A_COUNT, A_POSITIVE = "a whole number of at least 0", "a whole number of at least 1"


A_LANGUAGE = "one of en, ko and zh"


A_SHARE = "a number from 0 to 1"


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


_LEAP_YEAR = 2024


_PART = re.compile(r"(?:\*|(?P<low>[0-9a-z]+)(?:-(?P<high>[0-9a-z]+))?)(?:/(?P<step>[0-9]+))?")


def cron_problem(text: str) -> str | None:
    """Reason why a text is not a cron schedule, None if it is one.

    Accepts ``*``, numbers, ranges, lists, steps, and the English names of months and days.

    >>> cron_problem("0 6 * * mon")
    >>> cron_problem("0 25 * * 1")
    "the hour '25' is not between 0 and 23"
    >>> cron_problem("0 6 31 feb *")
    "no month in 'feb' has a day in '31', so it would never run; take a day from 1 to 29"
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
    return next((problem for problem in problems if problem), None) or _never(*fields[2:4])


def _never(days: str, months: str) -> str | None:
    """Reason why no month has such a day; Prefect then fails whatever the day of the week."""
    first = min(_numbers(days, _FIELDS[2]))
    longest = max(monthrange(_LEAP_YEAR, month)[1] for month in _numbers(months, _FIELDS[3]))
    if first <= longest:
        return None
    return (
        f"no month in {months!r} has a day in {days!r}, so it would never run; take a day from 1 "
        f"to {longest}"
    )


def _numbers(written: str, field: _Field) -> set[int]:
    """Numbers that a valid field stands for."""
    numbers: set[int] = set()
    for part in written.split(","):
        match = _PART.fullmatch(part)
        low, high, step = match.groups() if match else (None, None, None)
        first = _number(low, field) if low else None
        alone = None if step else first
        last = _number(high, field) if high else alone
        numbers |= set(range(first or field.low, (last or field.high) + 1, int(step or 1)))
    return numbers


def _part_problem(part: str, field: _Field) -> str | None:
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
    if word in field.words:
        return field.words.index(word) + field.low
    return int(word) if word.isdecimal() else None
