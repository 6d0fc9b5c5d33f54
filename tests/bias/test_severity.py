import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import RatingTable, Scale
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.severity import find_severity
from ocrjury.bias.submissions import read_submissions
from ocrjury.rater_model import rater_severities

LIKERT = Scale.likert(1, 5)


def severities(matrix, scale=LIKERT):
    rows = [
        (f"d{i:02d}", f"R{r}", "meaning", value)
        for i, row in enumerate(matrix)
        for r, value in enumerate(row)
        if not np.isnan(value)
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])
    rng = np.random.default_rng(1)
    return find_severity(BiasEvidence(read_submissions(frame, scale=scale), rng=rng), rng)


def test_two_raters_a_point_apart_are_half_a_point_from_their_mean():
    # every item: (q, q + 1); no residual, so the interval has no length
    found = severities([[1 + i % 4, 2 + i % 4] for i in range(20)])

    assert [one.effect for one in found] == pytest.approx([-0.5, 0.5])
    assert [one.low for one in found] == pytest.approx([-0.5, 0.5])
    assert all(one.p_value < 0.01 for one in found)


def test_the_item_mix_is_no_severity():
    # R0 and R2 never meet and rate items of very different quality; R1 joins them
    rng = np.random.default_rng(2)
    easy, hard = rng.integers(4, 6, 30), rng.integers(1, 3, 30)
    matrix = [[q, q, np.nan] for q in easy] + [[np.nan, q, q] for q in hard]
    matrix[0] = [4, 5, np.nan]

    found = severities(matrix)

    assert [one.effect for one in found] == pytest.approx([0, 0, 0], abs=0.05)


def test_the_interval_of_two_raters_is_that_of_paired_differences():
    rng = np.random.default_rng(3)
    first, second = rng.integers(1, 6, (2, 40))
    difference = (second - first) / 2

    low = severities(np.stack([first, second], axis=1).tolist())[1].low

    # clustered by item: standard deviation over n, times n / (n - 1), with Student's quantile
    error = difference.std(ddof=1) / np.sqrt(40)
    assert low == pytest.approx(difference.mean() - 2.0227 * error, abs=1e-3)


def test_a_point_is_a_quarter_of_the_scale():
    found = severities([[10 + i % 4, 16 + i % 4] for i in range(20)], Scale.interval(0, 100))

    assert found[0].effect == pytest.approx(-3)
    assert found[0].level == "low"


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_severities_sum_to_nothing(seed):
    matrix = np.random.default_rng(seed).integers(1, 6, (25, 4)).tolist()

    assert sum(severity.effect for severity in severities(matrix)) == pytest.approx(0, abs=1e-9)


def test_a_severity_has_one_interval_wherever_it_is_printed():
    rng = np.random.default_rng(5)
    matrix = rng.integers(1, 6, (60, 4)).astype(float)
    matrix[rng.random(matrix.shape) < 0.4] = np.nan
    matrix[:, 3] = rng.integers(1, 6, 60)

    tested = severities(matrix)
    table = RatingTable.from_matrix(matrix, scale=LIKERT)

    for finding, severity in zip(tested, rater_severities(table).values(), strict=True):
        ends = (finding.effect, finding.low, finding.high)
        assert ends == pytest.approx((severity.value, severity.low, severity.high))


def test_a_severity_of_one_shared_item_says_why_it_has_no_interval():
    table = RatingTable.from_matrix([[1, 5, 4]], scale=Scale.likert(1, 5))

    for estimate in rater_severities(table).values():
        assert np.isfinite(estimate.value)
        assert np.isnan(estimate.low)
        assert estimate.reason == "fewer_than_two_items"
