import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import RatingTable, Scale
from ocrjury.reliability import expected_calibration_error
from ocrjury.truth import dawid_skene
from ocrjury.truth.confusion_prior import diagonal_confusion
from ocrjury.truth.fitting import shares_of_ratings
from ocrjury.truth.rating_blocks import rating_blocks
from ocrjury.truth.rating_dependence import USUAL, independence
from ocrjury.truth.typical_errors import typical_errors

SKILL = np.linspace(0.65, 0.95, 12)
LITTLE = 0.02


def crowd(per_item, *, hard=0.0, n_items=400, seed=0):
    """Some of twelve raters rate each item on two categories; nobody knows a hard item."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, n_items)
    chance = np.where(rng.random(n_items)[:, None] < hard, 0.5, SKILL)
    said = np.where(rng.random((n_items, 12)) < chance, true[:, None], 1 - true[:, None])
    turn = rng.permuted(np.tile(np.arange(12), (n_items, 1)), axis=1)
    return RatingTable.from_matrix(
        np.where(turn < per_item, said, np.nan), scale=Scale.binary()
    ), true


def known(table, gold=None, items_per_block=1000):
    base = diagonal_confusion(2)
    blocks = rating_blocks(table, gold or {}, items_per_block=items_per_block)
    typical = typical_errors(
        rating_blocks(table, {}), base, shares_of_ratings(table), ordered=False
    )
    return independence(blocks, typical)


def mean_over_draws(per_item, *, hard):
    return np.mean([known(crowd(per_item, hard=hard, seed=seed)[0]) for seed in range(5)])


@pytest.mark.parametrize(("per_item", "least"), [(4, 0.2), (5, 0.3), (10, 0.5)])
def test_from_four_on_ratings_show_that_they_are_independent(per_item, least):
    assert mean_over_draws(per_item, hard=0.0) > least


def test_many_ratings_show_that_hard_items_mislead_them():
    assert mean_over_draws(10, hard=0.4) < USUAL / 2


@pytest.mark.parametrize("per_item", [1, 2, 3])
def test_fewer_ratings_tell_nothing(per_item):
    assert known(crowd(per_item)[0]) == USUAL


def test_more_items_tell_more():
    few, many = (known(crowd(10, n_items=number, seed=2)[0]) for number in (60, 3000))

    assert USUAL < few < many > 0.8


def test_blocks_have_no_influence():
    table, _ = crowd(9, seed=3)

    assert known(table, items_per_block=7) == pytest.approx(known(table))


def test_known_items_do_not_count():
    table, true = crowd(9)

    assert known(table, gold=dict(enumerate(true.tolist()))) == USUAL


def test_repeated_ratings_never_show_independence():
    rows = [(item, f"R{n % 4}", item % 2) for item in range(60) for n in range(9)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    table = RatingTable.from_long(frame, scale=Scale.binary(), repeats="keep")

    assert known(table) == USUAL


@settings(max_examples=30)
@given(
    n_items=st.integers(1, 30),
    per_item=st.integers(1, 12),
    hard=st.floats(0, 1),
    seed=st.integers(0, 99),
)
def test_it_is_a_probability_that_the_order_of_items_and_answers_cannot_change(
    n_items, per_item, hard, seed
):
    table, _ = crowd(per_item, hard=hard, n_items=n_items, seed=seed)
    matrix = table.matrix()

    found = known(table)

    assert 0 <= found <= 1
    for other in (matrix[::-1], matrix[:, ::-1], 1 - matrix):
        again = RatingTable.from_matrix(other, scale=Scale.binary())
        assert known(again) == pytest.approx(found, abs=1e-9)


def test_unanimous_ratings_are_no_error():
    table = RatingTable.from_matrix([[1.0] * 6, [0.0] * 6] * 20, scale=Scale.binary())

    truth = dawid_skene(table)

    assert 0 <= truth.dependence < 1
    assert (truth.confidence > 0.9).all()


@pytest.mark.parametrize("per_item", [5, 10])
def test_clean_ratings_are_believed_from_five_on(per_item):
    errors = {"kinds": 0.0, "hierarchical": 0.0}
    for seed in range(3):
        table, true = crowd(per_item, n_items=600, seed=seed)
        for prior in errors:
            truth = dawid_skene(table, prior=prior)
            right = truth.label == true
            errors[prior] += float(expected_calibration_error(truth.confidence, right)) / 3
            assert (truth.dependence < 0.8) is (prior == "kinds")

    assert errors["kinds"] < errors["hierarchical"] - LITTLE


def test_on_ordered_scales_pages_between_two_levels_show_that_ratings_depend():
    rng = np.random.default_rng(1)
    quality = rng.uniform(0.5, 5.5, 400)[:, None]
    said = np.clip(np.rint(quality + rng.normal(0, 0.35, (400, 8))), 1, 5)
    table = RatingTable.from_matrix(said, scale=Scale.likert(1, 5))

    assert dawid_skene(table).dependence > 1 - LITTLE
