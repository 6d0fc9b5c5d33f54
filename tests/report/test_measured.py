import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import Estimate, RatingTable, Scale
from ocrjury.agreement import human_agreement, judge_alignment, measure_agreement
from ocrjury.report.measured import (
    DIVIDED_KEPT,
    agreement_body,
    composite_body,
    dimensions_body,
    judge_body,
    long_frame,
    mean_over_dimensions,
    profiles_of,
)

LIKERT = Scale.likert(1, 5)
SCALES = [LIKERT, Scale.binary(), Scale.interval(0, 100), Scale.nominal(["fine", "wrong"])]
ROWS = [("a", "R01", 1), ("a", "R02", 5), ("b", "R01", 3), ("b", "R02", 4), ("c", "R01", 2)]


def table(rows, scale=LIKERT, **options):
    frame = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    return RatingTable.from_long(frame, scale=scale, **options)


def on(scale, place):
    """Return some rating on a scale."""
    return scale.categories[place % 2] if scale.categories else 10.0 * place


def test_the_body_of_a_dimension_holds_what_a_report_needs():
    body = agreement_body(table(ROWS), measure_agreement(table(ROWS)))

    assert body["disagreements"] == {
        "threshold": 2,
        "n_items": 2,
        "n": 1,
        "rate": 0.5,
        "rows": [
            {"item": "a", "n_ratings": 2, "lowest": 1, "highest": 5, "range": 4, "mean": 3},
        ],
    }
    # 3, 3.5 and 2: halves are rounded up.
    assert body["item_means"] == [0, 1, 1, 1, 0]
    assert [one["kind"] for one in body["patterns"]] == ["wide_range", "rater_means"]
    assert body["patterns"][1]["subjects"] == ["R01", "R02"]
    assert "discuss_disagreements" in [one["kind"] for one in body["suggestions"]]
    assert body["pair_summary"] == {
        "n": 0,
        "undefined": 1,
        **dict.fromkeys(("mean", "sd", "min", "median", "max")),
    }
    assert body["pairs"][0]["reason"] == "too_few_common_items"
    assert set(body["severity"]) == {"R01", "R02"}


def test_the_kappas_of_pairs_are_summed_up():
    rng = np.random.default_rng(4)
    level = rng.integers(1, 6, 40)
    rows = [
        (item, rater, int(np.clip(level[item] + rng.integers(-1, 2), 1, 5)))
        for rater in ("R01", "R02", "R03")
        for item in range(40)
    ]

    body = agreement_body(table(rows), measure_agreement(table(rows)))

    kappas = [pair["value"] for pair in body["pairs"]]
    summary = body["pair_summary"]
    assert (summary["n"], summary["undefined"]) == (3, 0)
    assert summary["mean"] == pytest.approx(np.mean(kappas))
    assert summary["sd"] == pytest.approx(np.std(kappas, ddof=1))
    assert summary["median"] == pytest.approx(np.median(kappas))
    assert (summary["min"], summary["max"]) == pytest.approx((min(kappas), max(kappas)))


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
def test_every_body_is_strict_json(scale, rows):
    rated = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    rated["rating"] = [on(scale, place) for place in rated["rating"]]
    made = RatingTable.from_long(rated, scale=scale)

    body = agreement_body(made, measure_agreement(made))
    judged = judge_body(made, {"a": on(scale, 0)})

    json.dumps([body, judged], allow_nan=False)
    assert len(body["profiles"]) == made.n_raters
    assert (body["item_means"] is None) == (scale.kind in {"interval", "nominal"})


def test_of_many_divided_items_the_widest_are_kept():
    rows = [(f"d{n}", rater, (1, 4 + n % 2)[rater == "R02"]) for n in range(80) for rater in RATERS]

    found = agreement_body(table(rows), measure_agreement(table(rows)))["disagreements"]

    assert (found["n"], len(found["rows"])) == (80, DIVIDED_KEPT)
    assert [row["range"] for row in found["rows"]] == [4.0] * 40 + [3.0] * 10


RATERS = ("R01", "R02")


def test_a_profile_describes_a_rater_and_counts_every_level():
    strict, mild = profiles_of(table(ROWS))

    assert (strict["rater"], strict["severity_rank"], strict["count"]) == ("R01", 1, 3)
    assert (strict["mean"], strict["median"], strict["min"], strict["max"]) == (2, 2, 1, 3)
    assert strict["sd"] == pytest.approx(1)
    assert strict["skew"] == pytest.approx(0)
    assert strict["kurtosis"] == pytest.approx(-1.5)
    assert (strict["counts"], mild["counts"]) == ([1, 1, 1, 0, 0], [0, 0, 0, 1, 1])


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.kind)
def test_a_table_goes_back_to_the_ratings_it_was_made_of(scale):
    rows = [("a", "R01", on(scale, 0)), ("b", "R02", on(scale, 1)), ("a", "R02", on(scale, 1))]

    assert long_frame(table(rows, scale)).to_numpy().tolist() == [list(row) for row in rows]


