import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri
from scipy.stats import t as student

from ocrjury.estimation.gold import level_of_share
from ocrjury.planner.precision import Components, Design, Precision, expected_precision

PANEL = Components(100_000, 1.0982, 0.72, math.sqrt(0.12), 0.5, 6)


def test_the_variance_is_that_of_a_crossed_design():
    found = expected_precision(PANEL, Design(385, 2))

    # Brennan (2001), chapter 4: documents, noise over ratings, raters over their number
    assert found.documents == pytest.approx((1 - 0.00385) * 1.0982**2 * 0.28 / 385)
    assert found.noise == pytest.approx(0.25 / 770)
    assert found.raters == pytest.approx(0.02)


def test_gold_replaces_the_raters_by_the_error_of_their_level():
    found = expected_precision(PANEL, Design(385, 2, gold_items=20))

    assert found.raters == pytest.approx(0.25 / (20 * 6))


def test_gold_of_which_each_rater_meets_a_part_has_the_freedom_of_all_that_is_met():
    g, whole, raters = 5, 20, 6
    found = expected_precision(PANEL, Design(385, 2, gold_items=g, different_gold=whole))

    ratings = np.random.default_rng(1).binomial(raters, g / whole, (20_000, whole))
    met = (ratings > 0).sum(axis=1)
    inverse = np.where(ratings > 0, 1 / np.maximum(ratings, 1), 0).sum(axis=1) / met
    assert found.df == pytest.approx(met.mean() - 1, rel=0.01)
    assert found.raters == pytest.approx(0.25 * (inverse / met).mean(), rel=0.03)


@pytest.mark.parametrize("design", [Design(385, 2, 9), Design(385, 2, 3, different_gold=12)])
def test_gold_that_is_too_little_to_correct_leaves_the_raters_as_they_are(design):
    assert expected_precision(PANEL, design) == expected_precision(PANEL, Design(385, 2))


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_gold_leaves_as_much_of_a_share_open_as_its_level_does(share):
    rng, n_gold, raters = np.random.default_rng(2), 20, 6
    found = expected_precision(PANEL.of_share(share), Design(385, 2, gold_items=n_gold))

    cut = ndtri(1 - share) * math.hypot(PANEL.score_sd, PANEL.noise_sd)
    parts = []
    for _ in range(400):
        score = PANEL.score_sd * rng.normal(size=(n_gold, 1))
        severity = PANEL.rater_sd * rng.normal(size=raters)
        severity -= severity.mean()  # a panel that is strict on the whole has a level to find
        rating = score + severity + PANEL.noise_sd * rng.normal(size=(n_gold, raters))
        deviation = (rating >= cut).mean(axis=1) - (score[:, 0] >= cut)
        parts.append(level_of_share(deviation).part)
    assert found.df == parts[0].df
    assert found.raters == pytest.approx(np.mean([part.variance for part in parts]), rel=0.1)


def test_fewer_doubly_rated_items_leave_more_noise_in_the_severities():
    sparse, full = (expected_precision(PANEL, Design(200, m)) for m in (1, 2))

    # of a balanced design: 5 contrasts between 6 raters share the items rated twice
    assert sparse.severities == pytest.approx(0.25 * 5 / 77 / 6)
    assert full.severities == pytest.approx(0.25 * 5 / 200 / 6)
    assert expected_precision(PANEL, Design(200, 2, gold_items=20)).severities is None


def test_these_raters_have_no_rater_error():
    assert expected_precision(PANEL, Design(385, 2), whose="these").raters == 0


def test_outputs_of_a_page_say_no_more_about_the_pool_than_one():
    alone = expected_precision(PANEL, Design(200, 2))
    pairs = expected_precision(replace(PANEL, together=2), Design(400, 2))

    assert pairs.documents == pytest.approx(alone.documents, rel=0.01)  # but for the pool's size
    assert pairs.df_documents == alone.df_documents
    assert pairs.noise == pytest.approx(alone.noise / 2)


def test_the_width_counts_the_raters_degrees_of_freedom_by_what_is_measured_of_them():
    precision = Precision(0.002, 0.001, 0.02, df=5, df_documents=384, severities=0.001)

    t = (0.021 * student.ppf(0.975, 5) + 0.002 * student.ppf(0.975, 384)) / 0.023
    assert precision.width() == pytest.approx(2 * t * math.sqrt(0.023))


def test_one_rater_tells_nothing_about_others():
    alone = Components(1000, 1.0, 0.5, 0.3, 0.5, 1)

    assert expected_precision(alone, Design(100, 1)).width() == math.inf
    assert expected_precision(alone, Design(100, 1, gold_items=20)).width() < math.inf


def test_with_one_rater_each_a_fifth_and_at_least_77_items_get_two():
    assert [Design(n, 1).double_rated for n in (50, 77, 200, 1000)] == [50, 77, 77, 200]
    assert Design(200, 1).ratings(6) == 277
    assert Design(200, 1).noise_factor(6) == pytest.approx((123 + 77 / 2) / 200)
    assert Design(200, 3, gold_items=10).ratings(6) == 660
    assert Design(200, 1).ratings(1) == 200


def test_fewer_than_thirty_items_leave_the_auxiliaries_out():
    few, enough = (expected_precision(PANEL, Design(n, 2)).documents for n in (29, 30))

    assert few == pytest.approx(PANEL.score_sd**2 / 29, rel=1e-3)
    assert enough < 0.3 * few


@given(st.integers(10, 5000), st.integers(1, 6), st.sampled_from([0, 10, 40]), st.floats(0, 0.9))
def test_more_items_never_make_the_interval_longer(n, per_item, gold, saved):
    of = Components(100_000, 1.0, saved, 0.3, 0.5, 6)

    fewer, more = (expected_precision(of, Design(k, per_item, gold)).width() for k in (n, n + 1))

    assert more <= fewer * 1.001


def test_a_share_of_a_half_has_the_variance_of_a_coin():
    share = PANEL.of_share(0.5)

    assert share.score_sd**2 + share.noise_sd**2 == pytest.approx(0.25)
    # Sheppard (1899): P(both below the median) = 1/4 + arcsin(rho) / (2 pi)
    rho = PANEL.score_sd**2 / (PANEL.score_sd**2 + 0.25)
    assert share.score_sd**2 == pytest.approx(np.arcsin(rho) / (2 * np.pi), abs=1e-4)
    assert 0 < share.r_squared < PANEL.r_squared


@given(st.floats(0.01, 0.99), st.floats(0, 2), st.floats(0.01, 2), st.floats(-0.5, 1))
def test_the_parts_of_a_share_are_variances(share, score, noise, saved):
    found = Components(1000, score, saved, 0.3, noise, 6).of_share(share)

    assert found.score_sd >= 0
    assert found.r_squared <= 1 + 1e-6
    assert found.score_sd**2 + found.noise_sd**2 == pytest.approx(share * (1 - share), abs=1e-6)
