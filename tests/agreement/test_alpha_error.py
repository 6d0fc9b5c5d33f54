import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import RatingTable, Scale
from ocrjury.agreement import krippendorff_alpha, percent_agreement
from ocrjury.agreement.continuous_alpha import continuous_alpha
from ocrjury.agreement.krippendorff import MANY, alpha_of_patterns
from ocrjury.agreement.patterns import collapse

LEVELS = ("nominal", "ordinal", "interval", "ratio")
N = math.nan
# Gwet (2014), page 120, after Krippendorff (2011): 4 raters, 12 units; cac.raw4raters of irrCAC.
FOUR_BY_TWELVE = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
).T


def likert(team, **options):
    return RatingTable.from_matrix(team, scale=Scale.likert(1, 5), **options)


def team_of(seed, *, n_items=40, n_raters=3, missing=0.0):
    rng = np.random.default_rng(seed)
    quality = rng.integers(1, 6, (n_items, 1))
    team = np.clip(quality + rng.integers(-1, 2, (n_items, n_raters)), 1, 5).astype(float)
    team[rng.random(team.shape) < missing] = np.nan
    team[:2, :2] = [[1, 1], [4, 5]]  # so that every coefficient is defined
    return team


def alpha_statistic(table, level):
    """Alpha as a function of sums over items, as `krippendorff_alpha` takes it."""
    if table.scale.kind == "interval" or len(table.categories) > MANY:
        return continuous_alpha(table, level)
    return alpha_of_patterns(collapse(table).only_pairable(), table.categories, level)


def test_the_published_error_of_alpha():
    # irrCAC, overview vignette: krippen.alpha.raw(cac.raw4raters) prints .74342, .14557, (.419,1).
    alpha = krippendorff_alpha(likert(FOUR_BY_TWELVE), level="nominal")

    assert (alpha.value, alpha.se) == pytest.approx((0.74342, 0.14557), abs=5e-6)
    assert (alpha.low, alpha.high) == pytest.approx((0.419, 1), abs=5e-4)
    assert alpha.method == "Krippendorff's alpha, nominal, linearised"


def test_the_published_error_of_percent_agreement_counts_an_item_with_one_rating():
    # irrCAC, overview vignette: pa.coeff.raw(cac.raw4raters) prints .8181818 and .12561; its
    # formula has (12 / 11 times) the agreement of 11 units, and 0 for unit 12, which one rated.
    ours = percent_agreement(likert(FOUR_BY_TWELVE))
    shares = np.array([percent_agreement(likert(row[None, :])).value for row in FOUR_BY_TWELVE])
    theirs = np.nan_to_num(shares) * 12 / 11

    assert ours.value == pytest.approx(theirs.mean())
    assert theirs.std(ddof=1) / math.sqrt(12) == pytest.approx(0.12561, abs=5e-6)
    assert ours.se == pytest.approx(np.nanstd(shares, ddof=1) / math.sqrt(11))
    assert ours.n_items == 11


def test_two_raters_of_a_hundred_items_as_printed():
    # irrCAC, overview vignette, cont3x3abstractors: pa2.table prints .89 and .03128898, krippen2
    # .7972585 and .05905473; both divide by n here, by n - 1 for raw ratings.
    counts = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    table = RatingTable.from_crosstab(counts, scale=Scale.nominal(["ectopic", "AIU", "NIU"]))

    percent, alpha = percent_agreement(table), krippendorff_alpha(table)

    assert (percent.value, percent.se) == pytest.approx((0.89, 0.03128898 * math.sqrt(100 / 99)))
    assert alpha.value == pytest.approx(0.7972585, abs=5e-8)
    assert alpha.se == pytest.approx(0.05905473, rel=0.01)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("team", "reason"),
    [
        ([[3, 3, 3], [3, 3, 3]], "no_variation"),
        ([[1, 4, 4]], "fewer_than_two_items"),
        ([[1, 4], [N, 2]], "fewer_than_two_items"),
    ],
)
def test_without_an_answer_there_is_a_reason(level, team, reason):
    estimate = krippendorff_alpha(likert(team), level=level)

    assert math.isnan(estimate.se)
    assert estimate.reason == reason


