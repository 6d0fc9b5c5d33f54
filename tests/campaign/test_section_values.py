from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign.section_values import cron_problem

BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))


def parts(low, high):
    number = st.integers(low, high)
    ranges = st.tuples(number, number).map(sorted).map(lambda ends: f"{ends[0]}-{ends[1]}")
    steps = st.builds("{}/{}".format, st.just("*") | ranges, st.integers(1, high))
    return st.one_of(st.just("*"), number.map(str), ranges, steps)


SCHEDULES = st.tuples(*(parts(low, high) for low, high in BOUNDS)).map(" ".join)


@pytest.mark.parametrize(
    "text",
    [
        *("0 6 * * 1", "*/15 9-17 * * mon-fri", "0 0 1,15 jan,JUL *", "5/20 * * * 0", "0 6 * * 7"),
        *("0 6 29 2 *", "0 6 31 */12 *", "0 6 31 4/4 *", "0 6 5,31 2 *", "0 6 */30 feb *"),
    ],
)
def test_a_common_schedule_is_accepted(text):
    assert cron_problem(text) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0 6 * *", "it has 4 fields; five are needed"),
        ("", "it has 0 fields; five are needed"),
        ("60 6 * * 1", "the minute '60' is not between 0 and 59"),
        ("0 6 0 * 1", "the day of the month '0' is not between 1 and 31"),
        ("0 6 * foo 1", "the month 'foo' is not between 1 and 12"),
        ("0 6 * * fri-mon", "the day of the week 'fri-mon' runs backwards"),
        ("0 6 * * */0", "the day of the week '*/0' is not written like *, 5, 1-5, 1,3,5 or */15"),
        ("0 6 * * 1,", "the day of the week '' is not written like"),
        ("@weekly * * * *", "the minute '@weekly' is not written like"),
        ("٣ 6 * * 1", "the minute '٣' is not written like"),
        ("0 6 31 2 *", "no month in '2' has a day in '31', so it would never run; take a day from"),
        ("0 6 30-31 feb *", "no month in 'feb' has a day in '30-31', so it would never run"),
        ("0 6 31 4/5,11 1", "no month in '4/5,11' has a day in '31'"),
    ],
)
def test_a_mistake_is_named_with_its_field(text, why):
    assert cron_problem(text).startswith(why)


@given(text=SCHEDULES)
def test_every_schedule_built_from_numbers_ranges_and_steps_is_accepted_if_it_ever_runs(text):
    assert "would never run" in (cron_problem(text) or "would never run")


@pytest.mark.oracle
@given(text=SCHEDULES)
def test_what_is_accepted_runs_in_another_cron_parser(text):
    import cronsim

    minute, hour, day, month, _ = text.split()
    start = datetime(2026, 11, 16, tzinfo=UTC)
    times = cronsim.CronSim(f"{minute} {hour} {day} {month} *", start)
    if cron_problem(text) is None:
        assert next(times) > start
    else:
        with pytest.raises(StopIteration):
            next(times)
