import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.truth import mean_rating, median_rating
from ocrjury.truth.votes import in_steps, middle_of

METHODS = pytest.mark.parametrize("method", [mean_rating, median_rating])


def continuous(matrix):
    return RatingTable.from_matrix(np.array(matrix, dtype=float), scale=Scale.interval(0, 50))


def many(n_items=200, n_raters=4, seed=0):
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(0, 50, (n_items, n_raters))
    matrix[:, 1:][rng.random((n_items, n_raters - 1)) < 0.3] = np.nan
    matrix[0] = np.nan
    return matrix


@given(st.lists(st.lists(st.floats(0, 50) | st.none(), min_size=3, max_size=3), min_size=1))
def test_mean_and_median_are_those_of_the_ratings(rows):
    matrix = np.array(rows, dtype=float)
    if np.isnan(matrix).all():
        return
    table = continuous(matrix)

    middle = middle_of(table)

    for row, mean, median, halved in zip(matrix, *middle, strict=True):
        rated = np.sort(row[~np.isnan(row)])
        if len(rated):
            assert mean == pytest.approx(rated.mean())
            assert median == rated[(len(rated) - 1) // 2]
            assert halved == (np.median(rated) > median)


def test_few_different_numbers_stay_categories():
    table = continuous([[1.5, 2.5], [2.5, 40]])

    assert in_steps(table) is table
    assert mean_rating(table).categories.tolist() == [1.5, 2.5, 40]


@METHODS
def test_many_numbers_are_counted_in_steps_with_exact_middles(method):
    matrix = many()

    truth = method(continuous(matrix))

    assert truth.categories == pytest.approx(np.linspace(0, 50, 101))
    assert truth.probabilities.sum(axis=1) == pytest.approx(1)
    assert truth.mean[1:] == pytest.approx(np.nanmean(matrix[1:], axis=1))
    assert truth.median[1:] == pytest.approx(
        np.nanquantile(matrix[1:], 0.5, axis=1, method="inverted_cdf")
    )
    assert truth.mean[0] == pytest.approx(np.nanmean(matrix))


def test_the_label_is_the_nearest_step_or_the_median_itself():
    matrix = many()

    mean, median = mean_rating(continuous(matrix)), median_rating(continuous(matrix))

    assert np.abs(mean.label - mean.mean).max() <= 0.25 + 1e-9
    assert median.label.tolist() == median.median.tolist()
    assert not any("Nobody used" in sentence for sentence in mean.warnings)


@METHODS
def test_memory_does_not_grow_with_the_square_of_the_numbers(method):
    table = continuous(many(n_items=4000, n_raters=5))  # 14,000 numbers: 1.6 GB per rater as before
    tracemalloc.start()

    method(table)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30e6


@METHODS
def test_a_continuous_scale_that_nobody_moved_is_refused(method):
    with pytest.raises(InputError, match="found no rating on a scale of interval 0 to 50"):
        method(continuous([[np.nan, np.nan]]))


@METHODS
def test_no_items_are_no_error(method):
    assert method(continuous(np.zeros((0, 2)))).mean.tolist() == []