@pytest.mark.parametrize("level", LEVELS)
def test_perfect_agreement_has_an_error_of_0_and_therefore_no_interval(level):
    estimate = krippendorff_alpha(likert([[1, 1], [3, 3], [5, 5]]), level=level)

    assert (estimate.value, estimate.se) == (1, 0)
    assert math.isnan(estimate.low)
    assert estimate.reason == "no_disagreement"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("scale", [Scale.likert(1, 5), Scale.likert(1, 40), Scale.interval(0, 6)])
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_the_error_is_that_of_the_derivative(level, scale, seed):
    """With as many ratings on every item, the terms are the derivatives by the item's weight."""
    table = RatingTable.from_matrix(team_of(seed), scale=scale)
    statistic = alpha_statistic(table, level)
    rows = np.asarray(getattr(statistic.features, "toarray", lambda: statistic.features)())
    n_values, n, step = table.n_ratings, statistic.n, 1e-5

    def without_small_sample_part(sums, size):
        return 1 - (1 - statistic.value(sums)) * size / (size - 1)

    sums, own = statistic.sums(), 3 * step
    above = without_small_sample_part(sums + step * rows, n_values + own)
    below = without_small_sample_part(sums - step * rows, n_values - own)
    slope = (above - below) / (2 * step)
    expected = math.sqrt(n / (n - 1) * (statistic.frequency @ slope**2))
    assert krippendorff_alpha(table, level=level).se == pytest.approx(expected, rel=1e-4)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), missing=st.floats(0, 0.4))
def test_two_categories_have_one_error_at_every_level(seed, missing):
    team = np.where(team_of(seed, missing=missing) > 3, 2.0, 1.0)
    team[np.isnan(team_of(seed, missing=missing))] = np.nan
    table = RatingTable.from_matrix(team, scale=Scale.likert(1, 2))

    errors = [krippendorff_alpha(table, level=level).se for level in LEVELS]

    assert errors == pytest.approx([errors[0]] * 4, rel=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_items_with_one_rating_and_equal_weights_change_nothing(level):
    team = team_of(3, missing=0.2)
    lone = np.vstack([team, [[5, N, N]]])

    plain = krippendorff_alpha(likert(team), level=level)

    assert krippendorff_alpha(likert(lone), level=level).se == pytest.approx(plain.se)
    equal = likert(team, item_weight=np.full(len(team), 7.0))
    assert krippendorff_alpha(equal, level=level).se == pytest.approx(plain.se)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_error_is_close_to_the_jackknife(level, weighted):
    weights = np.random.default_rng(1).integers(1, 4, 300) if weighted else None
    table = likert(team_of(5, n_items=300, missing=0.2), item_weight=weights)

    linearised, jackknife = (
        krippendorff_alpha(table, level=level, ci=ci) for ci in (None, "jackknife")
    )

    assert linearised.se == pytest.approx(jackknife.se, rel=0.02)


@pytest.mark.oracle
@pytest.mark.parametrize(("level", "weights"), [("nominal", "identity"), ("interval", "quadratic")])
@settings(max_examples=10)
@given(
    seed=st.integers(0, 2**32), n_raters=st.integers(2, 5), missing=st.sampled_from([0, 0.2, 0.5])
)
def test_the_error_is_that_of_irrcac(level, weights, seed, n_raters, missing):
    from irrCAC import raw

    team = team_of(seed, n_items=12, n_raters=n_raters, missing=missing)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = raw.CAC(
            pd.DataFrame(team), weights=weights, categories=[1, 2, 3, 4, 5], digits=12
        ).krippendorff()["est"]

    ours = krippendorff_alpha(likert(team), level=level)

    assert (ours.value, ours.se) == pytest.approx((peer["coefficient_value"], peer["se"]), abs=1e-9)
    assert (ours.low, ours.high) == pytest.approx(peer["confidence_interval"], abs=1e-9)
