import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.text import confidence_reliability
from ocrjury.text.confidences import area_under_curve

CASES = st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.booleans()), max_size=20)


def area(cases):
    score, right = (np.array(side, dtype=float) for side in zip(*cases, strict=True))
    return area_under_curve(score, right)


def test_published_example_of_the_area():
    # Hanley and McNeil (1982), table 2: 58 normal and 51 abnormal images on five levels, .893.
    counts = {1: (33, 3), 2: (6, 2), 3: (6, 2), 4: (11, 11), 5: (2, 33)}
    cases = [
        (float(level), right)
        for level, (normal, abnormal) in counts.items()
        for right in [False] * normal + [True] * abnormal
    ]

    estimate = area(cases)

    assert estimate.value == pytest.approx(0.893, abs=5e-4)
    assert estimate.low < estimate.value < estimate.high <= 1
    # Their own standard error, by another method, is .032.
    assert estimate.se == pytest.approx(0.032, abs=2e-3)


@given(CASES.filter(lambda cases: 2 <= sum(right for _, right in cases) <= len(cases) - 2))
def test_the_error_is_that_of_delongs_components(cases):
    up = np.array([score for score, right in cases if right])
    down = np.array([score for score, right in cases if not right])
    won = (up[:, None] > down) + 0.5 * (up[:, None] == down)

    expected = won.mean(axis=1).var(ddof=1) / len(up) + won.mean(axis=0).var(ddof=1) / len(down)

    assert area(cases).se == pytest.approx(np.sqrt(expected))


@pytest.mark.parametrize(
    ("cases", "reason"),
    [([(0.5, True)], "no_variation"), ([(0.5, False), (0.1, False)], "no_variation")],
)
def test_without_right_or_wrong_texts_there_is_no_area(cases, reason):
    assert math.isnan(area(cases).value)
    assert area(cases).reason == reason


@pytest.mark.parametrize(
    ("right", "wrong", "value", "reason"),
    [
        (0.9, 0.2, 1.0, "perfect_order"),
        (0.2, 0.9, 0.0, "perfect_order"),
        (0.5, 0.5, 0.5, "items_alike"),
    ],
)
def test_an_area_without_spread_has_no_interval_of_no_length(right, wrong, value, reason):
    estimate = area([(right, True)] * 5 + [(wrong, False)] * 7)

    assert estimate.value == pytest.approx(value)
    assert (math.isnan(estimate.low), math.isnan(estimate.high)) == (True, True)
    assert estimate.reason == reason


def test_no_cases_have_no_area():
    assert area_under_curve(np.array([]), np.array([])).reason == "no_items"


def test_one_right_text_has_an_area_and_no_interval():
    estimate = area([(0.9, True), (0.1, False), (0.2, False)])

    assert (estimate.value, estimate.reason) == (1.0, "fewer_than_two_items")
    assert math.isnan(estimate.low)


def test_systems_are_never_mixed():
    frame = pd.DataFrame(
        {
            "system": ["b", "b", "a", "a", "a"],
            "confidence": [0.9, 0.1, 0.2, 0.8, None],
            "cer": [0.0, 0.4, 0.0, 0.4, 0.0],
        }
    )

    a, b = confidence_reliability(frame)

    assert (a.system, a.auroc.value, a.n, a.n_without, a.n_right) == ("a", 0.0, 2, 1, 1)
    assert (b.system, b.auroc.value, b.n_without) == ("b", 1.0, 0)
    assert a.rank_correlation.value == pytest.approx(1)
    assert b.rank_correlation.value == pytest.approx(-1)


def test_a_text_against_an_empty_reference_is_wrong_and_one_without_reference_counts_nowhere():
    frame = pd.DataFrame(
        {"confidence": [0.9, 0.3, 0.8], "cer": [0.0, None, None], "ned": [0.0, 1.0, None]}
    )

    (estimate,) = confidence_reliability(frame)

    assert (estimate.n, estimate.n_right, estimate.auroc.value) == (2, 1, 1.0)


