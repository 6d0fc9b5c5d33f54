import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth import dawid_skene
from ocrjury.truth.confusion_prior import diagonal_confusion, distance_confusion, pair_confusion
from ocrjury.truth.fitting import shares_of_ratings
from ocrjury.truth.rating_blocks import rating_blocks
from ocrjury.truth.typical_errors import Typical, equal_errors, typical_errors


def rare(per_item, *, n_items=500, right=0.85, keeping=False, seed=0):
    """Ratings on two categories, one of them rare; ``keeping`` errors keep the shares."""
    rng = np.random.default_rng(seed)
    true = (rng.random(n_items) < 0.15).astype(int)
    wrong = np.where(true == 1, 0.5, 0.5 * 0.15 / 0.85) if keeping else np.full(n_items, 1 - right)
    slips = rng.random((n_items, per_item)) < wrong[:, None]
    said = np.where(slips, 1 - true[:, None], true[:, None])
    matrix = np.full((n_items, 10), np.nan)
    for item, row in enumerate(said):
        matrix[item, rng.permutation(10)[:per_item]] = row
    return RatingTable.from_matrix(matrix, scale=Scale.binary()), true


def found(table):
    blocks = rating_blocks(table, {})
    base = diagonal_confusion(len(table.categories))
    return typical_errors(blocks, base, shares_of_ratings(table), ordered=table.scale.ordered)


def test_equal_errors_follow_from_agreement_and_shares():
    table, _ = rare(3, n_items=4000)

    typical = equal_errors(
        rating_blocks(table, {}), diagonal_confusion(2), shares_of_ratings(table)
    )

    assert typical.confusion.diagonal() == pytest.approx([0.85, 0.85], abs=0.01)
    assert typical.shares == pytest.approx([0.85, 0.15], abs=0.02)


def test_three_ratings_show_that_a_category_is_rarer_than_its_ratings():
    table, true = rare(3)

    typical = found(table)

    assert shares_of_ratings(table)[1] > 0.22
    assert typical.shares[1] == pytest.approx(true.mean(), abs=0.04)


def test_errors_that_keep_the_shares_are_recognised():
    table, _ = rare(5, keeping=True)

    typical = found(table)

    kept = pair_confusion(rating_blocks(table, {}), diagonal_confusion(2))
    assert typical.shares == pytest.approx(shares_of_ratings(table), abs=0.01)
    assert typical.confusion == pytest.approx(kept, abs=0.02)


def test_two_ratings_on_two_categories_cannot_tell_and_the_simpler_errors_count_more():
    table, _ = rare(2)
    shares = shares_of_ratings(table)

    typical = found(table)

    even = equal_errors(rating_blocks(table, {}), diagonal_confusion(2), shares)
    assert typical.even == pytest.approx(1 / (1 + np.exp(-2)), abs=0.01)
    assert typical.shares - shares == pytest.approx(
        typical.even * (even.shares - shares), abs=1e-12
    )


@pytest.mark.parametrize("keeping", [False, True])
def test_two_ratings_on_three_categories_tell_whether_errors_are_equally_likely(keeping):
    rng = np.random.default_rng(5)
    shares = [0.7, 0.2, 0.1]
    true = rng.choice(3, 3000, p=shares)
    wrong = rng.choice(3, (3000, 2), p=shares if keeping else None)
    said = np.where(rng.random((3000, 2)) < 0.3, wrong, true[:, None])
    names = np.array(["a", "b", "c"], dtype=object)
    table = RatingTable.from_matrix(names[said].tolist(), scale=Scale.nominal(["a", "b", "c"]))

    # If errors keep the shares, that is certain; if not, other errors can never be ruled out.
    low, high = (0.0, 0.01) if keeping else (0.5, 0.9)
    assert low <= found(table).even < high


def test_reliability_and_chance_are_those_of_a_typical_rater():
    typical = Typical(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.6, 0.4]))

    assert typical.reliability == pytest.approx(0.6)
    assert typical.chance == pytest.approx(0.52)
    assert Typical(np.full((4, 4), 0.25), np.full(4, 0.25)).reliability == pytest.approx(0)
    assert Typical(np.ones((1, 1)), np.ones(1)).reliability == pytest.approx(1)


def test_ordered_scales_keep_neighbours_likelier():
    table = RatingTable.from_matrix([[1, 2, 1], [3, 3, 2]] * 9, scale=Scale.likert(1, 3))
    blocks, base = rating_blocks(table, {}), distance_confusion(3)

    typical = typical_errors(blocks, base, shares_of_ratings(table), ordered=True)

    assert typical.confusion == pytest.approx(pair_confusion(blocks, base))


@pytest.mark.parametrize("values", [[[None, None]], [[1, None], [None, 0]]])
def test_no_pairs_are_no_error(values):
    table = RatingTable.from_matrix(values, scale=Scale.binary())

    typical = found(table)

    assert typical.confusion.sum(axis=1) == pytest.approx(1)
    assert typical.shares.sum() == pytest.approx(1)


def test_rare_answers_stay_rare_by_default():
    loss = {"kinds": 0.0, "hierarchical": 0.0}
    for seed in range(4):
        table, true = rare(3, seed=seed)
        for prior in loss:
            wrong = dawid_skene(table, prior=prior).probabilities[:, 1] - true
            loss[prior] += 2 * (wrong**2).mean() / 4

    assert loss["kinds"] < loss["hierarchical"] - 0.02
