"""The list of all reports, from what was stored with each."""

from datetime import timedelta
from urllib.parse import quote

import pytest
import sqlalchemy as sa

from ocrjury.estimate import Estimate
from ocrjury.findings.comparable_pool import COMPARABLE, Comparable
from ocrjury.frontends.web.desk.reports_view import CHARTED, LISTED, list_view
from ocrjury.store.database import open_database, writing
from ocrjury.store.evaluations import add_evaluation
from ocrjury.store.reports import DeliveryRow, NewReport, add_delivery, add_report
from ocrjury.store.results import Result, add_results
from tests.conftest import NOW
from tests.covers import cover, headline, withheld
from tests.store.conftest import opening


@pytest.fixture
def store(tmp_path):
    engine = open_database(f"sqlite:///{tmp_path}/ocrjury.db")
    yield Filled(engine)
    engine.dispose()


class Filled:
    """A store with evaluations that have nothing but reports."""

    def __init__(self, engine):
        self.engine, self.hours = engine, 0

    def report(self, week, said=None, *, kind="final", campaign="claims", outputs=None):
        self.hours += 1
        start = opening(campaign=campaign, period=f"2026w{week}")
        moment = NOW + timedelta(weeks=week)
        with writing(self.engine) as connection:
            name, _ = add_evaluation(connection, start, now=moment, actor="flow", run_id=None)
            new = NewReport(
                kind=kind,
                language="en",
                html_uri="h",
                pdf_uri=None,
                sha256=f"sha-{self.hours}",
                inputs_hash="i",
                cover=said or cover(),
            )
            add_report(connection, name, new, now=NOW + timedelta(hours=self.hours))
            if outputs is not None:
                kept = Comparable(given=name, samples=(), sample_of={}, judged={}, outputs=outputs)
                rows = [Result(0, COMPARABLE, "*", kept, "i")]
                add_results(connection, name, rows, now=NOW)
        return new.sha256

    def ended(self, week, sha256, recipient, *states, what="report"):
        for attempt, state in enumerate(states, start=1):
            row = DeliveryRow(
                f"<{what}{recipient}>", attempt, what, recipient, sha256, state, None, NOW
            )
            add_delivery(self.engine, f"claims-2026w{week}", row)

    @property
    def lines(self):
        return list_view(self.engine)[0]

    @property
    def trends(self):
        return list_view(self.engine)[1]


def test_the_newest_report_comes_first_with_outcome_and_headline(store):
    store.report(46)
    store.report(46, cover(word=None), kind="interim")
    store.report(47, cover(word="NOT MET", headline=headline(3.1), simulated=True))

    assert [(line.evaluation, line.kind, line.version) for line in store.lines] == [
        ("claims-2026w47", "final", 1),
        ("claims-2026w46", "interim", 1),
        ("claims-2026w46", "final", 1),
    ]
    assert [line.word for line in store.lines] == ["NOT MET", "PASS", "MET"]
    first = store.lines[0]
    assert (first.headline, first.shown, first.simulated) == ("3.10 (2.90 to 3.30)", True, True)
    assert (first.title, first.period) == ("Claims", "2026w47")


def test_a_headline_that_the_gate_withholds_is_nowhere(store):
    store.report(46)
    store.report(47, withheld())
    store.report(48, cover(headline=headline(3.9)))

    (trend,) = store.trends
    assert [line.shown for line in store.lines] == [True, False, True]
    assert store.lines[1].headline.startswith("No result is shown while the raters")
    assert [point.period for point in trend.points] == ["2026w46", "2026w48"]


def test_the_delivery_counts_receivers_by_their_last_attempt(store):
    sha = store.report(47)
    store.ended(47, sha, "a@example.org", "failed", "sent")
    store.ended(47, sha, "b@example.org", "sent")
    store.ended(47, sha, "c@example.org", "failed")
    store.ended(47, sha, "team", "given_up", what="webhook")
    store.ended(47, "another", "d@example.org", "sent")
    store.ended(47, sha, "r@example.org", "sent", what="invitation")

    assert store.lines[0].delivery == "1 failed, tried again, 1 given up, 2 sent"


def test_a_report_on_its_way_says_so(store):
    store.report(46)
    store.report(47)
    with writing(store.engine) as connection:
        connection.exec_driver_sql(
            "update evaluations set state = 'reported' where evaluation = 'claims-2026w47'"
        )

    assert [line.delivery for line in store.lines] == ["on its way", ""]


