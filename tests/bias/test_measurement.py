import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from ocrjury import InputError, Scale
from ocrjury.bias import measure_bias
from ocrjury.ratings import rating_tables

LIKERT = Scale.likert(1, 5)
KINDS = ["severity", "halo", "anchoring", "order", "central_tendency", "range_restriction"]


def of(findings, kind, **about):
    return [
        finding
        for finding in findings
        if finding.kind == kind
        and all(getattr(finding, name) == value for name, value in about.items())
    ]


def written(findings):
    """As JSON, where nan equals nan."""
    return [finding.to_json() for finding in findings]


def long(matrix, **columns):
    """One dimension; rows are items, columns raters, None is missing."""
    rows = [
        (f"d{i}", f"R{r}", "meaning", value)
        for i, row in enumerate(matrix)
        for r, value in enumerate(row)
        if value is not None
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])
    return frame.assign(**columns)


def test_every_kind_is_reported_in_order(simulate):
    findings = measure_bias(simulate(1), scale=LIKERT)

    assert list(dict.fromkeys(finding.kind for finding in findings)) == KINDS
    # six raters on three dimensions; all and each; ...; drift and care; ...; and runs of answers
    assert Counter(finding.kind for finding in findings) == dict(
        zip(KINDS, [18, 7, 7, 14, 18, 24], strict=True)
    )
    assert {finding.status for finding in findings} == {"tested"}
    assert all(finding.reason is None and finding.level for finding in findings)


def test_a_strict_rater_is_named_on_every_dimension(simulate):
    findings = measure_bias(simulate(2, severity=-1.0), scale=LIKERT)

    flagged = [one for one in of(findings, "severity", rater="R01") if one.flagged]
    assert [one.dimension for one in flagged] == ["q1", "q2", "q3"]
    assert all(one.low < one.effect < one.high < 0 for one in flagged)
    assert {one.level for one in flagged} == {"high"}
    assert flagged[0].unit == "points"


def test_halo_is_found_and_is_the_residual_correlation(simulate):
    findings = measure_bias(simulate(3, halo=0.5), scale=LIKERT)

    everyone = of(findings, "halo", rater=None)[0]
    assert everyone.flagged
    assert everyone.low < 0.5 / (0.5 + 0.5 + 0.16) < everyone.high + 0.05
    assert everyone.dimension is None
    assert everyone.level == "medium"


def test_dimensions_that_go_together_are_no_halo(simulate):
    # quality correlates by .6 between dimensions, which mean correlations cannot tell from halo
    assert not of(measure_bias(simulate(4), scale=LIKERT), "halo", flagged=True)


@pytest.mark.parametrize(
    "other",
    [{"trend": -0.8}, {"anchor": 0.3}, {"compressed": 0.4}, {"severity": -0.8}, {"scatter": 1.8}],
)
def test_other_biases_are_no_halo(simulate, other):
    assert not of(
        measure_bias(simulate(5, **other), scale=LIKERT), "halo", rater=None, flagged=True
    )


def test_anchoring_is_found_with_its_size(simulate):
    everyone = of(measure_bias(simulate(6, anchor=0.25), scale=LIKERT), "anchoring", rater=None)[0]

    assert everyone.flagged
    assert everyone.effect == pytest.approx(0.25, abs=0.08)
    assert everyone.unit == "points per point"


def test_contrast_is_anchoring_below_zero(simulate):
    everyone = of(measure_bias(simulate(7, anchor=-0.25), scale=LIKERT), "anchoring", rater=None)[0]

    assert everyone.flagged
    assert everyone.high < 0


def test_drift_is_found_with_its_size_in_every_session(simulate):
    ratings = simulate(8, trend=-0.7, sessions=3)

    everyone = of(measure_bias(ratings, scale=LIKERT), "order", rater=None)[0]

    assert everyone.flagged
    assert everyone.effect == pytest.approx(-0.7, abs=0.2)
    assert everyone.level == "high"


def test_a_compressing_rater_is_named(simulate):
    findings = measure_bias(simulate(9, compressed=0.4), scale=LIKERT)

    slopes = of(findings, "central_tendency", rater="R01")
    spreads = of(findings, "range_restriction", rater="R01", unit="ratio of standard deviations")
    assert all(one.flagged and one.effect < 0.8 for one in slopes + spreads)
    assert {one.rater for one in of(findings, "range_restriction", flagged=True)} == {"R01"}


