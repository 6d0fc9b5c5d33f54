"""Charts of a round over time and of agreement by items."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from ocrjury import Estimate
from ocrjury.frontends.web.desk.bodies import RoundBody
from ocrjury.frontends.web.desk.round_course import (
    MOST_POINTS,
    _agreement_chart,
    expected,
    pace_chart,
)
from ocrjury.pages.environment import environment
from ocrjury.store.database import writing
from ocrjury.store.rounds import close_round

OPENED = datetime(2026, 11, 20, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


def a_round(done, *, state="open", overdue=False):
    return RoundBody(
        number=1,
        kind="main",
        attempt=1,
        state=state,
        done=done,
        asked=100,
        opened_at=OPENED,
        deadline=OPENED + 100 * HOUR,
        overdue=overdue,
        closed_by=None,
    )


def moments(done, *, until=50):
    return [OPENED + HOUR * until * (place + 1) / done for place in range(done)]


@pytest.mark.parametrize(
    ("done", "hours", "state", "title"),
    [
        (50, 50, "open", "Assignments are done at an even pace"),
        (61, 50, "open", "11 assignments ahead of an even pace"),
        (49, 50, "open", "1 assignment behind an even pace"),
        (99, 101, "open", "1 assignment is missing after the deadline"),
        (100, 50, "closed", "All 100 assignments are done"),
        (40, 120, "closed", "40 of 100 assignments were done"),
        (0, 10, "open", "10 assignments behind an even pace"),
    ],
)
def test_the_title_of_a_round_is_how_it_stands_to_its_deadline(done, hours, state, title):
    round_ = a_round(done, state=state, overdue=state == "open" and hours > 100)

    chart = pace_chart(moments(done) if done else [], round_, now=OPENED + hours * HOUR)

    assert chart.title == title
    assert chart.spoken.startswith(title)


def test_the_note_says_when_the_last_rating_comes_at_this_pace():
    now = OPENED + 50 * HOUR

    assert pace_chart(moments(25), a_round(25), now=now).note == (
        "At the average pace so far, the last assignment is done on 2026-11-28 17:00 UTC."
    )
    assert pace_chart(moments(4), a_round(4), now=now).note == ""
    assert pace_chart(moments(25), a_round(25, state="closed"), now=now).note == ""


def test_a_long_round_is_drawn_with_few_points_that_end_where_it_stands():
    chart = pace_chart(moments(99), a_round(99), now=OPENED + 60 * HOUR)

    assert len(chart.points) == MOST_POINTS
    assert chart.points[0] == (moments(99)[0].timestamp(), 1)
    assert chart.points[-1] == ((OPENED + 50 * HOUR).timestamp(), 99)
    assert [tick.label for tick in chart.ticks] == ["11-21", "11-22", "11-23", "11-24"]


def test_an_even_pace_never_asks_for_more_than_the_round():
    assert expected(a_round(0), now=OPENED - HOUR) == 0
    assert expected(a_round(0), now=OPENED + 400 * HOUR) == 100


def test_the_overview_draws_the_round_and_the_agreement_by_items(
    measured, rate, keep_interim, at_desk
):
    place = measured(items=20, share=0.5)
    rate(place, share=1)
    keep_interim(place)

    page = at_desk(place).ask("GET", f"/desk/{place.evaluation}").text

    charts = page.partition('aria-labelledby="over-time"')[2].partition("</section>")[0]
    assert charts.count('<svg xmlns="http://www.w3.org/2000/svg"') == 3
    assert "<h3>All 60 assignments are done</h3>" in charts
    assert "Krippendorff's alpha with its 95% interval, by number of items." in charts.replace(
        "&#39;", "'"
    )
    assert "at 20 items:" in charts


def test_a_share_is_drawn_and_told_in_percent():
    points = [Estimate(0.9, 0.8, 0.95, n_items=20), Estimate(0.927, 0.89, 0.96, n_items=40)]
    source = '{% from "shared/history.svg.j2" import history %}{{ history(chart, "floor") }}'

    chart = _agreement_chart("Meaning: 93%", "adjacent_agreement", points, floor=0.75)
    drawn = environment().from_string(source).render(chart=chart)

    assert "40 items: 92.7% (89.0% to 96.0%)" in chart.spoken
    assert chart.note == "Interval at 20 items: 80.0% to 95.0%; at 40 items: 89.0% to 96.0%."
    assert {">93%<", ">70%<", ">100%<"} <= set(re.findall(r">[^<>]+<", drawn))


def test_a_round_that_was_closed_too_early_tells_how_much_it_had_asked_for(measured, at_desk):
    place = measured(items=20, share=0.5)
    with writing(place.store.engine) as connection:
        close_round(connection, place.evaluation, by="overdue", now=datetime.now(UTC))
    desk = at_desk(place)

    page = desk.ask("GET", f"/desk/{place.evaluation}").text
    told = desk.json(f"/api/evaluations/{place.evaluation}")

    assert "<h3>30 of 60 assignments were done</h3>" in page
    assert "30 of 60</td>" in page
    assert (told["round"]["done"], told["round"]["asked"]) == (30, 60)
    [listed] = [
        one for one in desk.json("/api/evaluations") if one["evaluation"] == place.evaluation
    ]
    assert listed["round"] == told["round"]