def test_the_mean_over_dimensions_leaves_out_what_is_undefined():
    unknown = Estimate(math.nan, reason="no_variation")
    found = mean_over_dimensions(
        {
            "meaning": {"icc": Estimate(0.8), "gwet_ac": unknown},
            "layout": {"icc": Estimate(0.6), "gwet_ac": unknown},
            "style": {"icc": unknown, "gwet_ac": unknown},
        }
    )

    assert found["icc"] == {"value": pytest.approx(0.7), "n": 2}
    assert found["gwet_ac"] == {"value": None, "n": 0}


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

    (row,) = dimensions_body(ratings, {}, scale=LIKERT)["correlations"]

    wide = ratings.pivot_table(index=["item", "rater"], columns="dimension", values="rating")
    assert row["value"] == pytest.approx(np.corrcoef(wide.T)[0, 1])
    assert (row["n"], row["n_items"]) == (60, 30)
    assert row["low"] < row["value"] < row["high"]


@pytest.mark.parametrize(
    ("ratings", "scale"),
    [(several(["meaning"]), LIKERT), (several(), Scale.nominal(["fine", "wrong"]))],
    ids=["one dimension", "names"],
)
def test_nothing_correlates_with_one_dimension_or_names(ratings, scale):
    assert dimensions_body(ratings, {}, scale=scale)["correlations"] == []


def mean_of(ratings):
    mean = Estimate(float(ratings["rating"].mean()), n_items=ratings["item"].nunique())
    return {"these": mean, "others": mean}


def test_a_composite_is_made_in_three_ways_with_what_it_is_made_of():
    ratings = several()
    body = composite_body(ratings, weights={"meaning": 3, "layout": 1}, estimate=mean_of)

    by_method = {one["method"]: one for one in body["methods"]}
    means = ratings.groupby("dimension")["rating"].mean()
    assert list(by_method) == ["weighted", "mean", "pca"]
    assert by_method["weighted"]["weights"] == {"layout": 0.25, "meaning": 0.75}
    assert by_method["weighted"]["estimates"]["these"]["value"] == pytest.approx(
        0.25 * means["layout"] + 0.75 * means["meaning"]
    )
    assert by_method["mean"]["loadings"] is None
    assert by_method["pca"]["loadings"] == pytest.approx({"layout": 0.5**0.5, "meaning": 0.5**0.5})
    assert 0.5 < by_method["pca"]["explained"] <= 1
    assert set(body["scores"]["mean"]) == {f"d{n}" for n in range(12)}
    json.dumps(body, allow_nan=False)


def test_under_ten_rows_the_principal_component_is_the_mean_and_says_so():
    body = composite_body(several(n=4), weights=None, estimate=mean_of)

    mean, component = body["methods"]
    assert (mean["method"], component["method"], component["used"]) == ("mean", "pca", "mean")
    assert component["note"] == (
        "mean instead of the first principal component: only 8 complete rows, fewer than 10"
    )
    assert component["estimates"] == mean["estimates"]


def test_a_judge_is_held_against_the_raters_on_the_items_it_scored():
    rows = [*ROWS, ("d", "R01", 5), ("d", "R02", 5)]
    scores = {"a": 3.0, "b": 3.5, "c": math.nan, "d": None, "unrated": 1}

    body = judge_body(table(rows), scores)

    alignment, ceiling = (Estimate.from_json(body[key]) for key in ("alignment", "ceiling"))
    assert alignment.value == judge_alignment(table(rows), {"a": 3.0, "b": 3.5}).value
    # |1 - 5| and |3 - 4| of four points; the pair that agrees on "d" is none of the judge's.
    assert ceiling.value == pytest.approx(1 - (1 + 0.25) / 2)
    assert (alignment.n_items, ceiling.n_items) == (2, 2)


def test_the_weights_of_items_go_with_them():
    weights = {"a": 3.0, "b": 1.0, "c": 1.0}

    body = judge_body(table(ROWS, item_weight=weights), {"a": 1, "b": 3})

    assert body["ceiling"]["value"] == pytest.approx(1 - (3 * 1 + 0.25) / 4)


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

    body = judge_body(made, everything)
    some = judge_body(made, scored)

    ceiling = Estimate.from_json(body["ceiling"])
    expected = human_agreement(made).value
    assert ceiling.value == pytest.approx(expected, nan_ok=True)
    for one in some.values():
        assert one["value"] is None or 0 <= one["value"] <= 1
        assert (one["value"] is None) == (one["reason"] not in {None, "fewer_than_two_items"})