def test_an_extreme_rater_has_a_slope_above_one(simulate):
    findings = measure_bias(simulate(10, compressed=1.8), scale=LIKERT)

    flagged = of(findings, "central_tendency", rater="R01", flagged=True)
    assert flagged
    assert all(one.low > 1 for one in flagged)


def test_a_rater_of_one_value_is_restricted():
    rng = np.random.default_rng(11)
    matrix = [[q, min(5, q + 1), 4] for q in rng.integers(1, 5, 60)]

    constant = of(measure_bias(long(matrix), scale=LIKERT), "range_restriction", rater="R2")[0]

    assert constant.flagged
    assert (constant.effect, constant.level) == (0.0, "high")
    # another answer, one point away, in at most 1 - .025^(1/60) = 5.96 % of the items
    others = np.array(matrix)[:, :2]
    spread = (others - others.mean(axis=0)).std()
    assert (constant.low, constant.high) == (0.0, pytest.approx(0.2368 / spread, rel=0.02))


@pytest.mark.parametrize("raters", [2, 3, 5])
def test_a_complete_design_has_narrow_severities(raters):
    rng = np.random.default_rng(13)
    for n in (59, 74, 100):
        matrix = np.clip(rng.integers(1, 6, (n, 1)) + rng.integers(-1, 2, (n, raters)), 1, 5)

        found = of(measure_bias(long(matrix.tolist()), scale=LIKERT), "severity")

        assert len(found) == raters
        assert all(0 < one.high - one.low < 1 for one in found), n


def test_straight_lining_is_found_among_varied_answers():
    rng = np.random.default_rng(12)
    matrix = [[q, int(np.clip(q + rng.integers(-1, 2), 1, 5))] for q in rng.integers(1, 6, 80)]
    for row in matrix[:35]:
        row[1] = 4
    ratings = long(matrix).assign(position=[1 + i for i in range(80) for _ in range(2)])

    runs = of(
        measure_bias(ratings, scale=LIKERT),
        "range_restriction",
        rater="R1",
        unit="identical answers in a row",
    )

    assert runs[0].flagged
    assert runs[0].effect >= 35
    assert runs[0].level == "high"


def test_one_scattering_rater_makes_no_other_look_biased(simulate):
    findings = measure_bias(simulate(13, scatter=1.6), scale=LIKERT)

    assert not {finding.rater for finding in findings if finding.flagged} - {"R01", None}


def test_perfect_agreement_has_no_bias():
    ratings = long([[q, q, q] for q in [1, 2, 3, 4, 5] * 12])
    place = ratings.groupby("rater").cumcount()
    ratings["position"] = (place * (1 + ratings["rater"].str[1].astype(int))) % 61

    findings = measure_bias(ratings, scale=LIKERT)

    assert not any(finding.flagged for finding in findings)
    reasons = {finding.kind: finding.reason for finding in findings if finding.reason}
    assert reasons == {
        "severity": "no_disagreement",
        "halo": "fewer_than_two_dimensions",
        "anchoring": "no_disagreement",
        "order": "no_disagreement",
        "range_restriction": "no_disagreement",
    }
    for one in of(findings, "severity"):
        assert np.isnan([one.effect, one.low, one.high, one.p_value]).all()


def test_one_item_on_which_raters_differ_is_no_halo():
    # One rater errs once, on both dimensions of that item.
    rows = [
        (f"d{item}", f"R{rater}", name, 1 if (item, rater) == (3, 1) else item % 5 + 1)
        for item in range(80)
        for rater in range(3)
        for name in ("layout", "meaning")
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])

    (halo,) = of(measure_bias(frame, scale=LIKERT), "halo")

    assert (halo.status, halo.reason, halo.flagged) == ("not_identifiable", "too_few_items", False)


def test_ratings_that_are_all_equal_tell_nothing_of_spread():
    ratings = long([[3, 3]] * 60).assign(position=[1 + i for i in range(60) for _ in range(2)])

    findings = measure_bias(ratings, scale=LIKERT)

    reasons = {
        finding.kind: finding.reason for finding in findings if finding.status == "not_identifiable"
    }
    assert reasons["anchoring"] == reasons["order"] == "no_variation"
    assert reasons["central_tendency"] == reasons["range_restriction"] == "no_variation"
    assert not any(finding.flagged for finding in findings)


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([], "no_items"),
        ([[3], [4]], "fewer_than_two_raters"),
        ([[3, None], [None, 4]], "no_pairable_items"),
    ],
)
def test_nothing_is_told_of_ratings_that_cannot_be_compared(matrix, reason):
    findings = measure_bias(long(matrix), scale=LIKERT)

    assert [finding.kind for finding in findings] == KINDS
    assert {(finding.status, finding.reason) for finding in findings} == {
        ("not_identifiable", reason)
    }
    assert not any(finding.flagged for finding in findings)


