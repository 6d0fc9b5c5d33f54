import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import Estimate, RatingTable, Scale
from ocrjury.agreement import human_agreement, judge_alignment
from ocrjury.estimation import plain_mean
from ocrjury.findings.agreement import AgreementFinding, Disagreements, ItemSpread, divided_items
from ocrjury.findings.dimensions import Composites, mean_over_dimensions
from ocrjury.findings.measurement import agreement
from ocrjury.findings.measurement.agreement import (
    DIVIDED_KEPT,
    measure_dimension,
    measure_judge,
    measure_profiles,
    measure_variants,
)
from ocrjury.findings.measurement.dimensions import measure_composites, measure_dimensions
from ocrjury.findings.measurement.frames import long_frame

LIKERT = Scale.likert(1, 5)
SCALES = [LIKERT, Scale.binary(), Scale.interval(0, 100), Scale.nominal(["fine", "wrong"])]
ROWS = [("a", "R01", 1), ("a", "R02", 5), ("b", "R01", 3), ("b", "R02", 4), ("c", "R01", 2)]


def table(rows, scale=LIKERT, **options):
    frame = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    return RatingTable.from_long(frame, scale=scale, **options)


def test_the_share_of_items_far_apart_is_weighted_and_counts_clusters():
    rows = [
        (f"{page}{system}", rater, 1 if rater == "R01" or page % 4 else 5)
        for page in range(40)
        for system in "ab"
        for rater in ("R01", "R02")
    ]
    pages = {f"{page}{system}": page for page in range(40) for system in "ab"}
    weights = {item: 3.0 if page % 4 == 0 else 1.0 for item, page in pages.items()}

    alone, together, weighted = (
        measure_dimension("meaning", table(rows, **options)).disagreements
        for options in ({}, {"cluster": pages}, {"cluster": pages, "item_weight": weights})
    )

    assert alone.rate == alone.share.value == together.share.value == weighted.rate == 0.25
    # The textbook's p (1 - p) / (n - 1), of 80 items and of 40 pages.
    assert alone.share.se == pytest.approx((0.25 * 0.75 / 79) ** 0.5)
    assert together.share.se == pytest.approx((0.25 * 0.75 / 39) ** 0.5)
    assert weighted.share.value == pytest.approx(0.5)
    assert 0 < together.share.low < 0.25 < together.share.high < 1


def test_two_raters_who_never_differ_have_a_kappa_without_an_interval():
    rows = [(f"d{n}", rater, 1 + n % 5) for n in range(20) for rater in ("R01", "R02")]

    (pair,) = measure_dimension("meaning", table(rows)).pairs.rows

    assert pair.estimate.value == 1
    assert math.isnan(pair.estimate.low)
    assert pair.estimate.reason == "no_disagreement"


def on(scale, place):
    """Some rating on a scale."""
    return scale.categories[place % 2] if scale.categories else 10.0 * place


def test_a_finding_holds_what_a_report_needs():
    finding = measure_dimension("meaning", table(ROWS))

    assert finding.disagreements == Disagreements(
        threshold=2,
        n_items=2,
        n=1,
        rate=0.5,
        share=plain_mean([1.0, 0.0]),
        rows=(ItemSpread(item="a", n_ratings=2, lowest=1, highest=5, mean=3, range=4),),
    )
    # 3, 3.5 and 2: halves are rounded up.
    assert finding.item_means == (0, 1, 1, 1, 0)
    assert [pattern.kind for pattern in finding.patterns] == ["wide_range", "rater_means"]
    assert finding.patterns[1].subjects == ("R01", "R02")
    assert "discuss_disagreements" in [row.kind for row in finding.suggestions]
    assert (finding.pairs.spread.n, finding.pairs.spread.undefined) == (0, 1)
    assert math.isnan(finding.pairs.spread.mean)
    assert finding.pairs.rows[0].estimate.reason == "too_few_common_items"
    assert [row.rater for row in finding.profiles] == ["R01", "R02"]


def test_the_kappas_of_pairs_are_summed_up():
    rng = np.random.default_rng(4)
    level = rng.integers(1, 6, 40)
    rows = [
        (item, rater, int(np.clip(level[item] + rng.integers(-1, 2), 1, 5)))
        for rater in ("R01", "R02", "R03")
        for item in range(40)
    ]

    pairs = measure_dimension("meaning", table(rows)).pairs

    kappas = [row.estimate.value for row in pairs.rows]
    assert (pairs.weights, pairs.spread.n, pairs.spread.undefined) == ("quadratic", 3, 0)
    assert pairs.spread.mean == pytest.approx(np.mean(kappas))
    assert pairs.spread.sd == pytest.approx(np.std(kappas, ddof=1))
    assert pairs.spread.median == pytest.approx(np.median(kappas))
    assert (pairs.spread.min, pairs.spread.max) == pytest.approx((min(kappas), max(kappas)))


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.kind)
@pytest.mark.parametrize(
    "rows",
    [
        [],
        [("a", "R01", 0)],
        [("a", "R01", 0), ("a", "R02", 1)],
        [(item, rater, 1) for item in "abcd" for rater in ("R01", "R02")],
    ],
    ids=["nothing", "one rating", "one item", "all equal"],
)
def test_every_finding_survives_strict_json(scale, rows):
    rated = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    rated["rating"] = [on(scale, place) for place in rated["rating"]]
    made = RatingTable.from_long(rated, scale=scale)

    judges = {"model": {"a": on(scale, 0)}}
    finding = replace(
        measure_dimension("meaning", made, judges=judges), variants=measure_variants(made)
    )

    text = json.dumps(finding.to_json(), allow_nan=False)
    assert AgreementFinding.from_json(json.loads(text)).to_json() == json.loads(text)
    assert len(finding.profiles) == made.n_raters
    assert (finding.item_means == ()) == (scale.kind in {"interval", "nominal"})


