"""What ppi-python and samplics answered, kept in tests/data/sampling_peers.json."""

import json
from pathlib import Path

import numpy as np
import pytest

from ocrjury.estimation import greg_mean, hajek_mean
from ocrjury.sampling import sample_size

ANSWERS = json.loads(
    (Path(__file__).parents[1] / "data" / "sampling_peers.json").read_text("utf-8")
)


@pytest.mark.oracle
@pytest.mark.parametrize("case", ANSWERS["ppi"])
def test_one_auxiliary_is_prediction_powered_inference_at_the_regression_slope(case):
    ours = greg_mean(
        case["y"], [60 / 2000] * 60, auxiliary=case["f"], pool_mean=[case["rest_mean"]]
    )

    assert ours.value == pytest.approx(case["value_at_slope"], abs=1e-9)


@pytest.mark.oracle
@pytest.mark.parametrize("case", ANSWERS["ppi"])
def test_the_default_of_ppi_differs_by_the_error_of_its_slope_alone(case):
    ours = greg_mean(
        case["y"], [60 / 2000] * 60, auxiliary=case["f"], pool_mean=[case["rest_mean"]]
    )

    assert ours.value == pytest.approx(case["value"], abs=0.05)
    assert ours.high - ours.low == pytest.approx(case["high"] - case["low"], rel=0.06)


@pytest.mark.oracle
@pytest.mark.parametrize("case", ANSWERS["samplics"]["means"])
def test_the_hajek_mean_and_its_error_are_those_of_samplics(case):
    # samplics has no finite population: a large one makes no difference
    pi = 1 / np.array(case["weight"]) / 1e6

    ours = hajek_mean(case["y"], pi)

    assert ours.value == pytest.approx(case["value"], abs=1e-12)
    assert ours.se == pytest.approx(case["se"], rel=1e-6)


@pytest.mark.oracle
@pytest.mark.parametrize(("p", "error", "size"), ANSWERS["samplics"]["sizes"])
def test_sample_sizes_are_those_of_samplics(p, error, size):
    assert sample_size(p=p, error=error) == size
