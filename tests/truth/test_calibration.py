import json

import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.reliability import expected_calibration_error
from ocrjury.truth import (
    aggregate,
    calibrate,
    calibrated_truth,
    dawid_skene,
    majority_vote,
    mean_rating,
    with_temperature,
)


def calibration_error(truth, true):
    right = truth.label == true
    return float(expected_calibration_error(truth.confidence[60:], right[60:]))


def test_an_over_confident_truth_becomes_honest(team):
    table, true = team(500, per_item=2, right=0.5)
    honest = dawid_skene(table, prior="distance")
    truth = honest.with_probabilities(with_temperature(honest, 0.2).probabilities, temperature=1.0)

    calibrated = calibrate(truth, {item: int(true[item]) for item in range(60)})

    assert calibrated.temperature > 2
    assert calibration_error(calibrated, true) < calibration_error(truth, true) / 2
    assert calibrated.label.tolist() == truth.label.tolist()
    assert calibrated.probabilities.sum(axis=1) == pytest.approx(1)


def test_only_probabilities_and_what_follows_from_them_change(team):
    table, true = team(200)
    truth = dawid_skene(table)

    calibrated = calibrate(truth, dict(enumerate(true.tolist())))

    assert calibrated.confusion is truth.confusion
    assert calibrated.log_likelihood == truth.log_likelihood
    assert calibrated.warnings == truth.warnings
    assert calibrated.mean == pytest.approx(calibrated.probabilities @ np.arange(1, 6))


def test_under_thirty_gold_items_nothing_changes_but_a_warning(team):
    table, true = team(100)
    truth = dawid_skene(table)

    calibrated = calibrate(truth, {item: int(true[item]) for item in range(29)})

    assert calibrated.probabilities is truth.probabilities
    assert calibrated.warnings[-1] == (
        "The probabilities are not calibrated: 29 of their items have a known rating, and 30 are "
        "needed."
    )


def test_gold_of_other_items_does_not_count_and_is_reported(team):
    table, _ = team(100)

    calibrated = calibrate(dawid_skene(table), {f"page {item}": 1 for item in range(40)})

    assert calibrated.temperature == 1.0
    assert "not among the items were not used: 40," in calibrated.warnings[-2]


def test_calibrating_twice_changes_nothing_more(team):
    table, true = team(200)
    gold = dict(enumerate(true.tolist()))
    once = calibrate(dawid_skene(table), gold)

    twice = calibrate(once, gold)

    assert twice.temperature == pytest.approx(once.temperature, rel=1e-3)


def test_a_temperature_carries_over_to_the_refit_and_leaves_certain_items_certain(team):
    table, true = team(200)
    gold = {item: int(true[item]) for item in range(60)}
    temperature = calibrate(dawid_skene(table), gold).temperature

    refit = with_temperature(dawid_skene(table, gold=gold), temperature)

    assert refit.confidence[:60].tolist() == [1.0] * 60
    assert refit.temperature == temperature


def test_a_temperature_replaces_the_one_before(team):
    truth = dawid_skene(team(100)[0])

    back = with_temperature(with_temperature(truth, 2.0), 1.0)

    assert back.probabilities == pytest.approx(truth.probabilities, abs=1e-3)


def test_thirty_right_answers_do_not_make_a_model_certain_of_everything():
    table = RatingTable.from_matrix([[1, 1, 1, 1, 0]] * 30, scale=Scale.binary())

    calibrated = calibrate(majority_vote(table), dict.fromkeys(range(30), 1))

    assert 0.95 < calibrated.confidence.max() < 0.999


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan"), float("inf")])
def test_a_temperature_must_be_above_zero(temperature):
    truth = majority_vote(RatingTable.from_matrix([[1, 0]], scale=Scale.binary()))

    with pytest.raises(InputError, match="temperature must be a number above 0"):
        with_temperature(truth, temperature)


def test_gold_outside_the_scale_is_refused(team):
    with pytest.raises(InputError, match="outside the scale: 1; the first is item 3 with 7"):
        calibrate(dawid_skene(team(50)[0]), {3: 7})


def over_confident(table):
    """A truth that is far too sure."""
    honest = dawid_skene(table, prior="distance")
    sharp = with_temperature(honest, 0.2).probabilities
    return honest.with_probabilities(sharp, temperature=1.0)


def test_the_check_is_kept_with_the_truth(team):
    table, true = team(500, per_item=2, right=0.5)
    truth = over_confident(table)
    gold = {item: int(true[item]) for item in range(60)}

    found = calibrate(truth, gold).calibration

    assert truth.calibration is None
    assert not truth.calibrated
    assert (found.n_items, found.applied) == (60, True)
    assert found.loss_after < found.loss_before
    assert float(found.error_after) < float(found.error_before)
    assert found.error_before.n_items == found.curve_before["n"].sum() == 60
    assert found.curve_after["confidence"].max() < found.curve_before["confidence"].max()
    assert json.loads(json.dumps(found.to_json()))["curve_after"][0]["n"] >= 1


