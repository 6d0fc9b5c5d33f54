import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.bias.permutation import (
    DRAWS,
    adjusted_p_values,
    own_p_values,
    pooled_p_values,
    rearrangements,
    shuffles,
)


@given(st.lists(st.integers(-1, 5), min_size=1, max_size=30), st.integers(0, 99))
def test_shuffles_rearrange_within_groups(groups, seed):
    groups = np.array(groups)

    for block in shuffles(groups, rng=np.random.default_rng(seed)):
        assert (np.sort(block, axis=0) == np.arange(len(groups))[:, None]).all()
        assert (groups[block] == groups[:, None]).all()


def test_every_rearrangement_of_a_group_is_as_likely():
    block = next(shuffles(np.array([7, 7, 7]), rng=np.random.default_rng(1)))

    _, counts = np.unique(block, axis=1, return_counts=True)
    assert len(counts) == 6
    assert counts == pytest.approx(DRAWS / 6, abs=40)


def test_large_data_are_shuffled_in_blocks_and_less_often(monkeypatch):
    monkeypatch.setattr("ocrjury.bias.permutation._CELLS", 1000)
    monkeypatch.setattr("ocrjury.bias.permutation._WORK", 100 * 300)

    blocks = list(shuffles(np.zeros(100, dtype=int), rng=np.random.default_rng(1)))

    assert {block.shape for block in blocks} == {(100, 10)}
    assert sum(block.shape[1] for block in blocks) == 300


def test_a_p_value_counts_the_draws_at_least_as_extreme():
    null = np.array([[-3.0, -1.0, 0.0, 1.0, 3.0]])

    assert own_p_values(np.array([1.0]), null, tail="upper") == pytest.approx(3 / 6)
    assert own_p_values(np.array([1.0]), null, tail="lower") == pytest.approx(5 / 6)
    assert own_p_values(np.array([-3.0]), null, tail="both") == pytest.approx(3 / 6)


def test_pooled_p_values_share_the_shape_of_the_tail():
    null = np.array([[-1.0, 0.0, 1.0], [-10.0, 0.0, 10.0]])

    p = pooled_p_values(np.array([1.0, 20.0]), null, tail="upper")

    # the first is as far out as one draw of each; the second farther than all six
    assert p == pytest.approx([3 / 7, 1 / 7])


def test_a_null_without_spread_proves_nothing():
    null = np.zeros((1, 9))

    assert own_p_values(np.array([0.0]), null, tail="both") == pytest.approx(1)
    assert pooled_p_values(np.array([5.0]), null, tail="both") == pytest.approx(1)


def test_what_was_not_tested_has_no_p_value():
    null = np.random.default_rng(1).normal(size=(2, 99))

    assert np.isnan(pooled_p_values(np.array([np.nan, 0.0]), null, tail="both")[0])


def test_the_published_example_of_the_adjustment():
    # Benjamini and Hochberg 1995, table 1: at .05 the four smallest of fifteen are rejected
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240]
    p += [0.4262, 0.5719, 0.6528, 0.7590, 1.0]

    assert (adjusted_p_values(np.array(p), np.ones(15)) <= 0.05).sum() == 4


def test_untested_ones_are_no_part_of_the_family():
    found = adjusted_p_values(np.array([0.01, np.nan, 0.04]), np.ones(3))

    assert found[[0, 2]] == pytest.approx([0.02, 0.04])
    assert np.isnan(found[1])
    assert np.isnan(adjusted_p_values(np.array([np.nan]), np.ones(1))[0])


def test_weight_is_spent_and_never_lowers_a_value():
    # weights 1.5, .75, .75: the first counts as .02, the others as .04 and .8
    found = adjusted_p_values(np.array([0.03, 0.03, 0.6]), np.array([0.5, 0.25, 0.25]))

    assert found == pytest.approx([0.06, 0.06, 0.8])
    assert adjusted_p_values(np.array([0.5, 0.01]), np.array([0.9, 0.1]))[0] == 0.5


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=12))
def test_adjusting_keeps_the_order_and_never_lowers(p):
    p = np.array(p)

    found = adjusted_p_values(p, np.ones(len(p)))

    assert (found >= p).all()
    assert (np.diff(found[np.argsort(p, kind="stable")]) >= -1e-12).all()


@pytest.mark.parametrize("size", [6, 50, 128, 129])
def test_orders_of_large_groups_are_those_of_sorted_random_numbers(size):
    shape = (7, 1_000_000 // size)

    found = rearrangements(size, shape, rng=np.random.default_rng(3))

    drawn = np.random.default_rng(3).random((*shape, size), dtype=np.float32)
    assert (np.sort(drawn, axis=-1)[..., 1:] == np.sort(drawn, axis=-1)[..., :-1]).any()
    assert (found == drawn.argsort(axis=-1)).all()  # also where two numbers are equal
