"""The period that an evaluation stands for."""

from datetime import datetime
from zoneinfo import ZoneInfo

from ocrjury.errors import InputError

PERIOD = r"^\w[\w.-]{0,59}$"
"""Pattern of a period, which ends the name of an evaluation."""

NAME_OF_EVALUATION = r"^[a-z0-9][a-z0-9-]*-[^\s/]{1,60}$"
"""Pattern of the name of an evaluation: its campaign, a hyphen, its period.

A browser, too, goes by it: letters of a period are not spelt as those of Python, which has more.
"""


def period_name(at: datetime, time_zone: str) -> str:
    """ISO year and week of a moment in a time zone.

    Monday morning in Seoul is still Sunday in UTC, hence the campaign's own zone.

    Raises
    ------
    InputError
        If the moment has no time zone.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> monday_six_in_seoul = datetime(2026, 11, 15, 21, tzinfo=UTC)
    >>> period_name(monday_six_in_seoul, "Asia/Seoul"), period_name(monday_six_in_seoul, "UTC")
    ('2026w47', '2026w46')
    """
    if at.tzinfo is None:
        raise InputError(f"period_name needs a moment with a time zone; found {at.isoformat()}.")
    year, week, _ = at.astimezone(ZoneInfo(time_zone)).isocalendar()
    return f"{year}w{week:02d}"