def test_a_nominal_scale_has_no_direction():
    ratings = long([["a", "b"], ["b", "b"]])

    findings = measure_bias(ratings, scale=Scale.nominal(["a", "b"]))

    assert {finding.reason for finding in findings} == {"scale_mismatch"}


def test_a_binary_scale_can_be_tested():
    rng = np.random.default_rng(14)
    matrix = [[q, q, 0] for q in rng.integers(0, 2, 60)]

    findings = measure_bias(long(matrix), scale=Scale.binary())

    strict = of(findings, "severity", rater="R2")[0]
    assert strict.flagged
    assert strict.effect < 0


def test_two_groups_that_share_no_item_cannot_be_ranked():
    rng = np.random.default_rng(15)
    matrix = [[*rng.integers(1, 6, 2), None, None] for _ in range(30)]
    matrix += [[None, None, *rng.integers(1, 6, 2)] for _ in range(30)]

    severities = of(measure_bias(long(matrix), scale=LIKERT), "severity")

    assert {severity.reason for severity in severities} == {"not_connected"}


def test_a_rater_without_colleagues_does_not_spoil_the_others():
    rng = np.random.default_rng(16)
    matrix = [[*rng.integers(1, 6, 2), None] for _ in range(30)] + [[None, None, 3]]

    severities = of(measure_bias(long(matrix), scale=LIKERT), "severity")

    assert [severity.reason for severity in severities] == [None, None, "no_pairable_items"]


def test_raters_who_do_not_agree_at_all_show_no_slope():
    rng = np.random.default_rng(27)
    matrix = rng.integers(1, 6, (400, 3)).tolist()

    slopes = of(measure_bias(long(matrix), scale=LIKERT), "central_tendency")

    assert {slope.reason for slope in slopes} == {"no_agreement"}


def test_few_common_items_name_the_reason():
    findings = measure_bias(long([[1, 2], [3, 3], [5, 4]]), scale=LIKERT)

    reasons = {(finding.kind, finding.reason) for finding in findings}
    assert reasons == {
        ("severity", "too_few_common_items"),
        ("halo", "fewer_than_two_dimensions"),
        ("anchoring", "no_order"),
        ("order", "no_order"),
        ("central_tendency", "too_few_common_items"),
        ("range_restriction", "too_few_common_items"),
        ("range_restriction", "no_order"),
    }


def test_one_rating_per_item_tells_no_halo():
    rows = [(f"d{i}", f"R{i % 2}", d, 1 + i % 5) for i in range(80) for d in ("q1", "q2")]
    rows += [("d0", "R1", "q1", 3)]
    ratings = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])

    halo = of(measure_bias(ratings, scale=LIKERT), "halo")

    assert [one.reason for one in halo] == ["no_pairable_items"]


def test_halo_needs_fifty_items(simulate):
    halo = of(measure_bias(simulate(17, items=49), scale=LIKERT), "halo")

    assert [one.reason for one in halo] == ["too_few_items"]


def test_the_same_order_for_all_hides_drift(simulate):
    rng = np.random.default_rng(18)
    matrix = rng.integers(1, 6, (60, 3)).tolist()
    ratings = long(matrix).assign(position=[1 + i for i in range(60) for _ in range(3)])

    order = of(measure_bias(ratings, scale=LIKERT), "order")

    assert [(one.unit, one.reason) for one in order] == [
        ("points per session", "same_order"),
        ("points of distance per session", "same_order"),
    ]


def test_a_rater_with_few_ratings_is_left_out(simulate):
    ratings = simulate(19)
    first = ratings[ratings["rater"] == "R01"]["item"].unique()[15:]
    ratings = ratings[~((ratings["rater"] == "R01") & ratings["item"].isin(first))]

    findings = measure_bias(ratings, scale=LIKERT)

    reasons = {(finding.kind, finding.reason) for finding in findings if finding.rater == "R01"}
    assert reasons == {
        ("severity", "too_few_common_items"),
        ("halo", "too_few_ratings"),
        ("anchoring", "too_few_ratings"),
        ("order", "too_few_ratings"),
        ("central_tendency", "too_few_common_items"),
        ("range_restriction", "too_few_common_items"),
        ("range_restriction", "too_few_ratings"),
    }
    assert all(finding.status == "tested" for finding in findings if finding.rater == "R02")


