import numpy as np
import pandas as pd
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.reliability import expected_calibration_error
from ocrjury.truth import dawid_skene
from ocrjury.truth.labels import Parameters
from ocrjury.truth.rating_blocks import rating_blocks
from ocrjury.truth.rating_dependence import independent

SKILL = np.linspace(0.65, 0.95, 12)


def crowd(n_raters, *, hard=0.0, n_items=300, seed=0):
    """Everybody rates everything on two categories; nobody knows a hard item."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, n_items)
    chance = np.where(rng.random(n_items)[:, None] < hard, 0.5, SKILL[:n_raters])
    said = np.where(rng.random((n_items, n_raters)) < chance, true[:, None], 1 - true[:, None])
    return RatingTable.from_matrix(said.astype(float), scale=Scale.binary()), true


def known(table, gold=None, items_per_block=1000):
    confusion = np.array([[[p, 1 - p], [1 - p, p]] for p in SKILL[: table.n_raters]])
    blocks = rating_blocks(table, gold or {}, items_per_block=items_per_block)
    return independent(blocks, Parameters(confusion, np.array([0.5, 0.5])))


@pytest.mark.parametrize(
    ("n_raters", "hard", "answer"),
    [(10, 0.0, True), (10, 0.4, False), (7, 0.0, False), (8, 0.4, False)],
)
def test_eight_ratings_tell_whether_they_are_independent(n_raters, hard, answer):
    assert known(crowd(n_raters, hard=hard)[0]) is answer


def test_blocks_have_no_influence():
    table, _ = crowd(9, seed=3)

    assert known(table, items_per_block=7) == known(table)


def test_known_items_do_not_count():
    table, true = crowd(9)

    assert not known(table, gold=dict(enumerate(true.tolist())))


def test_repeated_ratings_are_never_independent():
    rows = [(item, f"R{n % 4}", item % 2) for item in range(60) for n in range(9)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    table = RatingTable.from_long(frame, scale=Scale.binary(), repeats="keep")

    assert not independent(
        rating_blocks(table, {}), Parameters(np.tile(np.eye(2), (4, 1, 1)), np.full(2, 0.5))
    )


def test_clean_ratings_on_two_categories_are_believed():
    table, true = crowd(10)
    truths = [dawid_skene(table), dawid_skene(table, prior="hierarchical")]
    errors = [
        float(expected_calibration_error(truth.confidence, truth.label == true)) for truth in truths
    ]

    assert [truth.rooted for truth in truths] == [False, True]
    assert errors[0] < 0.03 < errors[1]


def test_ordered_scales_are_never_taken_for_independent():
    rng = np.random.default_rng(1)
    said = rng.integers(1, 4, 200)[:, None] + np.zeros((200, 9))
    said = np.where(rng.random(said.shape) < 0.7, said, rng.integers(1, 4, said.shape))

    assert dawid_skene(RatingTable.from_matrix(said, scale=Scale.likert(1, 3))).rooted
