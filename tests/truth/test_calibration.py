import numpy as np
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.reliability import expected_calibration_error
from ocrjury.truth import calibrate, dawid_skene, majority_vote, with_temperature


def calibration_error(truth, true):
    right = truth.label == true
    return float(expected_calibration_error(truth.confidence[60:], right[60:]))


def test_an_over_confident_truth_becomes_honest(panel):
    table, true = panel(500, per_item=2, right=0.5)
    honest = dawid_skene(table, prior="distance")
    truth = honest.with_probabilities(with_temperature(honest, 0.2).probabilities, temperature=1.0)

    calibrated = calibrate(truth, {item: int(true[item]) for item in range(60)})

    assert calibrated.temperature > 2
    assert calibration_error(calibrated, true) < calibration_error(truth, true) / 2
    assert calibrated.label.tolist() == truth.label.tolist()
    assert calibrated.probabilities.sum(axis=1) == pytest.approx(1)


def test_only_probabilities_and_what_follows_from_them_change(panel):
    table, true = panel(200)
    truth = dawid_skene(table)

    calibrated = calibrate(truth, dict(enumerate(true.tolist())))

    assert calibrated.confusion is truth.confusion
    assert calibrated.log_likelihood == truth.log_likelihood
    assert calibrated.warnings == truth.warnings
    assert calibrated.mean == pytest.approx(calibrated.probabilities @ np.arange(1, 6))


def test_under_thirty_gold_items_nothing_changes_but_a_warning(panel):
    table, true = panel(100)
    truth = dawid_skene(table)

    calibrated = calibrate(truth, {item: int(true[item]) for item in range(29)})

    assert calibrated.probabilities is truth.probabilities
    assert calibrated.warnings[-1] == (
        "The probabilities are not calibrated: 29 of their items have a known rating, and 30 are "
        "needed."
    )


def test_gold_of_other_items_does_not_count_and_is_reported(panel):
    table, _ = panel(100)

    calibrated = calibrate(dawid_skene(table), {f"page {item}": 1 for item in range(40)})

    assert calibrated.temperature == 1.0
    assert "40 gold item(s) are not among the items" in calibrated.warnings[-2]


def test_calibrating_twice_changes_nothing_more(panel):
    table, true = panel(200)
    gold = dict(enumerate(true.tolist()))
    once = calibrate(dawid_skene(table), gold)

    twice = calibrate(once, gold)

    assert twice.temperature == pytest.approx(once.temperature, rel=1e-3)


def test_a_temperature_carries_over_to_the_refit_and_leaves_certain_items_certain(panel):
    table, true = panel(200)
    gold = {item: int(true[item]) for item in range(60)}
    temperature = calibrate(dawid_skene(table), gold).temperature

    refit = with_temperature(dawid_skene(table, gold=gold), temperature)

    assert refit.confidence[:60].tolist() == [1.0] * 60
    assert refit.temperature == temperature


def test_a_temperature_replaces_the_one_before(panel):
    truth = dawid_skene(panel(100)[0])

    back = with_temperature(with_temperature(truth, 2.0), 1.0)

    assert back.probabilities == pytest.approx(truth.probabilities, abs=1e-9)


def test_thirty_right_answers_do_not_make_a_model_certain_of_everything():
    table = RatingTable.from_matrix([[1, 1, 1, 1, 0]] * 30, scale=Scale.binary())

    calibrated = calibrate(majority_vote(table), dict.fromkeys(range(30), 1))

    assert 0.95 < calibrated.confidence.max() < 0.999


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan"), float("inf")])
def test_a_temperature_must_be_above_zero(temperature):
    truth = majority_vote(RatingTable.from_matrix([[1, 0]], scale=Scale.binary()))

    with pytest.raises(InputError, match="temperature must be a number above 0"):
        with_temperature(truth, temperature)


def test_gold_outside_the_scale_is_refused(panel):
    with pytest.raises(InputError, match="outside the scale; the first is item 3 with 7"):
        calibrate(dawid_skene(panel(50)[0]), {3: 7})