def test_times_tell_the_order_where_positions_are_absent(simulate):
    ratings = simulate(20, trend=-1.0)
    start = pd.Timestamp("2026-11-20T09:00:00Z")
    times = start + pd.to_timedelta(ratings["position"], unit="min")

    by_time = measure_bias(
        ratings.drop(columns=["position"]).assign(submitted_at=times), scale=LIKERT
    )

    assert written(by_time) == written(measure_bias(ratings, scale=LIKERT))


def test_times_in_several_zones_tell_one_order(simulate):
    ratings = simulate(20).drop(columns=["position"])
    start = pd.Timestamp("2026-11-20T23:00:00+09:00")
    zones = ["Asia/Seoul", "UTC", "America/New_York"]
    minutes = ratings.groupby("rater").cumcount() // 3
    written_down = [
        (start + pd.Timedelta(minutes=n)).tz_convert(zones[n % 3]).isoformat() for n in minutes
    ]
    plain = start.tz_convert("UTC").tz_localize(None) + pd.to_timedelta(minutes, unit="min")

    mixed = measure_bias(ratings.assign(submitted_at=written_down), scale=LIKERT)

    assert written(mixed) == written(measure_bias(ratings.assign(submitted_at=plain), scale=LIKERT))
    assert of(mixed, "order")[0].status == "tested"


def test_missing_ratings_are_absent_rows(simulate):
    ratings = simulate(21, severity=-0.8)
    some = ratings["dimension"].eq("q3") & ratings["item"].gt("d060")
    with_gaps = ratings.assign(rating=ratings["rating"].astype(float).mask(some))

    findings = measure_bias(with_gaps, scale=LIKERT)

    assert written(findings) == written(measure_bias(ratings[~some], scale=LIKERT))
    assert all(one.flagged for one in of(findings, "severity", rater="R01"))


def test_the_order_of_rows_does_not_matter(simulate):
    ratings = simulate(22)

    shuffled = measure_bias(ratings.sample(frac=1.0, random_state=1), scale=LIKERT)

    assert written(shuffled) == written(measure_bias(ratings, scale=LIKERT))


def test_the_seed_alone_decides(simulate):
    ratings = simulate(23, items=120)

    first, again, other = (measure_bias(ratings, scale=LIKERT, seed=s) for s in (1, 1, 2))

    assert written(first) == written(again)
    assert [one.effect for one in first if one.kind == "severity"] == [
        one.effect for one in other if one.kind == "severity"
    ]
    assert [one.p_value for one in first if one.p_value <= 1] != [
        one.p_value for one in other if one.p_value <= 1
    ]


def test_ids_stay_as_they_were_given():
    rng = np.random.default_rng(24)
    rows = [(i, r, "q", v) for i in range(30) for r, v in enumerate(rng.integers(1, 6, 12))]
    ratings = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])

    severities = of(measure_bias(ratings, scale=LIKERT), "severity")

    assert [severity.rater for severity in severities] == list(range(12))


def test_a_wider_scale_has_wider_bands(simulate):
    ratings = simulate(25, severity=-0.8)
    continuous = ratings.assign(rating=(ratings["rating"] - 1) * 25.0)

    on_continuous = measure_bias(continuous, scale=Scale.interval(0, 100))
    on_likert = measure_bias(ratings, scale=LIKERT)

    assert [one.level for one in on_continuous] == [one.level for one in on_likert]
    assert [one.p_value for one in on_continuous] == pytest.approx(
        [one.p_value for one in on_likert], abs=0.02
    )


def test_adjusted_values_come_from_all_tests_of_a_kind(simulate):
    findings = of(measure_bias(simulate(26), scale=LIKERT), "central_tendency")

    p = np.array([finding.p_value for finding in findings])
    rank = p.argsort().argsort() + 1
    assert all(finding.p_adjusted >= finding.p_value for finding in findings)
    assert min(finding.p_adjusted for finding in findings) == pytest.approx(
        (p * len(p) / rank).min()
    )


