import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import agreement_difference, krippendorff_alpha, percent_agreement
from ocrjury.statistics import STATISTICS

LIKERT = Scale.likert(1, 5)
MEASURED = [key for key, row in STATISTICS.items() if row.function]


def team(rng, truth, *, raters=3, noise=0.8, names="R"):
    """Ratings of some items by raters of equal noise, rounded to the scale."""
    matrix = truth[:, None] + rng.normal(0, noise, (len(truth), raters))
    return RatingTable.from_matrix(
        np.clip(np.rint(matrix), 1, 5),
        scale=LIKERT,
        raters=[f"{names}{place}" for place in range(raters)],
    )


def named(table, prefix):
    """The same ratings of items with other ids."""
    matrix = table.matrix()
    return RatingTable.from_matrix(
        matrix, scale=table.scale, items=[f"{prefix}{i}" for i in range(len(matrix))]
    )


def test_tables_without_a_common_item_add_their_variances():
    rng = np.random.default_rng(1)
    first = team(rng, rng.uniform(1, 5, 60))
    second = named(team(rng, rng.uniform(1, 5, 80), noise=0.4), "b")

    found = agreement_difference(first, second)

    one, two = (krippendorff_alpha(table, ci="jackknife") for table in (first, second))
    assert found.value == pytest.approx(two.value - one.value)
    assert found.se == pytest.approx(math.hypot(one.se, two.se))
    assert (found.n_items, found.n_ratings) == (140, 420)


def test_two_teams_on_the_same_items_are_compared_item_by_item():
    rng = np.random.default_rng(2)
    truth = rng.uniform(1, 5, 60)
    first = team(rng, truth)
    second = team(rng, truth, noise=0.8, names="S")

    together, apart = (
        agreement_difference(first, table) for table in (second, named(second, "other"))
    )

    assert together.value == pytest.approx(apart.value)
    assert together.se < apart.se
    assert together.n_raters == 6


def test_a_table_does_not_differ_from_itself():
    table = team(np.random.default_rng(3), np.linspace(1, 5, 30))

    found = agreement_difference(table, table)

    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


@settings(max_examples=15)
@given(seed=st.integers(0, 50), key=st.sampled_from(MEASURED))
def test_the_other_way_round_it_has_the_other_sign(seed, key):
    rng = np.random.default_rng(seed)
    truth = rng.uniform(1, 5, 20)
    first, second = team(rng, truth), team(rng, truth, noise=0.3, names="S")

    there, back = (
        agreement_difference(a, b, statistic=key) for a, b in ((first, second), (second, first))
    )

    if there.defined:
        assert (there.value, there.low) == pytest.approx((-back.value, -back.high))


@pytest.mark.parametrize("shared", [True, False])
def test_the_interval_covers_and_equal_teams_rarely_differ(shared):
    # coverage itself: benchmarks/agreement_difference.py
    missed = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth = rng.uniform(1, 5, 20)
        second = team(rng, truth if shared else rng.uniform(1, 5, 20), names="S")
        second = second if shared else named(second, "other")
        found = agreement_difference(team(rng, truth), second)
        missed += not found.low <= 0 <= found.high

    assert missed <= 6  # 2 expected, standard deviation 1.4


def test_many_items_are_left_out_in_groups():
    rng = np.random.default_rng(5)
    first, second = team(rng, rng.uniform(1, 5, 700)), team(rng, rng.uniform(1, 5, 700))

    found = agreement_difference(first, named(second, "b"))

    one, two = (krippendorff_alpha(table, ci="jackknife") for table in (first, second))
    assert found.se == pytest.approx(math.hypot(one.se, two.se), rel=0.2)


def test_other_coefficients_and_weights_are_compared_too():
    rng = np.random.default_rng(6)
    first, second = team(rng, rng.uniform(1, 5, 40)), team(rng, rng.uniform(1, 5, 40))

    found = agreement_difference(first, second, statistic="percent_agreement")

    values = [percent_agreement(table).value for table in (first, second)]
    assert found.value == pytest.approx(values[1] - values[0])
    assert found.method == "difference of percent agreement"


def test_what_cannot_be_compared_is_undefined_or_refused():
    table = team(np.random.default_rng(7), np.linspace(1, 5, 20))
    equal = RatingTable.from_matrix([[3, 3], [3, 3]], scale=LIKERT)
    one = RatingTable.from_matrix([[3, 4]], scale=LIKERT)

    assert agreement_difference(table, equal).reason == "no_variation"
    assert math.isnan(agreement_difference(table, one).low)
    with pytest.raises(InputError, match="no statistic 'alpha' to compare; there is kripp"):
        agreement_difference(table, table, statistic="alpha")
    with pytest.raises(InputError, match="needs one scale; found likert 1 to 5 and binary"):
        agreement_difference(table, RatingTable.from_matrix([[0, 1]], scale=Scale.binary()))
    with pytest.raises(InputError, match="confidence must lie between 0 and 1; found 95"):
        agreement_difference(table, table, confidence=95)
