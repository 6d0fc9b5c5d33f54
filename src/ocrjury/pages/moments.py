"""Moments as people of a time zone write them."""

from datetime import datetime
from zoneinfo import ZoneInfo


def local_minute(moment: datetime, zone: str) -> str:
    """A moment to the minute, with the zone that it is told in.

    Examples
    --------
    >>> local_minute(datetime.fromisoformat("2026-11-16T00:00Z"), "Asia/Seoul")
    '2026-11-16 09:00 Asia/Seoul'
    """
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"
