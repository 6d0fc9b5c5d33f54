"""Dates written year first: in Korean, Chinese, Japanese or ISO form."""

import datetime as dt
import re

from ocrjury.normal_forms import normal_form

_DATE = re.compile(
    r"(?<!\d)(?P<year>\d{4}|\d{2})\s*(?:[-–./]|년|年)"
    r"\s*(?P<month>\d{1,2})\s*(?:[-–./]|월|月)"
    r"\s*(?P<day>\d{1,2})(?!\d)|(?<!\d)(?P<compact>\d{8})(?!\d)"
)
# Years of an era, in Japan and Taiwan and on old Korean documents, are not those of a century.
_ERA = re.compile("令和|平成|昭和|大正|明治|民[國国]|단기|檀[紀纪]")
_CENTURY_TURN = 70  # two-digit years below it are in the 2000s


def read_dates(text: str) -> str | None:
    """Dates of a text in ISO form, joined by a slash.

    None if there is no date, a date that does not exist, a digit outside the dates, or the name of
    an era.

    >>> read_dates("2024년 8월 3일"), read_dates("24.8.3 ~ 2024-09-08"), read_dates("2024-13-01")
    ('2024-08-03', '2024-08-03/2024-09-08', None)
    """
    plain = normal_form("NFKC", text)
    days = [_day(match) for match in _DATE.finditer(plain)]
    rest = _DATE.sub("", plain)
    if not days or None in days or any(map(str.isdecimal, rest)) or _ERA.search(rest):
        return None
    return "/".join(day.isoformat() for day in days if day is not None)


def _day(match: re.Match[str]) -> dt.date | None:
    """Calendar day of a match, None if there is no such day."""
    if compact := match["compact"]:
        year, month, day = compact[:4], compact[4:6], compact[6:]
    else:
        year, month, day = match["year"], match["month"], match["day"]
    century = 0 if len(year) == 4 else (2000 if int(year) < _CENTURY_TURN else 1900)
    try:
        return dt.date(century + int(year), int(month), int(day))
    except ValueError:
        return None