def test_of_many_divided_items_the_widest_are_kept():
    rows = [(f"d{n}", rater, (1, 4 + n % 2)[rater == "R02"]) for n in range(80) for rater in RATERS]

    kept = measure_dimension("meaning", table(rows)).disagreements

    assert (kept.n, len(kept.rows)) == (80, DIVIDED_KEPT)
    assert [row.range for row in kept.rows] == [4.0] * 40 + [3.0] * 10
    every = measure_dimension("meaning", table(rows), kept=None).disagreements
    assert len(every.rows) == 80


RATERS = ("R01", "R02")


def test_a_profile_describes_a_rater_and_counts_every_level():
    strict, mild = measure_profiles(table(ROWS))

    assert (strict.rater, strict.rank, strict.count) == ("R01", 1, 3)
    assert (strict.mean.value, strict.median, strict.low, strict.high) == (2, 2, 1, 3)
    assert strict.sd == pytest.approx(1)
    assert strict.skew == pytest.approx(0)
    assert strict.kurtosis == pytest.approx(-1.5)
    assert (strict.counts, mild.counts) == ((1, 1, 1, 0, 0), (0, 0, 0, 1, 1))


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.kind)
def test_a_table_goes_back_to_the_ratings_it_was_made_of(scale):
    rows = [("a", "R01", on(scale, 0)), ("b", "R02", on(scale, 1)), ("a", "R02", on(scale, 1))]

    assert long_frame(table(rows, scale)).to_numpy().tolist() == [list(row) for row in rows]


def finding(dimension, *, estimates=None, ranges=None):
    rows = tuple(
        ItemSpread(item=item, n_ratings=2, lowest=1, highest=1 + far, mean=1 + far / 2, range=far)
        for item, far in (ranges or {}).items()
    )
    return AgreementFinding(
        dimension=dimension,
        n_items=9,
        n_raters=2,
        n_ratings=18,
        estimates=estimates or {},
        disagreements=Disagreements(threshold=2, n_items=9, n=len(rows), rate=0.5, rows=rows),
    )


def test_the_mean_over_dimensions_leaves_out_what_is_undefined():
    unknown = Estimate(math.nan, reason="no_variation")
    means = mean_over_dimensions(
        [
            finding("meaning", estimates={"icc": Estimate(0.8), "gwet_ac": unknown}),
            finding("layout", estimates={"icc": Estimate(0.6), "gwet_ac": unknown}),
            finding("style", estimates={"icc": unknown, "gwet_ac": unknown}),
        ]
    )

    assert (means["icc"].value, means["icc"].n) == (pytest.approx(0.7), 2)
    assert math.isnan(means["gwet_ac"].value)
    assert means["gwet_ac"].n == 0


def test_items_that_divide_raters_are_ranked_over_all_dimensions():
    ranked = divided_items(
        [
            finding("meaning", ranges={"a": 3.0, "b": 4.0, "c": 3.0}),
            finding("layout", ranges={"a": 2.0, "d": 3.0}),
        ]
    )

    assert [row.item for row in ranked] == ["b", "a", "c", "d"]
    assert ranked[1].ranges == {"meaning": 3.0, "layout": 2.0}
    assert ranked[1].widest == 3


def test_names_lie_no_farther_apart_than_the_ends_of_a_scale():
    """Three names for an item are two names beyond the first, not twice the scale."""
    ranked = divided_items(
        [finding("meaning", ranges={"a": 3.0}), finding("fault", ranges={"a": 2.0, "b": 1.0})],
        lengths={"meaning": 4.0, "fault": 1.0},
    )

    assert [(row.item, row.widest) for row in ranked] == [("a", 1.0), ("b", 1.0)]


def several(dimensions=("meaning", "layout"), n=12):
    rng = np.random.default_rng(5)
    rows = []
    for item in range(n):
        level = rng.integers(1, 6)
        for dimension in dimensions:
            for rater in RATERS:
                value = int(np.clip(level + rng.integers(-1, 2), 1, 5))
                rows.append((f"d{item}", rater, dimension, value))
    return pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])


