"""Items that were drawn together, such as the outputs of one page, count as one draw."""

import math
from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import agreement_difference, gain_without_raters, judge_replacement
from ocrjury.agreement.intraclass import icc
from ocrjury.agreement.measurement import measure_agreement
from ocrjury.agreement.rater_pairs import pairwise_kappa
from ocrjury.bias import measure_bias
from ocrjury.bias.findings import RUN
from ocrjury.dimensions import dimension_correlation
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.overall_rating import regression_weights
from ocrjury.rater_model import rater_severities
from ocrjury.resampling import jackknife_error
from tests.test_common import COEFFICIENTS, FIVE

INTERVALS = (None, "jackknife", "bootstrap")
# Errors of items would be shorter by 29 %; only those of slopes are of another kind with clusters.
WITHOUT_ORDER = {"severity": 0.12, "halo": 0.12, "range_restriction": 0.12, "central_tendency": 0.2}
CLOSE = 0.04  # what small-sample factors of 80 and of 160 items differ by


def ratings(n_items=80, n_raters=4, seed=0, *, missing=0.2):
    rng = np.random.default_rng(seed)
    level = rng.normal(3.2, 1.0, n_items)
    noise = rng.normal(0, 0.8, (n_items, n_raters)) + np.linspace(-0.4, 0.4, n_raters)
    matrix = np.clip(np.round(level[:, None] + noise), 1, 5)
    matrix[rng.random(matrix.shape) < missing] = np.nan
    return matrix


def long(matrix, *, prefix="", page=None):
    rows = [
        (f"{prefix}d{item}", f"R{rater}", int(value), f"p{item if page is None else page[item]}")
        for item, of_item in enumerate(matrix)
        for rater, value in enumerate(of_item)
        if not math.isnan(value)
    ]
    return pd.DataFrame(rows, columns=["item", "rater", "rating", "cluster"])


def twice(matrix):
    """Every page read by two systems, of which one copies the other."""
    return pd.concat([long(matrix, prefix=system) for system in "ab"], ignore_index=True)


def table(frame, *, cluster="cluster", scale=FIVE):
    return RatingTable.from_long(frame, scale=scale, cluster=cluster)


def widths(estimate):
    return np.array([estimate.se, estimate.high - estimate.low])


def forms():
    """Every coefficient with each kind of interval that it has."""
    for name in sorted(set(COEFFICIENTS) - {"judge_alignment"}):
        measure = COEFFICIENTS[name]
        options = getattr(measure, "func", measure).__kwdefaults__ or {}
        yield from ((name, ci) for ci in INTERVALS if ci is None or "ci" in options)