def test_the_error_before_is_that_of_the_labels_on_the_known_items(team):
    table, true = team(300)
    truth = over_confident(table)

    found = calibrate(truth, dict(enumerate(true.tolist()))).calibration

    expected = expected_calibration_error(truth.confidence, truth.label == true)
    assert float(found.error_before) == pytest.approx(float(expected), abs=1e-3)


def test_the_error_after_is_about_that_of_items_that_were_not_used(team):
    errors = []
    for seed in range(6):
        table, true = team(800, per_item=2, right=0.5, seed=seed)
        gold = {item: int(true[item]) for item in range(300)}
        calibrated = calibrate(over_confident(table), gold)
        right = calibrated.label == true
        unseen = expected_calibration_error(calibrated.confidence[300:], right[300:])
        errors.append((float(calibrated.calibration.error_after), float(unseen)))

    told, unseen = np.mean(errors, axis=0)
    assert told == pytest.approx(unseen, abs=0.02)


def test_probabilities_that_a_temperature_would_make_worse_are_left_alone():
    # Right 7 times in 10 and saying so: whatever the temperature, unseen folds do worse.
    matrix = [[1] * 7 + [2] * 3, [2] * 7 + [1] * 3] * 20
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 2))
    truth = majority_vote(table)
    gold = {item: 1 + item % 2 if item % 10 < 7 else 2 - item % 2 for item in range(40)}

    left = calibrate(truth, gold)

    assert left.probabilities is truth.probabilities
    assert (left.calibration.applied, left.calibration.temperature, left.temperature) == (
        False,
        1.0,
        1.0,
    )
    assert left.calibrated
    assert left.warnings[-1].startswith("The probabilities were not changed: on the 40 items")


def test_items_that_the_truth_was_told_do_not_count(team):
    table, true = team(100)
    gold = {item: int(true[item]) for item in range(40)}

    told = calibrate(dawid_skene(table, gold=gold), gold)

    assert told.calibration is None
    assert "0 of their items have a known rating, and 30 are needed" in told.warnings[-1]


def test_one_impossible_answer_does_not_decide_about_all(team):
    table, true = team(200, per_item=2, right=0.5)
    truth = over_confident(table)
    gold = dict(enumerate(true.tolist()))
    denied = truth.probabilities.copy()
    denied[0] = 0.0
    denied[0, true[0] % 5] = 1.0

    usual, upset = (
        calibrate(truth.with_probabilities(shares, temperature=1.0), gold).calibration
        for shares in (truth.probabilities, denied)
    )

    assert upset.temperature < 1.1 * usual.temperature


def test_a_calibrated_truth_knows_what_is_known_and_has_the_temperature_of_before(team):
    table, true = team(300, per_item=2, right=0.5)
    gold = {item: int(true[item]) for item in range(50)}
    classic = {"prior": "none", "class_prior": "estimated"}

    truth = calibrated_truth(table, gold, **classic)

    alone = calibrate(dawid_skene(table, **classic), gold)
    told = dawid_skene(table, gold=gold, **classic)
    assert truth.temperature == alone.temperature > 1.2
    assert truth.calibration.n_items == 50
    assert truth.confidence[:50].tolist() == [1.0] * 50
    assert truth.known.tolist() == [True] * 50 + [False] * 250
    assert truth.confusion == pytest.approx(told.confusion)
    assert truth.probabilities[50:] == pytest.approx(
        with_temperature(told, truth.temperature).probabilities[50:]
    )


def test_settled_items_are_known_to_both_fits_and_do_not_calibrate(team):
    table, true = team(200)
    gold = {item: int(true[item]) for item in range(40)}
    known = {item: int(true[item]) for item in range(30, 100)}

    truth = calibrated_truth(table, gold, known=known)

    first = dawid_skene(table, gold={item: known[item] for item in range(40, 100)})
    assert truth.temperature == calibrate(first, gold).temperature
    assert truth.calibration.n_items == 40
    assert truth.known.sum() == 100


def test_without_enough_gold_there_is_a_warning_and_what_is_known_is_certain(team):
    table, true = team(100)

    few = calibrated_truth(table, {0: int(true[0])}, known={1: int(true[1])})
    none = calibrated_truth(table, {}, known={1: int(true[1])})

    assert few.confidence[:2].tolist() == [1.0, 1.0]
    assert (few.calibration, few.temperature, none.calibration) == (None, 1.0, None)
    assert any("1 of their items have a known rating" in text for text in few.warnings)
    assert any("0 of their items have a known rating" in text for text in none.warnings)
    assert none.confidence[1] == 1.0


