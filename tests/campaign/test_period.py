from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign import period_name
from ocrjury.errors import InputError

SEOUL = ZoneInfo("Asia/Seoul")


def test_monday_at_six_in_seoul_belongs_to_the_week_that_begins_there():
    monday = datetime(2026, 11, 16, 6, tzinfo=SEOUL)

    assert monday.astimezone(UTC).strftime("%A") == "Sunday"
    assert period_name(monday, "Asia/Seoul") == "2026w47"
    assert period_name(monday, "UTC") == "2026w46"


@pytest.mark.parametrize(
    ("day", "name"),
    [
        ((2027, 1, 1), "2026w53"),  # a Friday: the week has most of its days in 2026
        ((2027, 1, 4), "2027w01"),
        ((2024, 12, 30), "2025w01"),
    ],
)
def test_the_year_is_that_of_the_iso_week(day, name):
    assert period_name(datetime(*day, tzinfo=UTC), "UTC") == name


def test_a_moment_without_a_zone_is_refused():
    naive = datetime(2026, 11, 16, 6)  # noqa: DTZ001  # that is the point

    with pytest.raises(
        InputError, match=r"needs a moment with a time zone; found 2026-11-16T06:00:00"
    ):
        period_name(naive, "UTC")


@given(moment=st.datetimes(min_value=datetime(2000, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001  # bound of a strategy
def test_names_sort_as_weeks_do(moment):
    name = period_name(moment, "Asia/Seoul")

    assert len(name) == 7
    assert name <= period_name(
        moment.replace(year=min(moment.year + 1, 9998), day=28), "Asia/Seoul"
    )
