import json

import numpy as np
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.truth import dawid_skene, majority_vote, mean_rating, measure_raters

SUMMARY = ("mean", "sd", "lowest", "highest", "correlation")


def likert(matrix, **options):
    return RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5), **options)


def test_accuracy_is_the_share_of_ratings_that_are_the_label():
    table = likert([[1, 1, 2], [4, 4, 4], [3, 3, 5], [2, None, 2]], raters=["a", "b", "c"])

    quality = measure_raters(majority_vote(table), table)

    assert quality.by_rater["rater"].tolist() == ["a", "b", "c"]
    assert quality.by_rater["n_ratings"].tolist() == [4, 3, 4]
    assert quality.by_rater["accuracy"].tolist() == [1, 1, 0.5]
    assert [float(getattr(quality, name)) for name in SUMMARY[:4]] == pytest.approx(
        [5 / 6, np.std([1, 1, 0.5], ddof=1), 0.5, 1]
    )
    assert (quality.mean.n_items, quality.mean.n_raters, quality.mean.n_ratings) == (4, 3, 11)


def test_ability_and_bias_are_the_models(team):
    table, _ = team(200, n_raters=5, per_item=4)
    truth = dawid_skene(table)

    quality = measure_raters(truth, table)

    ability, accuracy = quality.by_rater["ability"], quality.by_rater["accuracy"]
    assert ability.tolist() == truth.rater_accuracy.tolist()
    assert quality.by_rater["bias"].tolist() == truth.rater_bias.tolist()
    assert float(quality.correlation) == pytest.approx(np.corrcoef(ability, accuracy)[0, 1])


def test_better_raters_have_more_of_both():
    rng = np.random.default_rng(0)
    true = rng.integers(1, 6, (300, 1))
    careful = rng.random((300, 6)) < [0.95, 0.9, 0.8, 0.7, 0.5, 0.3]
    table = likert(np.where(careful, true, rng.integers(1, 6, (300, 6))))

    quality = measure_raters(dawid_skene(table), table)

    assert quality.by_rater["accuracy"].is_monotonic_decreasing
    assert float(quality.correlation) > 0.95


def test_names_are_compared_as_names():
    table = RatingTable.from_matrix(
        [["b", "b", "a"], ["c", "c", "c"]], scale=Scale.nominal(["c", "b", "a"])
    )

    quality = measure_raters(majority_vote(table), table)

    assert quality.by_rater["accuracy"].tolist() == [1, 1, 0.5]
    assert quality.by_rater["bias"].isna().all()


def test_ratings_of_items_without_a_truth_are_left_out():
    truth = majority_vote(likert([[1, 1], [2, 2]], items=["x", "y"]))
    table = likert([[1, 1], [5, 2]], items=["z", "y"])

    quality = measure_raters(truth, table)

    assert quality.by_rater["accuracy"].tolist() == [0, 1]
    assert quality.by_rater["n_ratings"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("matrix", "reasons"),
    [
        (np.zeros((0, 2)), ["no_items"] * 5),
        ([[None, None]], ["no_items"] * 5),
        ([[3], [4]], [None, "fewer_than_two_raters", None, None, "fewer_than_two_raters"]),
        ([[3, 3], [4, 4]], [None, None, None, None, "no_variation"]),
    ],
)
def test_what_the_ratings_cannot_tell_has_a_reason(matrix, reasons):
    table = likert(matrix)

    quality = measure_raters(majority_vote(table), table)

    assert [getattr(quality, name).reason for name in SUMMARY] == reasons
    assert [getattr(quality, name).defined for name in SUMMARY] == [not why for why in reasons]


def test_on_a_continuous_scale_nobody_is_right():
    table = RatingTable.from_matrix([[10.0, 20.0]], scale=Scale.interval(0, 100))

    quality = measure_raters(mean_rating(table), table)

    assert quality.mean.reason == quality.correlation.reason == "scale_mismatch"
    assert quality.by_rater["accuracy"].isna().all()


def test_it_can_be_stored():
    table = likert([[1, 1, 2], [4, 4, 4]])

    body = json.loads(json.dumps(measure_raters(majority_vote(table), table).to_json()))

    assert body["by_rater"][2]["accuracy"] == 0.5
    assert body["highest"]["value"] == 1.0
    silent = likert([[None, 1]])
    stored = measure_raters(majority_vote(silent), silent).to_json()
    assert json.loads(json.dumps(stored))["by_rater"][0]["accuracy"] is None


def test_a_rater_without_a_truth_is_named():
    truth = majority_vote(likert([[1, 1]], raters=["a", "b"]))

    with pytest.raises(InputError, match=r"1 rater\(s\) of the table are not in the truth.*'c'"):
        measure_raters(truth, likert([[1, 1]], raters=["a", "c"]))
