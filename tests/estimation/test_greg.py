import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.estimation import greg_mean, hajek_mean

# Ten of 200 peach trees, weighed and judged by eye: Cochran (1977), Sampling Techniques, chapter 7
WEIGHED = np.array([61, 42, 50, 58, 67, 45, 39, 57, 71, 53], float)
BY_EYE = np.array([59, 47, 52, 60, 67, 48, 44, 58, 76, 58], float)
ORCHARD_BY_EYE = 11_600 / 200


@st.composite
def samples(draw):
    n = draw(st.integers(12, 30))
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    y = 3 + x @ [0.5, -0.2] + 0.3 * rng.normal(size=n)
    return y, rng.uniform(0.05, 0.9, n), x, rng.normal(size=2) / 5


def test_equal_probabilities_give_the_textbook_regression_estimate():
    estimate = greg_mean(WEIGHED, np.full(10, 0.05), auxiliary=BY_EYE, pool_mean=[ORCHARD_BY_EYE])

    # equation 7.1: ybar + b (Xbar - xbar)
    slope = np.cov(WEIGHED, BY_EYE)[0, 1] / BY_EYE.var(ddof=1)
    assert estimate.value == pytest.approx(
        WEIGHED.mean() + slope * (ORCHARD_BY_EYE - BY_EYE.mean())
    )
    assert estimate.se < hajek_mean(WEIGHED, np.full(10, 0.05)).se / 2
    assert estimate.method == "GREG"


def test_the_variance_is_that_of_leverage_corrected_residuals():
    x = BY_EYE - BY_EYE.mean()
    residual = WEIGHED - WEIGHED.mean() - x * (x @ WEIGHED) / (x @ x)
    leverage = 1 / 10 + x**2 / (x @ x)

    # at the sample's own mean all weights are 1/n
    estimate = greg_mean(WEIGHED, np.full(10, 0.05), auxiliary=BY_EYE, pool_mean=[BY_EYE.mean()])

    z = residual / (1 - leverage)
    assert estimate.se**2 == pytest.approx(0.95 * z.var(ddof=1) / 10)


@given(samples())
def test_auxiliaries_average_exactly_to_those_of_the_pool(case):
    _, pi, x, pool_mean = case

    for column in range(2):
        estimate = greg_mean(x[:, column], pi, auxiliary=x, pool_mean=pool_mean)
        assert estimate.value == pytest.approx(pool_mean[column], abs=1e-8)


@given(samples())
def test_a_constant_alone_is_the_hajek_mean(case):
    y, pi, _, _ = case

    greg = greg_mean(y, pi, auxiliary=np.ones((len(y), 1)), pool_mean=[1.0])

    assert greg.value == pytest.approx(hajek_mean(y, pi).value)


@given(samples())
def test_repeated_columns_change_nothing(case):
    y, pi, x, pool_mean = case
    doubled = np.column_stack([np.ones(len(y)), x, x @ [2.0, -1.0]])
    means = [1.0, *pool_mean, pool_mean @ np.array([2.0, -1.0])]

    plain = greg_mean(y, pi, auxiliary=x, pool_mean=pool_mean)
    repeated = greg_mean(y, pi, auxiliary=doubled, pool_mean=means)

    assert repeated.value == pytest.approx(plain.value)
    assert repeated.se == pytest.approx(plain.se)


@given(samples(), st.floats(0.01, 100), st.floats(-50, 50))
def test_units_of_the_auxiliaries_do_not_matter(case, factor, shift):
    y, pi, x, pool_mean = case

    first = greg_mean(y, pi, auxiliary=x, pool_mean=pool_mean)
    second = greg_mean(y, pi, auxiliary=shift + factor * x, pool_mean=shift + factor * pool_mean)

    assert second.value == pytest.approx(first.value, rel=1e-6)
    assert second.se == pytest.approx(first.se, rel=1e-4)


def test_a_document_without_auxiliaries_misses_nothing():
    estimate = greg_mean([4.0], [0.5], auxiliary=[[1.0]], pool_mean=[1.0])

    assert (estimate.value, estimate.method, estimate.warnings) == (4.0, "Hajek", ())


def test_too_few_documents_fall_back_on_the_hajek_mean():
    y, pi = [3.0, 4, 5, 4, 3], [0.1, 0.2, 0.1, 0.2, 0.1]
    x = np.random.default_rng(1).normal(size=(5, 4))

    estimate = greg_mean(y, pi, auxiliary=x, pool_mean=np.zeros(4))

    assert estimate.value == pytest.approx(hajek_mean(y, pi).value)
    assert estimate.method == "Hajek"
    assert estimate.warnings[0].startswith("5 items are too few for 5 auxiliary columns")


def test_no_documents_give_no_mean():
    estimate = greg_mean([], [], auxiliary=np.empty((0, 2)), pool_mean=[0, 0])

    assert estimate.reason == "no_items"


def test_equal_outcomes_give_no_interval():
    estimate = greg_mean([3.3] * 8, [0.2] * 8, auxiliary=np.arange(8.0), pool_mean=[2.0])

    assert estimate.value == pytest.approx(3.3)
    assert estimate.reason == "no_variation"


def test_a_share_never_leaves_zero_to_one():
    x = np.array([0.0, 0, 0, 0, 0, 1, 1, 1, 2, 2])

    estimate = greg_mean([1, 1, 1, 1, 1, 1, 0, 1, 0, 0], [0.1] * 10, auxiliary=x, pool_mean=[-0.5])

    assert estimate.value == estimate.high == 1


@pytest.mark.parametrize(
    ("auxiliary", "pool_mean"), [([[1.0], [2.0]], [1.0, 2.0]), ([[1.0]] * 3, [1.0])]
)
def test_shapes_must_agree(auxiliary, pool_mean):
    with pytest.raises(InputError, match="one row for each of the 2 documents and one column per"):
        greg_mean([1, 2], [0.5, 0.5], auxiliary=auxiliary, pool_mean=pool_mean)


def test_a_missing_auxiliary_names_the_remedy():
    with pytest.raises(InputError, match=r"row 1 is not. auxiliaries\(\) codes missing"):
        greg_mean([1, 2], [0.5, 0.5], auxiliary=[[1.0], [np.nan]], pool_mean=[1.0])


@pytest.mark.oracle
def test_it_is_the_mean_prediction_of_statsmodels_weighted_regression():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(3)
    pool = np.column_stack([np.ones(500), rng.normal(size=(500, 2))])
    pi = rng.uniform(0.05, 0.4, 500)
    drawn = np.flatnonzero(rng.random(500) < pi)
    y = pool[drawn] @ [4, 0.5, -0.3] + rng.normal(size=len(drawn))

    estimate = greg_mean(y, pi[drawn], auxiliary=pool[drawn], pool_mean=pool.mean(axis=0))

    fit = api.WLS(y, pool[drawn], weights=1 / pi[drawn]).fit()
    assert estimate.value == pytest.approx(fit.predict(pool).mean())
