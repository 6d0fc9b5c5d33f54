from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.evaluation.performance import gold_trend, records_of, whole_record
from ocrjury.scales import Scale
from ocrjury.store.raters import RecordRow

FIRST = datetime(2026, 11, 2, tzinfo=UTC)
LIKERT = Scale.likert(1, 5)


def row(week=0, *, value=4.0, label=4, known=None, kind="main"):
    at = FIRST + timedelta(weeks=week)
    name = f"claims-{week}"
    return RecordRow(
        evaluation=name,
        opened_at=at,
        simulated=False,
        rater="R01",
        dimension="meaning",
        item="d1",
        kind=kind,
        value=value,
        known=known,
        label=label,
    )


def test_ratings_of_an_item_on_several_dimensions_are_no_more_items():
    once = [
        row(value=4.0 + number % 2, known=4.0)._replace(item=f"d{number}", page_id=f"p{number}")
        for number in range(30)
    ]
    twice = [*once, *(one._replace(dimension="layout") for one in once)]
    systems = [*once, *(one._replace(item=f"{one.item}-b", system="b") for one in once)]

    narrow, *wide = (
        records_of(rows, scales_of(rows))[0].gold.share_equal for rows in (once, twice, systems)
    )

    for estimate in wide:
        assert estimate.high - estimate.low == pytest.approx(narrow.high - narrow.low, rel=0.05)


def scales_of(rows, scale=LIKERT):
    return dict.fromkeys((row.evaluation for row in rows), scale)


def on_gold(*shares, n=10):
    """Ratings of gold in evaluation after evaluation, with these shares right."""
    return [
        row(week, value=4.0 if number < share * n else 3.0, known=4.0, kind="gold")
        for week, share in enumerate(shares)
        for number in range(n)
    ]


def trend_of(rows):
    return gold_trend(records_of(rows, scales_of(rows)))


def test_a_record_counts_what_is_right_by_label_and_by_gold():
    rows = [
        row(),
        row(value=2.0),
        row(known=5.0),
        row(value=5.0, known=5.0, kind="gold", label=None),
        row(value=1.0, kind="pilot", known=5.0),
        row(value=1.0, kind="repeat"),
    ]

    (record,) = records_of(rows, scales_of(rows))

    assert record.n_ratings == 4
    assert (record.inferred.n, record.inferred.share_equal.value) == (3, pytest.approx(2 / 3))
    assert record.inferred.mean_deviation.value == pytest.approx(-2 / 3)
    assert (record.gold.n, record.gold.share_equal.value) == (2, 0.5)


def test_ratings_set_aside_are_counted_beside_those_that_count():
    rows = [row(), row(1), row(1)]

    first, second = records_of(rows, scales_of(rows), aside={"claims-1": 7})
    whole = whole_record(rows, scales_of(rows), aside={"claims-1": 7})

    assert (first.n_ratings, first.n_set_aside) == (1, 0)
    assert (second.n_ratings, second.n_set_aside) == (2, 7)
    assert (whole.n_ratings, whole.n_set_aside) == (3, 7)
    assert whole.to_json()["n_set_aside"] == 7


def test_all_evaluations_together_are_one_record():
    rows = [row(0), row(1, value=3.0), row(1)]

    whole = whole_record(rows, scales_of(rows))

    assert whole.evaluations == ("claims-0", "claims-1")
    assert whole.opened_at == FIRST
    assert whole.inferred.share_equal.value == pytest.approx(2 / 3)
    assert whole_record([row(kind="pilot")], scales_of(rows)) is None


def test_names_are_found_by_their_places():
    scale = Scale.nominal(["fine", "wrong"])
    rows = [row(value=1.0, label="wrong"), row(value=0.0, label="wrong"), row(label="gone")]

    (record,) = records_of(rows, scales_of(rows, scale))

    assert (record.inferred.n, record.inferred.share_equal.value) == (2, 0.5)


def test_unlike_scales_share_what_is_equal_and_no_deviation():
    rows = [row(0, value=1.0, label=1), row(1, value=0.0, label=1, known=1.0)]
    scales = {"claims-0": LIKERT, "claims-1": Scale.binary()}

    whole = whole_record(rows, scales)

    assert whole.inferred.share_equal.value == 0.5
    assert whole.gold.share_equal.value == 0.0
    assert whole.inferred.mean_deviation.reason == "scale_mismatch"


def test_a_trend_needs_three_evaluations_with_gold():
    two = trend_of([*on_gold(0.5, 0.9), row(2)])

    assert not two.defined
    assert two.reason == "gold_in_fewer_than_three_evaluations"
    assert trend_of([]).reason == two.reason


def test_a_straight_rise_is_found_without_error():
    trend = trend_of(on_gold(0.2, 0.4, 0.6, 0.8))

    assert trend.value == pytest.approx(0.2)
    assert trend.high - trend.low == pytest.approx(0, abs=1e-6)
    assert trend.n_ratings == 40


@given(st.lists(st.integers(0, 10), min_size=3, max_size=8))
def test_a_trend_is_that_of_least_squares(rights):
    shares = np.array(rights) / 10

    trend = trend_of(on_gold(*shares))

    expected = np.polyfit(np.arange(len(shares)), shares, 1)[0]
    assert trend.value == pytest.approx(expected, abs=1e-9)
    assert trend.low <= trend.value <= trend.high


@pytest.mark.oracle
def test_its_interval_is_that_of_a_weighted_regression():
    import statsmodels.api as sm

    shares, sizes = [0.5, 0.9, 0.6, 0.7], [10, 20, 10, 40]
    rows = [
        one
        for week, (share, n) in enumerate(zip(shares, sizes, strict=True))
        for one in on_gold(*[0.0] * week, share, n=n)
        if one.evaluation == f"claims-{week}"
    ]

    trend = trend_of(rows)

    fit = sm.WLS(shares, sm.add_constant(np.arange(4.0)), weights=sizes).fit()
    assert trend.value == pytest.approx(fit.params[1])
    assert (trend.low, trend.high) == pytest.approx(tuple(fit.conf_int()[1]))


def test_a_record_is_plain_values():
    rows = [row(known=4.0)]

    body = records_of(rows, scales_of(rows))[0].to_json()

    assert body["evaluations"] == ["claims-0"]
    assert body["gold"]["share_equal"]["value"] == 1.0