@pytest.mark.parametrize(("name", "ci"), list(forms()))
def test_a_copy_of_every_item_adds_nothing_to_a_clustered_interval(name, ci):
    measure = COEFFICIENTS[name]
    n_raters = 2 if "cohen" in name else 4
    matrix = ratings(n_raters=n_raters, missing=0 if name.startswith("icc") else 0.2)
    measure = measure if ci is None else partial(measure, ci=ci)

    mixed = {"missing": "mixed"} if name.startswith("icc") else {}  # F has no standard error
    single = measure(table(long(matrix), cluster=None), **mixed)
    doubled = measure(table(twice(matrix)))
    apart = measure(table(twice(matrix), cluster=None))

    assert doubled.value == pytest.approx(single.value, abs=0.01)
    tolerance = 0.1 if "icc" in name else CLOSE if ci != "bootstrap" else 0.06
    assert widths(doubled) == pytest.approx(widths(single), rel=tolerance, nan_ok=True)
    if not math.isnan(apart.se):
        assert apart.se < 0.8 * doubled.se
    assert (doubled.n_clusters, apart.n_clusters) == (doubled.n_items // 2, None)


@pytest.mark.parametrize("scale", [FIVE, Scale.interval(1, 5), Scale.nominal([1, 2, 3, 4, 5])])
def test_every_interval_of_the_measurement_counts_clusters(scale):
    matrix = ratings()

    single = measure_agreement(table(long(matrix), cluster=None, scale=scale))
    doubled = measure_agreement(table(twice(matrix), scale=scale))

    for key, estimate in single.items():
        if math.isfinite(estimate.se):
            assert doubled[key].se == pytest.approx(estimate.se, rel=0.1), key
            assert doubled[key].method.endswith(", clusters"), key


def test_the_jackknife_leaves_out_one_cluster_at_a_time():
    matrix = ratings(30)
    page = np.repeat(np.arange(12), [1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 6]).tolist()
    frame = long(matrix, page=page)
    measure = COEFFICIENTS["fleiss_kappa"]

    estimate = measure(table(frame), ci="jackknife")

    without = [
        measure(table(frame[frame["cluster"] != cluster], cluster=None)).value
        for cluster in frame["cluster"].unique()
    ]
    assert estimate.se == pytest.approx(math.sqrt(11 * np.var(without)))
    assert estimate.n_clusters == 12


def test_weights_and_clusters_go_together():
    matrix = ratings(60)
    weights = {f"{s}d{item}": 1.0 + item % 3 for s in ("", "a", "b") for item in range(60)}
    build = partial(RatingTable.from_long, scale=FIVE, item_weight=weights)

    for name in ("gwet_ac", "krippendorff_alpha", "percent_agreement"):
        single = COEFFICIENTS[name](build(long(matrix)))
        doubled = COEFFICIENTS[name](build(twice(matrix), cluster="cluster"))
        assert doubled.se == pytest.approx(single.se, rel=CLOSE)


@pytest.mark.parametrize("scale", [FIVE, Scale.interval(1, 5), Scale.nominal([1, 2, 3, 4, 5])])
def test_raters_of_clusters_who_share_no_item_yet_have_reasons(scale):
    nan = math.nan
    apart = table(twice(np.array([[4, nan], [nan, 2], [5, nan], [nan, 3]])), scale=scale)

    agreement = measure_dimension("meaning", apart)

    assert not any(estimate.defined for estimate in agreement.estimates.values())
    if scale.kind != "interval":
        assert pairwise_kappa(apart)["reason"].tolist() == ["too_few_common_items"]


def test_kappas_of_pairs_count_clusters():
    matrix = ratings(missing=0.4)

    single = pairwise_kappa(table(long(matrix), cluster=None))
    doubled = pairwise_kappa(table(twice(matrix)))

    assert doubled["value"].to_numpy() == pytest.approx(single["value"].to_numpy())
    assert doubled["se"].to_numpy() == pytest.approx(single["se"].to_numpy(), rel=CLOSE)


def test_severities_count_clusters_and_lose_degrees_of_freedom():
    matrix = ratings(missing=0.4)

    single = rater_severities(table(long(matrix), cluster=None))
    doubled = rater_severities(table(twice(matrix)))

    for rater, severity in single.items():
        assert widths(doubled[rater]) == pytest.approx(widths(severity), rel=CLOSE)


def test_gains_without_a_rater_count_clusters():
    matrix = ratings()

    for scale in (FIVE, Scale.interval(1, 5)):
        single = gain_without_raters(table(long(matrix), cluster=None, scale=scale))
        doubled = gain_without_raters(table(twice(matrix), scale=scale))
        for rater, gain in single.items():
            assert widths(doubled[rater]) == pytest.approx(widths(gain), rel=CLOSE)


def test_a_difference_between_rounds_leaves_out_clusters():
    before, after = ratings(seed=1), ratings(seed=2)

    single = agreement_difference(*(table(long(m), cluster=None) for m in (before, after)))
    doubled = agreement_difference(*(table(twice(m)) for m in (before, after)))

    assert doubled.se == pytest.approx(single.se, rel=0.1)


def test_a_judge_is_tested_over_clusters():
    matrix = ratings(120)
    score = {f"{s}d{item}": 3 for s in ("", "a", "b") for item in range(120)}

    single = judge_replacement(table(long(matrix), cluster=None), score)
    doubled = judge_replacement(table(twice(matrix)), score)

    for one, both in zip(single.seats, doubled.seats, strict=True):
        assert both.p_value == pytest.approx(one.p_value, rel=0.1)
    alignment = COEFFICIENTS["judge_alignment"]
    assert alignment(table(twice(matrix))).se == pytest.approx(
        alignment(table(long(matrix), cluster=None)).se, rel=CLOSE
    )


def two_dimensions(build):
    frames = [build(ratings(seed=seed)).assign(dimension=f"d{seed}") for seed in (1, 2)]
    return pd.concat(frames, ignore_index=True)


def test_correlations_and_weights_of_dimensions_leave_out_clusters():
    single, doubled = two_dimensions(long).drop(columns="cluster"), two_dimensions(twice)

    ends = [dimension_correlation(frame)[["low", "high"]] for frame in (single, doubled)]
    weights = [
        regression_weights(frame, overall="d1").coefficients["d2"] for frame in (single, doubled)
    ]

    assert ends[1].to_numpy() == pytest.approx(ends[0].to_numpy(), abs=0.01)
    assert weights[1].se == pytest.approx(weights[0].se, rel=CLOSE)
    assert weights[1].n_items == 2 * weights[0].n_items == 2 * weights[1].n_clusters


def test_intervals_of_bias_count_clusters():
    found = []
    for build in (long, twice):
        frame = two_dimensions(build)
        place = {item: place for place, item in enumerate(frame["item"].unique(), start=1)}
        frame["position"] = frame["item"].map(place)
        found.append(measure_bias(frame, scale=FIVE))

    tested = Counter()
    for one, both in zip(*found, strict=True):
        if one.kind in WITHOUT_ORDER and one.status == "tested" and one.unit != RUN:
            length = one.high - one.low
            assert both.high - both.low == pytest.approx(length, rel=WITHOUT_ORDER[one.kind]), one
            tested[one.kind] += 1
    assert set(tested) == set(WITHOUT_ORDER)


def test_intervals_cover_where_outputs_of_a_page_go_together():
    # Raters read the two outputs of a page with the same eyes: half of their noise is the page's.
    rng, pages, hits = np.random.default_rng(30), 30, np.zeros(2)
    for _ in range(300):
        level = rng.normal(3.2, 0.7, (pages, 1, 1)) + rng.normal(0, 0.6, (pages, 2, 1))
        own = rng.normal(0, 0.6, (pages, 1, 3)) + rng.normal(0, 0.5, (pages, 2, 3))
        own += np.array([-0.2, 0.0, 0.2])
        values = (level + own).reshape(2 * pages, 3)
        plain = RatingTable.from_matrix(np.clip(values, -4, 11), scale=Scale.interval(-4, 11))
        clustered = replace(plain, cluster=np.repeat(np.arange(pages), 2))
        for place, one in enumerate((plain, clustered)):
            severity = rater_severities(one)[0]
            hits[place] += severity.low <= -0.2 <= severity.high

    apart, together = hits / 300

    assert apart < 0.9
    assert 0.92 <= together <= 0.98


def test_an_item_by_itself_is_a_cluster_of_its_own():
    frame = long(ratings(20))

    assert table(frame).cluster is None


def test_one_cluster_has_no_interval():
    frame = long(ratings(10)).assign(cluster="p1")

    estimate = COEFFICIENTS["krippendorff_alpha"](table(frame), ci="jackknife")

    assert math.isnan(estimate.se)
    assert estimate.reason == "fewer_than_two_items"
    assert estimate.warnings == ("No interval: one cluster cannot show how clusters differ.",)


def test_an_item_in_two_clusters_and_one_in_none_are_refused():
    frame = long(ratings(10, missing=0))

    with pytest.raises(InputError, match="column 'cluster' must be constant within an item"):
        table(frame.assign(cluster=[*frame["cluster"][:-1], "p0"]))
    with pytest.raises(InputError, match=r"4 item\(s\) have no cluster; the first is 'd6'"):
        table(frame, cluster={f"d{item}": item for item in range(6)})


def test_complete_ratings_in_clusters_keep_the_coefficient_of_the_analysis_of_variance():
    frame = long(ratings(40, missing=0), page=[item // 2 for item in range(40)])

    for form in ("ICC(1,1)", "ICC(2,1)", "ICC(3,k)"):
        clustered = icc(table(frame), form=form)
        plain = icc(table(frame, cluster=None), form=form)
        assert clustered.value == pytest.approx(plain.value)
        assert clustered.n_clusters == 20


def test_a_statistic_without_clusters_is_its_own():
    from ocrjury.resampling import SummedStatistic

    features = np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 9.0], [1.0, 5.0]])
    mean = SummedStatistic(features, np.ones(4), lambda sums: sums[:, 1] / sums[:, 0])
    paired = SummedStatistic(
        features, np.ones(4), mean.value, cluster=np.array([7, 7, 3, 3])
    ).by_cluster()

    assert mean.by_cluster() is mean
    assert jackknife_error(paired) == pytest.approx(2.0)
