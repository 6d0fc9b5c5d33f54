import numpy as np
import pandas as pd
import pytest

from ocrjury import Scale
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.halo import find_halo, purged_residuals
from ocrjury.bias.submissions import read_submissions

CONTINUOUS = Scale.interval(-100, 100)


def two_raters(first, second):
    """Two dimensions, whose errors are those given, of one rater and with the other sign."""
    rng = np.random.default_rng(1)
    rows = []
    for place, errors in enumerate(zip(first, second, strict=True)):
        for dimension, error in enumerate(errors):
            quality = rng.normal()
            rows.append((place, "R0", f"q{dimension}", quality + error))
            rows.append((place, "R1", f"q{dimension}", quality - error))
    return pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])


def submissions(*errors):
    return evidence(two_raters(*errors))


def evidence(frame):
    submissions = read_submissions(frame, scale=CONTINUOUS)
    return BiasEvidence(submissions, rng=np.random.default_rng(1))


def test_halo_is_the_correlation_of_purged_errors():
    rng = np.random.default_rng(2)
    first, own = rng.normal(size=(2, 200))
    second = 0.6 * first + 0.8 * own

    everyone, *each = find_halo(submissions(first, second), np.random.default_rng(1))

    correlation = np.corrcoef(first, second)[0, 1]
    assert everyone.effect == pytest.approx(correlation, abs=0.03)
    assert [one.effect for one in each] == pytest.approx([everyone.effect] * 2)
    assert everyone.low < correlation < everyone.high
    assert everyone.p_value == pytest.approx(1 / 500)


def test_opposite_errors_are_no_halo():
    first = np.random.default_rng(3).normal(size=80)

    everyone = find_halo(submissions(first, -first), np.random.default_rng(1))[0]

    assert everyone.effect < -0.9
    assert everyone.p_value == pytest.approx(1)


def test_residuals_have_the_length_of_their_number():
    errors = np.random.default_rng(4).normal(size=(2, 60))

    residuals = purged_residuals(submissions(*errors))

    for rater in (0, 1):
        lengths = (residuals.z[residuals.rater == rater] ** 2).sum(axis=0)
        assert lengths == pytest.approx([60, 60])


def test_raters_who_agree_on_all_but_one_dimension_show_no_halo():
    first = np.random.default_rng(5).normal(size=60)

    found = find_halo(submissions(first, np.zeros(60)), np.random.default_rng(1))

    assert [one.reason for one in found] == ["no_disagreement"]


def test_a_slope_on_the_quality_is_no_halo():
    # errors of both dimensions follow the item, which is compression and not halo
    rng = np.random.default_rng(6)
    rows = []
    for item in range(150):
        quality = rng.normal()
        for rater, slope in enumerate((0.4, 1.0, 1.0)):
            rows += [
                (item, f"R{rater}", f"q{d}", slope * quality + 0.3 * rng.normal()) for d in (0, 1)
            ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])

    everyone = find_halo(evidence(frame), np.random.default_rng(1))[0]

    # errors less item and rater means alone correlate by about .6
    assert abs(everyone.effect) < 0.15
