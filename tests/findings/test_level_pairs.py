import math
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import RatingTable, Scale
from ocrjury.findings.confusions import LevelPair
from ocrjury.findings.measurement.agreement import measure_dimension, pair_kappas
from ocrjury.findings.measurement.level_pairs import ENOUGH, KEPT, measure_level_pairs

LIKERT = Scale.likert(1, 3)


def table_of(given_levels, scale=LIKERT):
    rows = [(item, rater, level) for (item, rater), level in given_levels.items()]
    frame = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    return RatingTable.from_long(frame, scale=scale)


def found(table):
    return measure_level_pairs(table, pair_kappas(table, "quadratic"))


def two(first, second, third=()):
    """Levels of raters on the items 0, 1, 2 and so on."""
    raters = zip(("R1", "R2", "R3"), (first, second, third), strict=True)
    return {
        (str(place), rater): level for rater, levels in raters for place, level in enumerate(levels)
    }


def test_a_table_counted_by_hand():
    # Both give 1 to six items and 3 to nine; R1 gives 1 where R2 gives 3 to five, 2 where 1 to two.
    levels = two([1] * 6 + [3] * 9 + [1] * 5 + [2] * 2, [1] * 6 + [3] * 9 + [3] * 5 + [1] * 2)

    [pair] = found(table_of(levels))

    assert (pair.rater_a, pair.rater_b) == ("R1", "R2")
    assert pair.counts == ((6, 0, 5), (2, 0, 0), (0, 0, 9))
    assert pair.n == pair.same.n_items == 22
    assert pair.most == (0, 2)
    assert pair.same.value == pytest.approx(15 / 22)
    # t with 21 degrees of freedom on the logit: no outcome of these counts lies beyond it.
    assert 0.4 < pair.same.low < 15 / 22 < pair.same.high < 0.9


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 30), st.sampled_from(["R1", "R2", "R3", "R4"])),
        st.integers(1, 3),
        min_size=60,
    )
)
def test_counts_and_choice_are_those_of_counting_by_hand(given_levels):
    table = table_of(given_levels)
    pairs = found(table)

    for pair in pairs:
        shared = Counter(
            (level - 1, given_levels[item, pair.rater_b] - 1)
            for (item, rater), level in given_levels.items()
            if rater == pair.rater_a and (item, pair.rater_b) in given_levels
        )
        assert pair.counts == tuple(tuple(shared[i, j] for j in range(3)) for i in range(3))
        assert pair.n >= ENOUGH
        same = sum(shared[i, i] for i in range(3))
        assert math.isclose(pair.same.value, same / pair.n, abs_tol=1e-12)
    known = [
        row
        for row in pair_kappas(table, "quadratic").rows
        if row.estimate.defined and row.estimate.n_items >= ENOUGH
    ]
    worst = sorted(known, key=lambda row: row.estimate.value)[:KEPT]
    assert [(pair.rater_a, pair.rater_b) for pair in pairs] == [
        (row.rater_a, row.rater_b) for row in worst
    ]


def test_too_few_shared_items_are_no_picture():
    assert not found(table_of(two([1, 2, 3] * 6, [1, 2, 2] * 6)))


@pytest.mark.parametrize("scale", [Scale.interval(0, 100), Scale.likert(1, 9)])
def test_a_scale_of_many_levels_has_no_picture(scale):
    table = table_of(two([1, 2, 3] * 8, [1, 2, 2] * 8), scale)

    assert measure_dimension("meaning", table, ci=None).level_pairs == ()


def test_a_round_keeps_the_pairs_that_agree_least():
    levels = two([1, 2, 3] * 8, [1, 2, 3] * 8, [1, 2, 1] * 8)

    pairs = measure_dimension("meaning", table_of(levels), ci=None).level_pairs

    assert [(pair.rater_a, pair.rater_b) for pair in pairs] == [("R1", "R3"), ("R2", "R3")]


@pytest.mark.parametrize(
    ("counts", "most"),
    [
        (((4, 0), (0, 9)), None),
        (((0, 2, 1), (2, 0, 0), (2, 0, 0)), (2, 0)),
        (((0, 2), (2, 0)), (0, 1)),
    ],
)
def test_the_levels_that_meet_most_often(counts, most):
    pair = LevelPair(rater_a="R1", rater_b="R2", counts=counts, same=None)

    assert pair.most == most