def test_dimensions_are_correlated_over_ratings_with_their_numbers():
    ratings = several(n=30)

    (row,) = measure_dimensions(ratings, [], scale=LIKERT).correlations

    wide = ratings.pivot_table(index=["item", "rater"], columns="dimension", values="rating")
    assert row.estimate.value == pytest.approx(np.corrcoef(wide.T)[0, 1])
    assert (row.n, row.estimate.n_items) == (60, 30)
    assert row.estimate.low < row.estimate.value < row.estimate.high


@pytest.mark.parametrize(
    ("ratings", "scale"),
    [(several(["meaning"]), LIKERT), (several(), Scale.nominal(["fine", "wrong"]))],
    ids=["one dimension", "names"],
)
def test_nothing_correlates_with_one_dimension_or_names(ratings, scale):
    assert measure_dimensions(ratings, [], scale=scale).correlations == ()
    none = measure_composites(ratings, scale=scale, weights=None, estimate=mean_of)
    assert none == Composites()


def mean_of(ratings, *, scale):
    mean = Estimate(float(ratings["rating"].mean()), n_items=ratings["item"].nunique())
    return {"these": mean, "others": mean}


def test_a_composite_is_made_in_three_ways_with_what_it_is_made_of():
    ratings = several()
    weights = {"meaning": 3, "layout": 1}
    composites = measure_composites(ratings, scale=LIKERT, weights=weights, estimate=mean_of)

    by_method = {row.method: row for row in composites.rows}
    means = ratings.groupby("dimension")["rating"].mean()
    assert list(by_method) == ["weighted", "mean", "pca"]
    assert by_method["weighted"].weights == {"layout": 0.25, "meaning": 0.75}
    assert by_method["weighted"].these.value == pytest.approx(
        0.25 * means["layout"] + 0.75 * means["meaning"]
    )
    assert by_method["mean"].loadings is None
    assert by_method["pca"].loadings == pytest.approx({"layout": 0.5**0.5, "meaning": 0.5**0.5})
    assert 0.5 < by_method["pca"].explained <= 1
    assert set(by_method["mean"].scores) == {f"d{n}" for n in range(12)}
    assert Composites.from_json(composites.to_json()).to_json() == composites.to_json()


def test_under_ten_rows_the_principal_component_is_the_mean_and_says_so():
    composites = measure_composites(several(n=4), scale=LIKERT, weights=None, estimate=mean_of)

    mean, component = composites.rows
    assert (mean.method, component.method, component.used) == ("mean", "pca", "mean")
    assert component.note == (
        "mean instead of the first principal component: only 8 complete rows, fewer than 10"
    )
    assert (component.these, component.others) == (mean.these, mean.others)


def test_a_judge_is_held_against_the_raters_on_the_items_it_scored():
    rows = [*ROWS, ("d", "R01", 5), ("d", "R02", 5)]
    scores = {"a": 3.0, "b": 3.5, "c": math.nan, "d": None, "unrated": 1}

    judged = measure_judge("model", table(rows), scores)

    alignment, ceiling = judged.alignment, judged.ceiling
    assert alignment.value == judge_alignment(table(rows), {"a": 3.0, "b": 3.5}).value
    # |1 - 5| and |3 - 4| of four points; the pair that agrees on "d" is none of the judge's.
    assert ceiling.value == pytest.approx(1 - (1 + 0.25) / 2)
    assert (alignment.n_items, ceiling.n_items) == (2, 2)


def test_the_weights_of_items_go_with_them():
    weights = {"a": 3.0, "b": 1.0, "c": 1.0}

    judged = measure_judge("model", table(ROWS, item_weight=weights), {"a": 1, "b": 3})

    assert judged.ceiling.value == pytest.approx(1 - (3 * 1 + 0.25) / 4)


@settings(max_examples=25)
@given(
    values=st.lists(
        st.tuples(st.integers(0, 6), st.sampled_from("xyz"), st.integers(1, 5)),
        unique_by=lambda row: row[:2],
        min_size=1,
    ),
    scored=st.dictionaries(st.integers(0, 6), st.floats(1, 5) | st.none()),
)
def test_a_judge_who_scores_everything_meets_the_raters_own_agreement(values, scored):
    made = table(values)
    everything = dict.fromkeys(range(7), 3.0)

    judged = measure_judge("model", made, everything)
    some = measure_judge("model", made, scored)

    expected = human_agreement(made).value
    assert judged.ceiling.value == pytest.approx(expected, nan_ok=True)
    for estimate in (some.alignment, some.ceiling):
        assert not estimate.defined or 0 <= estimate.value <= 1
        assert estimate.defined == (estimate.reason in {None, "fewer_than_two_items"})


def test_nobody_is_farther_from_colleagues_than_the_scale_is_long(monkeypatch):
    monkeypatch.setattr(
        agreement,
        "rater_severities",
        lambda ratings: dict.fromkeys(ratings.raters, Estimate(0.3, -7.0, 7.0)),
    )

    profiles = measure_profiles(table(ROWS))

    assert {(row.severity.low, row.severity.high) for row in profiles} == {(-4, 4)}