def test_overall_values_come_from_all_tests_of_all_kinds(simulate):
    findings = [one for one in measure_bias(simulate(26), scale=LIKERT) if one.status == "tested"]

    assert len({finding.kind for finding in findings}) >= 4
    expected = false_discovery_control([finding.p_value for finding in findings])
    assert [finding.p_overall for finding in findings] == pytest.approx(expected)
    assert [finding.flagged_overall for finding in findings] == [p <= 0.05 for p in expected]


def test_half_of_the_error_rate_goes_to_all_raters_together(simulate):
    halo = of(measure_bias(simulate(3, halo=0.5), scale=LIKERT), "halo")

    # smallest p-value of 499 shuffles; seven tests, of which this one weighs half
    assert halo[0].p_value == pytest.approx(0.002)
    assert halo[0].p_adjusted <= 2 * 0.002 + 1e-12


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rating": 6}, "outside the scale"),
        ({"dimension": None}, "no dimension"),
        ({"rater": None}, "no id in column 'rater'"),
        ({"position": "first"}, "position' must hold whole numbers from 1; found 'first'. Leave"),
        ({"position": 1}, "position 1 occurs twice in one session of rater 'R0'"),
        ({"position": math.inf}, "whole numbers from 1; found inf"),
        ({"submitted_at": "1/3/2026 10:00"}, "10:15; found '1/3/2026 10:00'. Leave the column out"),
        ({"submitted_at": 12.5}, "ISO 8601 times; found the number 12.5"),
    ],
)
def test_malformed_ratings_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        measure_bias(long([[1, 2], [3, 4]], **change), scale=LIKERT)


def test_a_missing_column_is_named():
    with pytest.raises(InputError, match="no column 'dimension'"):
        measure_bias(long([[1, 2]]).drop(columns="dimension"), scale=LIKERT)


def test_a_rating_given_twice_is_refused():
    twice = pd.concat([long([[1, 2]])] * 2)

    with pytest.raises(InputError, match="more than one rating"):
        measure_bias(twice, scale=LIKERT)


def test_times_that_are_none_are_refused():
    with pytest.raises(InputError, match="submitted_at"):
        measure_bias(long([[1, 2]], submitted_at="soon"), scale=LIKERT)


def test_times_of_one_batch_tell_no_order():
    stamp = pd.Timestamp("2026-11-20T09:00:00Z")

    findings = measure_bias(long([[1, 2], [3, 4]], submitted_at=stamp), scale=LIKERT)

    assert of(findings, "order")[0].reason == "no_order"


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_any_ratings_get_finite_findings(seed, raters):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(1, rng.integers(2, 6), (40, raters)).astype(object)
    matrix[rng.random(matrix.shape) < 0.2] = None
    ratings = long(matrix.tolist())
    ratings = ratings.assign(position=ratings.groupby("rater").cumcount() + 1)

    findings = measure_bias(ratings, scale=LIKERT)

    for finding in findings:
        assert math.isnan(finding.p_value) == (finding.status == "not_identifiable")
        assert math.isnan(finding.effect) == (finding.status == "not_identifiable")
        assert finding.flagged == (finding.p_adjusted <= 0.05)
        assert not finding.low > finding.effect
        assert not finding.high < finding.effect


def test_without_bias_each_kind_is_flagged_about_once_in_twenty(simulate):
    runs = 40
    found = [
        measure_bias(simulate(seed, items=60, raters=4, per_item=2, dimensions=2), scale=LIKERT)
        for seed in range(100, 100 + runs)
    ]

    single = [
        finding.p_value <= 0.05
        for findings in found
        for finding in findings
        if finding.p_value <= 1
    ]
    assert 0.03 <= np.mean(single) <= 0.07
    for kind in KINDS:
        flagged = sum(bool(of(findings, kind, flagged=True)) for findings in found)
        assert flagged <= 7, kind  # of 40; more than 7 of a rate of .05 come once in 1,000


def test_a_seed_below_zero_is_refused():
    frame = pd.DataFrame(columns=["item", "rater", "dimension", "rating"])

    with pytest.raises(InputError, match="seed must be 0 or more; found -1"):
        measure_bias(frame, scale=LIKERT, seed=-1)


def test_tables_at_hand_change_no_finding(simulate):
    frame, scale = simulate(seed=1), Scale.likert(1, 5)

    found = measure_bias(frame, scale=scale, tables=rating_tables(frame, scale=scale))

    assert written(found) == written(measure_bias(frame, scale=scale))