def test_a_trend_is_of_the_newest_version_of_each_evaluation_by_their_opening(store):
    store.report(47, cover(headline=headline(4.1)))
    store.report(46, cover(headline=headline(3.5)))
    store.report(47, cover(headline=headline(4.2)))

    (trend,) = store.trends
    assert [point.period for point in trend.points] == ["2026w46", "2026w47"]
    assert list(trend.texts) == ["3.50", "4.20"]
    assert trend.sentence == (
        "Claims. Mean rating of the whole pool on Meaning, 1 to 5: "
        "2026w46 3.50 (3.30 to 3.70); 2026w47 4.20 (4.00 to 4.40)."
    )
    assert trend.target == 4.0
    assert trend.ends[0] <= 3.3
    assert trend.ends[1] >= 4.4


def test_what_the_newest_version_withholds_is_not_drawn_from_an_older_one(store):
    store.report(45)
    store.report(46)
    store.report(47, cover(headline=headline(4.9)))
    store.report(47, withheld())

    (trend,) = store.trends
    assert [point.period for point in trend.points] == ["2026w45", "2026w46"]


def test_an_aborted_evaluation_is_in_no_chart(store):
    for week in (45, 46, 47):
        store.report(week)
    with writing(store.engine) as connection:
        connection.exec_driver_sql(
            "update evaluations set state = 'aborted' where evaluation = 'claims-2026w46'"
        )

    (trend,) = store.trends
    assert [point.period for point in trend.points] == ["2026w45", "2026w47"]


@pytest.mark.parametrize(
    "other",
    [
        cover(simulated=True),
        cover(headline=headline(0.8, share_at_least=4.0)),
        cover(headline=headline(dimension="layout")),
        cover(headline=headline(6.1, high=7.0)),
        cover(headline=headline(estimate=Estimate(float("nan"), reason="no_items"))),
        withheld(),
    ],
)
def test_unlike_numbers_are_not_in_one_chart(store, other):
    store.report(45, other)
    store.report(46)

    assert store.trends == []

    store.report(47)
    assert [point.period for point in store.trends[0].points] == ["2026w46", "2026w47"]


def test_of_the_same_outputs_the_newest_evaluation_alone_is_drawn(store):
    store.report(44, outputs="old")
    store.report(45, outputs="new")
    assert store.trends[0].note == ""

    store.report(46, outputs="new")

    (trend,) = store.trends
    assert [point.period for point in trend.points] == ["2026w44", "2026w46"]
    assert (
        trend.note
        == "Not drawn: 2026w45, because a later evaluation has the same outputs or ratings."
    )


def test_rehearsals_make_no_chart(store):
    store.report(45, cover(simulated=True))
    store.report(46, cover(simulated=True))

    assert store.trends == []


def test_a_chart_without_target_or_interval_is_drawn(store):
    bare = headline(estimate=Estimate(3.0), target=float("nan"))
    store.report(46, cover(headline=bare))
    store.report(47, cover(headline=bare))

    assert store.trends[0].target is None
    assert store.trends[0].sentence.endswith("2026w47 3.00 (no interval).")


def test_every_campaign_has_its_own_chart_of_its_newest_evaluations(store):
    for week in range(10, 10 + CHARTED + 3):
        store.report(week)
    store.report(46, campaign="forms")
    store.report(47, campaign="forms")

    forms, claims = store.trends
    assert len(forms.points) == 2
    assert len(claims.points) == CHARTED
    assert claims.points[-1].period == f"2026w{10 + CHARTED + 2}"


def test_the_list_ends_somewhere_and_asks_three_questions_however_long_it_is(store):
    for number in range(LISTED + 5):
        store.report(number % 7)
    asked = []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *all_: asked.append(all_[2]))

    assert len(store.lines) == LISTED
    assert len([one for one in asked if one.lower().startswith("select")]) == 3


def test_the_page_shows_them_to_a_lead_alone(measured, judge, reported, at_desk, desk_without_link):
    place = measured()
    judge(place)
    desk = at_desk(place)
    reported(place)
    page = desk.ask("GET", "/desk/reports").text

    assert f'<a href="/desk/{place.evaluation}">{place.evaluation}</a>' in page
    assert '<span class="verdict pass">MET</span>' in page
    assert "<b>4.30 (4.10 to 4.50)</b>" in page
    assert '<a href="/desk/reports">All reports</a>' in desk.ask("GET", "/desk").text
    stranger = desk_without_link(place).ask("GET", "/desk/reports")
    assert (stranger.status, stranger.getheader("Location")) == (303, "/desk/enter")


def test_payments_of_a_period_in_any_script_are_downloaded(rounds, at_desk):
    place = rounds(period="청구")

    answer = at_desk(place).ask("GET", quote(f"/desk/{place.evaluation}/payment.csv"))

    assert answer.status == 200
    named = f"attachment; filename*=utf-8''{quote(place.evaluation)}-payment.csv"
    assert answer.getheader("Content-Disposition") == named
