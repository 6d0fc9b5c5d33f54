import gc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from ocrjury import RatingTable, Scale
from ocrjury.agreement import icc, measure_agreement, pairwise_kappa
from ocrjury.agreement import rows as module
from ocrjury.agreement.rows import distinct_rows
from tests.strategies import rating_matrices

FIVE = Scale.likert(1, 5)


def likert(matrix, **options):
    return RatingTable.from_matrix(matrix, scale=FIVE, **options)


def listed(rows):
    return {
        tuple(row): times
        for row, times in zip(rows.codes.tolist(), rows.frequency.tolist(), strict=True)
    }


def test_items_with_the_same_ratings_become_one_row():
    table = likert([[1, 2], [2, 1], [1, 2], [4, None], [None, None]])

    assert listed(distinct_rows(table)) == {(0, 1): 2, (1, 0): 1, (3, -1): 1}


@settings(max_examples=50)
@given(rating_matrices())
def test_a_table_from_ratings_has_the_rows_of_its_matrix(matrix):
    table = likert(matrix)
    long = replace(table)  # without the grid

    assert long.grid is None
    assert listed(distinct_rows(long)) == listed(distinct_rows(table))


def test_rows_are_sorted_instead_of_counted_where_many_are_possible(monkeypatch):
    matrix = [[1, 2, None], [2, 1, 3], [1, 2, None]]
    counted = listed(distinct_rows(likert(matrix)))
    monkeypatch.setattr(module, "_CHEAP", 0)

    assert listed(distinct_rows(likert(matrix))) == counted


def test_rows_of_many_items_are_counted_in_blocks(monkeypatch):
    matrix = np.random.default_rng(0).integers(1, 6, (50, 2))
    counted = listed(distinct_rows(likert(matrix)))
    monkeypatch.setattr(module, "_BLOCK", 7)

    assert listed(distinct_rows(likert(matrix))) == counted


@pytest.mark.parametrize(
    "table",
    [
        likert([[1, 2]], item_weight=[2.0]),
        likert([[1] * 12]),
        RatingTable.from_matrix(np.arange(5000.0).reshape(-1, 2), scale=Scale.interval(0, 5000)),
    ],
)
def test_rows_are_not_looked_for_where_that_does_not_pay(table):
    assert distinct_rows(table) is None


def test_the_rows_of_a_table_are_kept_as_long_as_the_table():
    table = likert([[1, 2]])
    assert distinct_rows(table) is distinct_rows(table)
    before = len(module._KNOWN)

    del table
    gc.collect()

    assert len(module._KNOWN) < before


@settings(max_examples=25)
@given(matrix=rating_matrices())
def test_every_coefficient_is_the_same_without_the_rows(matrix):
    with_rows = likert(matrix)
    without = likert(matrix)
    module._KNOWN[without] = None

    ours, theirs = measure_agreement(with_rows), measure_agreement(without)
    for name, estimate in ours.items():
        other = theirs[name]
        assert (estimate.value, estimate.se) == pytest.approx(
            (other.value, other.se), nan_ok=True, abs=1e-9
        ), name
        assert (estimate.n_items, estimate.n_ratings, estimate.reason) == (
            other.n_items,
            other.n_ratings,
            other.reason,
        )
    complete = [icc(table, form="ICC(3,k)") for table in (with_rows, without)]
    assert complete[0].value == pytest.approx(complete[1].value, nan_ok=True, abs=1e-9)
    frames = [pairwise_kappa(table, min_items=1) for table in (with_rows, without)]
    assert np.allclose(frames[0]["se"], frames[1]["se"], equal_nan=True)