def test_a_text_may_count_as_right_with_some_errors():
    frame = pd.DataFrame({"confidence": [0.9, 0.3], "cer": [0.05, 0.5]})

    assert confidence_reliability(frame)[0].n_right == 0
    assert confidence_reliability(frame, most_cer=0.1)[0].n_right == 1


def test_a_frame_without_scores_is_refused():
    with pytest.raises(InputError, match="the frame lacks 'cer'"):
        confidence_reliability(pd.DataFrame({"confidence": [1.0]}))


@given(CASES.filter(lambda cases: len({right for _, right in cases}) == 2))
def test_turned_around_confidence_has_the_other_area(cases):
    turned = [(-score, right) for score, right in cases]

    assert area(turned).value == pytest.approx(1 - area(cases).value)


@pytest.mark.oracle
@given(CASES.filter(lambda cases: len({right for _, right in cases}) == 2))
def test_agrees_with_scikit_learn(cases):
    from sklearn.metrics import roc_auc_score

    score, right = zip(*cases, strict=True)

    assert area(cases).value == pytest.approx(roc_auc_score(right, score))


def test_long_texts_are_compared_by_their_right_characters():
    # Three pages, none of them perfect, whose confidence is the share of their right characters.
    pages = pd.DataFrame(
        {
            "confidence": [0.98, 0.9, 0.5, 0.4],
            "cer": [0.02, 0.1, 0.5, 1.3],
            "n_ref_chars": [1800, 1900, 2100, 400],
        }
    )

    (whole,) = confidence_reliability(pages)
    (fields,) = confidence_reliability(pages.assign(n_ref_chars=12))
    (given,) = confidence_reliability(pages, most_cer=0.1)

    assert (whole.of_characters, fields.of_characters, given.of_characters) == (True, False, False)
    # Only the last is wrong: 1.3 errors per character leave none right, and it says .4.
    assert whole.calibration_error.value == pytest.approx(0.4 / 4)
    assert whole.accuracy == pytest.approx((0.98 + 0.9 + 0.5) / 4)
    assert whole.stated == pytest.approx((0.98 + 0.9 + 0.5 + 0.4) / 4)
    assert fields.calibration_error.value == pytest.approx(fields.stated)
    assert (given.n_right, whole.n_right) == (2, 0)


def test_text_read_where_there_is_none_has_no_right_character():
    pages = pd.DataFrame(
        {"confidence": [0.9, 0.7], "cer": [0.1, math.nan], "ned": [0.1, 1.0], "n_ref_chars": 900}
    )

    (whole,) = confidence_reliability(pages)

    assert (whole.n, whole.accuracy) == (2, pytest.approx(0.45))


def test_texts_of_a_page_count_once_in_the_interval_of_the_area():
    rng = np.random.default_rng(4)
    right = rng.random(200) < 0.6
    score = np.clip(0.5 + 0.2 * right + rng.normal(0, 0.2, 200), 0, 1)
    once = pd.DataFrame({"confidence": score, "cer": np.where(right, 0.0, 0.3)})
    twice = pd.concat([once, once], ignore_index=True)
    pages = [*range(200), *range(200)]

    (alone,) = confidence_reliability(once)
    (together,) = confidence_reliability(twice.assign(page_id=pages))
    (apart,) = confidence_reliability(twice.assign(page_id=range(400)))
    (single,) = confidence_reliability(once.assign(page_id="p1"))

    assert together.auroc.value == pytest.approx(alone.auroc.value)
    assert together.auroc.se == pytest.approx(alone.auroc.se, rel=0.01)
    assert apart.auroc.se == pytest.approx(alone.auroc.se / 2**0.5, rel=0.01)
    assert (single.auroc.reason, math.isnan(single.auroc.low)) == ("fewer_than_two_items", True)
