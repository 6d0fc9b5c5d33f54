"""Spread of ratings where severity and the ends of the scale alone make raters differ."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr, ndtri

from ocrjury import Scale
from ocrjury.bias import measure_bias
from ocrjury.bias.latent_scores import latent_scores

FIVE = Scale.likert(1, 5)
BOUNDS = ndtri(np.cumsum([0.02, 0.05, 0.13, 0.30]))


def see(rng, quality, severity, *, noise=0.5):
    """Ratings of what raters see of items; half of them are the best for an ordinary rater."""
    seen = quality[:, None] + severity + noise * rng.normal(size=(len(quality), len(severity)))
    return 1 + np.searchsorted(BOUNDS, seen)


def on_three_dimensions(rng, *, items=200, raters=3, severity=0.7):
    """Ratings whose errors are independent, on dimensions that go together in truth."""
    shared = rng.normal(size=items)
    levels = rng.normal(0, severity, raters)
    frames = []
    for name in "abc":
        quality = np.sqrt(0.7) * shared + np.sqrt(0.3) * rng.normal(size=items)
        ratings = see(rng, quality, levels + rng.normal(0, 0.15, raters))
        frame = as_frame(ratings, np.ones(ratings.shape, dtype=bool))
        frames.append(frame.assign(dimension=name))
    return pd.concat(frames)


def test_severity_on_a_scale_with_ends_is_no_halo(only):
    only("halo")
    rng = np.random.default_rng(15)
    low, high, flagged = [], [], 0

    for seed in range(30):
        findings = measure_bias(on_three_dimensions(rng), scale=FIVE, seed=seed)
        flagged += any(finding.flagged for finding in findings)
        low += [finding.low for finding in findings]
        high += [finding.high for finding in findings]

    assert flagged <= 4  # 12 where only the slope on the item effect is removed
    assert np.mean((np.array(low) <= 0) & (np.array(high) >= 0)) >= 0.9


def as_frame(ratings, kept):
    item, rater = np.nonzero(kept)
    names = [f"R{place}" for place in rater]
    columns = {"item": item, "rater": names, "dimension": "q", "rating": ratings[kept]}
    return pd.DataFrame(columns)


def test_severity_on_a_scale_with_ends_is_no_restricted_range(only):
    rng = np.random.default_rng(12)
    below = {"central_tendency": [], "range_restriction": []}
    only(*below)

    for seed in range(25):
        ratings = see(rng, rng.normal(size=150), rng.normal(0, 0.7, 4))
        kept = rng.random((150, 4)).argsort(axis=1) < 2
        for finding in measure_bias(as_frame(ratings, kept), scale=FIVE, seed=seed):
            if finding.status == "tested":
                below[finding.kind].append(finding.p_value <= 0.05)

    for kind, shares in below.items():
        assert len(shares) > 80
        assert np.mean(shares) <= 0.07, kind  # of ratings alone .5 and .25


def test_a_rater_who_compresses_the_scale_is_still_found(only):
    kinds = ("central_tendency", "range_restriction")
    only(*kinds)
    rng = np.random.default_rng(13)
    flagged = set()

    for seed in range(10):
        quality = rng.normal(size=200)
        ratings = see(rng, quality, np.zeros(4), noise=0.4)
        ratings[:, 0] = see(rng, 0.4 * quality - 0.6, np.zeros(1), noise=0.2)[:, 0]
        findings = measure_bias(as_frame(ratings, np.ones((200, 4), dtype=bool)), scale=FIVE)
        flagged |= {(seed, f.kind) for f in findings if f.rater == "R0" and f.flagged}

    for kind in kinds:
        assert sum(found == kind for _, found in flagged) >= 9


def test_scores_have_one_variance_whatever_the_severity():
    rng = np.random.default_rng(14)
    severity = np.array([-1.5, 0.0, 1.5])
    ratings = see(rng, rng.normal(size=20_000), severity, noise=0.0)
    rater = np.tile(np.arange(3), 20_000)

    latent = latent_scores(ratings.ravel().astype(float), rater, n_raters=3)

    scores = latent.score.reshape(-1, 3)
    assert np.ptp(ratings.std(axis=0)) > 0.5
    assert scores.mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-3)
    assert scores.std(axis=0) == pytest.approx(np.ones(3), abs=0.03)
    # Of a lenient rater, who nearly always gives the best rating, less is left.
    best = 1 - ndtr(BOUNDS[-1] - severity)
    assert list(np.argsort(latent.kept)) == list(np.argsort(-best))


@pytest.mark.parametrize(
    "values", [[3.0] * 6, [1.0, 5.0, 1.0, 5.0, 1.0, 5.0], [5.0, 5.0, 5.0, 1.0, 2.0, 3.0], []]
)
def test_raters_of_few_ratings_have_finite_scores(values):
    rater = np.array([0, 0, 0, 1, 1, 1])[: len(values)]

    latent = latent_scores(np.array(values), rater, n_raters=3)

    assert np.isfinite(latent.score).all()
    assert (latent.kept > 0).all()
    assert (latent.kept <= 1).all()


def test_numbers_of_a_slider_share_levels_with_their_neighbours():
    """Else raters times numbers would be held: 300,000 numbers of 50 raters took 1 GB."""
    rng = np.random.default_rng(15)
    value, rater = rng.normal(size=20_000), rng.integers(0, 2, 20_000)

    latent = latent_scores(value, rater, n_raters=2)

    for each in range(2):
        score = latent.score[rater == each]
        assert 90 < len(np.unique(score)) <= 101
        assert np.corrcoef(score, value[rater == each])[0, 1] > 0.99
