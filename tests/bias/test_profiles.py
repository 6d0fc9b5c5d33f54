import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.bias import rater_profiles
from ocrjury.bias.profiles import profiles_of_table
from ocrjury.rater_model import rater_severities

LIKERT = Scale.likert(1, 5)


def frame(**by_rater):
    rows = [(i, r, "meaning", v) for r, values in by_rater.items() for i, v in enumerate(values)]
    return pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])


def test_moments_by_hand():
    profile = rater_profiles(frame(A=[1, 1, 1, 5]), scale=LIKERT).iloc[0]

    assert profile["count"] == 4
    assert (profile["mean"], profile["median"]) == (2, 1)
    assert profile["sd"] == pytest.approx(2)
    # moments about 2: second 3, third 6, fourth 21
    assert profile["skew"] == pytest.approx(6 / 3**1.5)
    assert profile["kurtosis"] == pytest.approx(21 / 9 - 3)
    assert (profile["min"], profile["max"]) == (1, 5)
    assert profile[[f"n_{c}" for c in range(1, 6)]].tolist() == [3, 0, 0, 0, 1]


def test_the_strictest_comes_first_and_differences_are_named():
    profiles = rater_profiles(frame(A=[4, 5, 4], B=[2, 3, 3], C=[3, 5, 3]), scale=LIKERT)

    assert profiles["rater"].tolist() == ["B", "C", "A"]
    assert profiles["severity_rank"].tolist() == [1, 2, 3]
    differences = profiles.attrs["differences"]["meaning"]
    assert differences["mean_difference"] == pytest.approx(13 / 3 - 8 / 3)
    assert differences["sd_difference"] == pytest.approx(np.sqrt(4 / 3) - np.sqrt(1 / 3))


@pytest.mark.parametrize(
    ("others", "level"),
    [([2, 3, 4], "low"), ([3, 4, 5], "medium"), ([4, 5, 5], "high"), ([5, 5, 5], "high")],
)
def test_distances_between_raters_have_a_word(others, level):
    profiles = rater_profiles(frame(A=[2, 3, 4], B=others), scale=LIKERT)

    assert profiles.attrs["differences"]["meaning"]["level"] == level


def test_one_rater_lies_apart_from_nobody():
    profiles = rater_profiles(frame(A=[2, 3, 4]), scale=LIKERT)

    assert profiles.attrs["differences"]["meaning"]["level"] is None


def test_strictness_is_judged_on_common_items():
    # A rates poor items, B good ones, C both; A has the lowest mean and agrees with C
    rows = [(i, r, "meaning", 1 + i % 2) for i in range(4) for r in "AC"]
    rows += [(i, "C", "meaning", 5) for i in range(4, 8)]
    rows += [(i, "B", "meaning", 4) for i in range(4, 8)]
    ratings = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])

    profiles = rater_profiles(ratings, scale=LIKERT)

    assert profiles["rater"].iloc[0] == "B"
    assert profiles["severity_rank"].tolist() == [1, 2, 2]


def test_raters_who_share_nothing_are_ranked_by_their_means():
    rows = [("a", "A", "meaning", 4), ("b", "B", "meaning", 2)]
    ratings = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])

    profiles = rater_profiles(ratings, scale=LIKERT)

    assert profiles["rater"].tolist() == ["B", "A"]
    assert profiles["severity"].isna().all()
    assert profiles["sd"].isna().all()


def test_a_constant_rater_has_no_shape():
    profile = rater_profiles(frame(A=[3, 3, 3], B=[1, 2, 3]), scale=LIKERT).set_index("rater")

    assert profile.loc["A", "sd"] == 0
    assert np.isnan(profile.loc["A", "skew"])
    assert np.isnan(profile.loc["A", "kurtosis"])


def test_names_are_counted_and_not_averaged():
    profiles = rater_profiles(frame(A=["x", "y"], B=["x", "x"]), scale=Scale.nominal(["x", "y"]))

    assert profiles["mean"].isna().all()
    assert profiles["severity_rank"].isna().all()
    assert profiles["n_x"].tolist() == [1, 2]


def test_a_continuous_scale_has_no_levels():
    profiles = rater_profiles(frame(A=[10.5, 20.0]), scale=Scale.interval(0, 100))

    assert not [name for name in profiles.columns if name.startswith("n_")]
    assert profiles["mean"].tolist() == [15.25]


def test_no_ratings_have_no_profiles():
    empty = rater_profiles(frame(), scale=LIKERT)

    assert empty.empty
    assert "severity_rank" in empty.columns


def test_a_rating_outside_the_scale_is_refused():
    with pytest.raises(InputError, match="outside the scale"):
        rater_profiles(frame(A=[6]), scale=LIKERT)


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(1, 5), min_size=3, max_size=3), min_size=1, max_size=8))
def test_the_order_of_rows_does_not_matter(matrix):
    ratings = frame(
        **{
            name: list(values)
            for name, values in zip("ABC", zip(*matrix, strict=True), strict=True)
        }
    )

    forth, back = (rater_profiles(rows, scale=LIKERT) for rows in (ratings, ratings[::-1]))

    pd.testing.assert_frame_equal(forth, back, rtol=1e-9)


def test_a_rater_without_ratings_has_no_profile():
    matrix = [[4, 5, np.nan], [2, 3, np.nan]]
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5), raters=["a", "b", "c"])

    profiles = profiles_of_table(table, rater_severities(table))

    assert profiles["rater"].tolist() == ["a", "b"]
