import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from ocrjury.resampling import (
    SummedStatistic,
    bootstrap_replicates,
    jackknife_error,
    percentile_interval,
)


def mean_of(values, frequency=None):
    values = np.asarray(values, dtype=float)
    frequency = np.ones(len(values)) if frequency is None else np.asarray(frequency, dtype=float)
    features = np.column_stack([np.ones(len(values)), values])
    return SummedStatistic(features, frequency, lambda sums: sums[:, 1] / sums[:, 0])


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_the_jackknife_error_of_a_mean_is_the_textbook_one(values):
    error = jackknife_error(mean_of(values))

    assert error == pytest.approx(np.std(values, ddof=1) / len(values) ** 0.5, abs=1e-8)


def test_groups_of_equal_items_give_the_error_of_the_single_items():
    single = jackknife_error(mean_of([1, 1, 1, 4, 4, 9]))
    grouped = jackknife_error(mean_of([1, 4, 9], [3, 2, 1]))

    assert grouped == pytest.approx(single, rel=1e-12)


def test_sparse_features_give_the_error_of_dense_ones():
    dense = mean_of([1, 2, 3, 7])
    thin = SummedStatistic(sparse.csr_matrix(dense.features), dense.frequency, dense.value)

    assert jackknife_error(thin) == pytest.approx(jackknife_error(dense), rel=1e-12)
    assert thin.point() == dense.point() == 3.25


def test_one_item_has_no_jackknife_error():
    assert np.isnan(jackknife_error(mean_of([3])))


def test_a_replicate_without_a_value_leaves_no_error():
    def reciprocal_of_spread(sums):
        spread = sums[:, 1] / sums[:, 0] - 1
        return np.divide(1, spread, out=np.full(len(sums), np.nan), where=spread != 0)

    statistic = mean_of([1, 1, 2])
    assert np.isnan(
        jackknife_error(SummedStatistic(statistic.features, np.ones(3), reciprocal_of_spread))
    )


def test_the_bootstrap_repeats_itself_with_the_same_seed():
    statistic = mean_of(range(20))

    first, second, other = (
        bootstrap_replicates([statistic], resamples=50, rng=np.random.default_rng(seed))[0]
        for seed in (7, 7, 8)
    )

    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


def test_statistics_of_the_same_items_share_their_resamples():
    statistic = mean_of(range(20))
    double = SummedStatistic(
        statistic.features, statistic.frequency, lambda s: 2 * statistic.value(s)
    )

    one, two = bootstrap_replicates([statistic, double], resamples=50, rng=np.random.default_rng(0))

    assert np.allclose(2 * one, two)


def test_the_bootstrap_of_groups_has_the_spread_of_the_bootstrap_of_items():
    values = np.array([1.0, 2, 2, 3, 3, 3, 5, 5, 5, 5])
    levels, frequency = np.unique(values, return_counts=True)
    rng = np.random.default_rng(3)

    (grouped,) = bootstrap_replicates([mean_of(levels, frequency)], resamples=20_000, rng=rng)
    raw = rng.choice(values, (20_000, len(values))).mean(axis=1)

    assert grouped.std() == pytest.approx(raw.std(), rel=0.03)
    assert grouped.mean() == pytest.approx(raw.mean(), abs=0.02)


@pytest.mark.parametrize("quicker", [0, 1e9])
def test_groups_and_items_are_drawn_alike(monkeypatch, quicker):
    monkeypatch.setattr("ocrjury.resampling._ITEMS_PER_GROUP", quicker)
    grouped = mean_of([1, 4, 9], [30, 20, 10])
    counts = SummedStatistic(np.eye(3), grouped.frequency, lambda sums: sums[:, 0])

    means, ones = bootstrap_replicates(
        [grouped, counts], resamples=4000, rng=np.random.default_rng(5)
    )

    assert means.std() == pytest.approx(np.std([1] * 30 + [4] * 20 + [9] * 10) / 60**0.5, rel=0.04)
    assert ones.mean() == pytest.approx(30, abs=0.3)
    assert ones.std() == pytest.approx((60 * 0.5 * 0.5) ** 0.5, rel=0.04)


def test_many_groups_are_drawn_in_blocks(monkeypatch):
    monkeypatch.setattr("ocrjury.resampling._CELLS", 100)
    statistic = mean_of(range(60))

    (replicates,) = bootstrap_replicates([statistic], resamples=11, rng=np.random.default_rng(0))

    assert replicates.shape == (11,)
    assert jackknife_error(statistic) == pytest.approx(np.std(range(60), ddof=1) / 60**0.5)


def test_the_interval_holds_the_middle_of_the_replicates():
    se, low, high = percentile_interval(np.arange(101.0), confidence=0.9)

    assert (low, high) == pytest.approx((5, 95))
    assert se == pytest.approx(np.std(np.arange(101), ddof=1))


def test_too_few_valid_replicates_give_no_interval():
    replicates = np.array([1.0] * 8 + [np.nan] * 2)

    assert all(np.isnan(percentile_interval(replicates)))
    assert percentile_interval(replicates, least_valid=0.8)[1] == 1.0