def test_warnings_are_said_once(team):
    table, true = team(100)
    gold = {item: int(true[item]) for item in range(40)} | {"elsewhere": 1}

    truth = calibrated_truth(table, gold)

    assert len(set(truth.warnings)) == len(truth.warnings)
    assert sum("not among the items were not used: 1," in text for text in truth.warnings) == 1


@pytest.mark.parametrize("method", ["dawid_skene", "one_coin", "majority_vote", "median_rating"])
def test_every_method_can_be_calibrated(team, method):
    table, true = team(150)
    gold = {item: int(true[item]) for item in range(40)}

    truth = calibrated_truth(table, gold, method=method)

    assert truth.label[:40].tolist() == true[:40].tolist()
    assert truth.calibration.n_items == 40
    assert truth.probabilities.sum(axis=1) == pytest.approx(1)


def test_a_continuous_scale_has_nothing_to_calibrate_but_knows_what_is_known():
    table = RatingTable.from_matrix([[10.0, 20.0], [3.0, 5.0]], scale=Scale.interval(0, 50))

    truth = calibrated_truth(table, {0: 12.5}, known={1: 3.5}, method="mean_rating")

    assert truth.mean.tolist() == [12.5, 3.5]
    assert truth.calibration is None
    assert mean_rating(table).known is None


@pytest.mark.parametrize("method", ["mean_rating", "median_rating"])
def test_means_and_medians_of_ratings_stay_where_confidence_is_calibrated(team, method):
    table, true = team(100, right=0.4)
    gold = {item: int(true[item]) for item in range(60)}
    plain = aggregate(table, method=method)

    calibrated = calibrate(plain, gold)
    told = calibrated_truth(table, gold, method=method)

    assert calibrated.temperature != 1.0
    for name in ("label", "median", "mean", "tied"):
        assert getattr(calibrated, name).tolist() == getattr(plain, name).tolist()
        assert getattr(told, name)[60:].tolist() == getattr(plain, name)[60:].tolist()
    at_label = calibrated.probabilities[np.arange(100), calibrated.label - 1]
    assert calibrated.confidence.tolist() == at_label.tolist()
    right = calibrated.label[:60] == true[:60]
    error = expected_calibration_error(
        plain.probabilities[np.arange(60), plain.label[:60] - 1], right
    )
    assert calibrated.calibration.error_before.value == pytest.approx(error.value, abs=1e-3)


def test_a_continuous_scale_is_not_calibrated():
    ratings = np.random.default_rng(0).integers(0, 11, (50, 3)) / 10
    truth = mean_rating(RatingTable.from_matrix(ratings, scale=Scale.interval(0, 1)))

    same = calibrate(truth, dict.fromkeys(range(40), 0.5))

    assert same.mean is truth.mean
    assert not same.calibrated
    assert same.warnings[-1] == (
        "The probabilities are not calibrated: no rating on a continuous scale is exactly right."
    )


def test_who_settled_gold_is_not_among_the_ratings_that_are_calibrated(team):
    table, true = team(300, right=0.5, seed=2)
    gold = {item: int(true[item]) for item in range(60)}
    frame = pd.DataFrame(
        {
            "item": [*table.item, *gold],
            "rater": [*(f"R{rater}" for rater in table.rater), *["A01"] * 60],
            "rating": [*table.codes + 1, *gold.values()],
        }
    )
    everything = RatingTable.from_long(frame, scale=table.scale)
    blind = RatingTable.from_long(frame[frame["rater"] != "A01"], scale=table.scale)

    found = calibrated_truth(everything, gold, blind=blind)

    assert found.temperature == calibrated_truth(blind, gold).temperature
    assert found.temperature > calibrated_truth(everything, gold).temperature
    assert found.raters == everything.raters
    assert found.confidence[:60].tolist() == [1.0] * 60


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_items_does_not_decide_whether_a_temperature_is_applied(seed):
    rng = np.random.default_rng(seed)
    true = rng.integers(1, 6, 120)
    right = rng.random((120, 3)) < 0.6
    matrix = np.where(right, true[:, None], rng.integers(1, 6, (120, 3)))
    gold = {item: int(true[item]) for item in range(40)}

    found = []
    for order in (np.arange(120), *(rng.permutation(120) for _ in range(4))):
        table = RatingTable.from_matrix(
            matrix[order], scale=Scale.likert(1, 5), items=order.tolist()
        )
        found.append(calibrated_truth(table, gold).calibration)

    assert len({one.applied for one in found}) == 1
    assert [one.loss_after for one in found] == pytest.approx([found[0].loss_after] * 5, abs=1e-4)
