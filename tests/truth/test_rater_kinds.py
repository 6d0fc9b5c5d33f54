import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.likert_worlds import RECIPES, draw_world
from ocrjury import RatingTable, Scale
from ocrjury.simulation import RaterProfile
from ocrjury.truth import dawid_skene
from ocrjury.truth.confusion_prior import distance_confusion, pair_confusion
from ocrjury.truth.fitting import shares_of_ratings
from ocrjury.truth.rater_departures import DepartureSums, compare_raters
from ocrjury.truth.rater_kinds import (
    CARELESS,
    centred_confusions,
    kind_confusions,
    kind_weights,
    mixed_confusions,
)
from ocrjury.truth.rating_blocks import rating_blocks

EVEN = np.full(4, 0.25)
TYPICAL = distance_confusion(4)
LENIENT, STRICT = 4, 5


def compared(weights, *, n_ratings=4000, ordered=True):
    """What raters with these weights answer on average, if the truth is known."""
    kinds = kind_confusions(TYPICAL, EVEN, ordered=ordered)
    confusion = np.tensordot(weights, kinds, axes=1)
    expected = n_ratings * np.tile(np.diag(EVEN), (len(weights), 1, 1))
    zero = np.zeros_like(expected)
    return kinds, DepartureSums(expected @ confusion, expected, zero, zero)


def profile(rater, n_kinds=6):
    return np.eye(n_kinds)[rater]


def test_rows_of_all_kinds_sum_to_one_and_steps_stay_on_the_scale():
    kinds = kind_confusions(TYPICAL, EVEN, ordered=True)

    assert kinds.shape == (6, 4, 4)
    assert kinds.sum(axis=2) == pytest.approx(1)
    assert (kinds >= 0).all()
    assert kinds[LENIENT, 3, 3] == pytest.approx(TYPICAL[3, 2:].sum())
    assert kinds[STRICT, 0, 0] == pytest.approx(TYPICAL[0, :2].sum())


@pytest.mark.parametrize(("n_categories", "ordered"), [(2, True), (2, False), (4, False)])
def test_names_and_two_categories_have_no_lenient_kind(n_categories, ordered):
    typical = np.eye(n_categories) * 0.6 + 0.4 / n_categories
    shares = np.full(n_categories, 1 / n_categories)

    assert len(kind_confusions(typical, shares, ordered=ordered)) == 4


@pytest.mark.parametrize("kind", [0, CARELESS, 2, LENIENT, STRICT])
def test_a_rater_of_one_kind_among_typical_ones_is_found(kind):
    crowd = [profile(0)] * 5 + [profile(kind)]
    kinds, comparison = compared(np.array(crowd))

    weights = kind_weights(comparison, kinds, EVEN)

    assert weights[5].argmax() == kind
    assert weights[5, kind] > 0.8
    assert weights[:5, 0].min() > 0.8


def test_a_mixture_is_recovered_from_many_ratings():
    mixture = np.array([[0.5, 0.5, 0, 0, 0, 0], [0.3, 0, 0.2, 0, 0.5, 0]])
    kinds, comparison = compared(mixture, n_ratings=200_000)

    weights = kind_weights(comparison, kinds, EVEN)

    confusion = mixed_confusions(weights, kinds)
    assert confusion == pytest.approx(mixed_confusions(mixture, kinds), abs=0.02)


def test_a_rater_without_ratings_has_the_weights_of_all():
    kinds, comparison = compared(np.array([profile(0), profile(0), profile(CARELESS)]))
    comparison.observed[2] = comparison.together[2] = 0

    weights = kind_weights(comparison, kinds, EVEN)

    assert weights[2, 0] > 0.9
    assert np.isfinite(weights).all()


@given(st.integers(0, 10_000))
def test_weights_are_shares_whatever_the_ratings(seed):
    rng = np.random.default_rng(seed)
    matrix = np.where(rng.random((12, 3)) < 0.6, rng.integers(1, 5, (12, 3)), np.nan)
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 4))
    blocks, shares = rating_blocks(table, {}), shares_of_ratings(table)
    typical = pair_confusion(blocks, TYPICAL)
    comparison = compare_raters(blocks, typical, shares=shares)

    weights = kind_weights(comparison, kind_confusions(typical, shares, ordered=True), shares)

    assert weights.min() >= 0
    assert weights.sum(axis=1) == pytest.approx(1)


def test_a_severe_rater_is_corrected_better_than_cell_by_cell(six_raters):
    losses = {"kinds": 0.0, "hierarchical": 0.0}
    profiles = {f"R{n}": RaterProfile(severity=s) for n, s in ((1, -0.6), (2, 0.6), (3, -0.4))}
    for seed in range(6):
        table, true = six_raters(profiles, seed=seed)
        for prior in losses:
            truth = dawid_skene(table, prior=prior)
            right = np.eye(5)[true - 1]
            losses[prior] += ((truth.probabilities - right) ** 2).sum(axis=1).mean() / 6

    assert losses["kinds"] < losses["hierarchical"] - 0.005


def test_ratings_of_a_careless_rater_do_not_make_a_category_common():
    rng = np.random.default_rng(2)
    true = rng.integers(1, 6, 300)
    others = np.clip(true[:, None] + rng.choice([-1, 0, 0, 0, 1], (300, 3)), 1, 5)
    table = RatingTable.from_matrix(
        np.hstack([others, np.full((300, 1), 3)]), scale=Scale.likert(1, 5)
    )

    truth = dawid_skene(table, class_prior="votes")

    assert shares_of_ratings(table)[2] > 0.38
    assert truth.class_prior[2] < 0.34


def test_raters_are_centred_halfway_to_the_typical_one():
    expected = np.array([[30.0, 10.0], [10.0, 10.0]])
    typical = np.array([[0.8, 0.2], [0.3, 0.7]])
    mixed = np.array([[[0.7, 0.3], [0.4, 0.6]], [[0.5, 0.5], [0.2, 0.8]]])
    mean = np.array([[0.65, 0.35], [0.3, 0.7]])

    moved = centred_confusions(mixed, typical, expected)

    assert moved - mixed == pytest.approx(np.tile((typical - mean) / 2, (2, 1, 1)))
    unseen = centred_confusions(mixed, typical, np.array([[30.0, 0.0], [10.0, 0.0]]))
    assert unseen[:, 1] == pytest.approx(mixed[:, 1])


def test_raters_who_are_alike_are_labelled_as_well_as_by_one_typical_rater():
    """Takes .2 s of the processor; without centring, the difference is .0018 on average."""
    worlds = [draw_world(RECIPES[0], seed) for seed in (8000, 8001, 8002, 8003)]

    def brier(prior):
        squares = [
            (dawid_skene(world.table(5), prior=prior).probabilities - np.eye(5)[world.true - 1])
            ** 2
            for world in worlds
        ]
        return float(np.mean(squares)) * 5

    assert brier("kinds") < brier("hierarchical") + 0.001


def plain_weights(comparison, kinds, shares, *, steps):
    """The weights by plain steps, rater by rater but for what all have in common."""
    divided = kinds / np.maximum(shares, 0.02)
    target = np.einsum("dto,mto->md", divided, comparison.observed)
    products = np.einsum("dto,euo,mtu->mde", divided, kinds, comparison.together)
    n_ratings = comparison.observed.sum(axis=(1, 2))[:, None]
    typical = np.eye(len(kinds))[0]
    weights = np.tile(0.9 * typical + (1 - typical) * 0.1 / (len(kinds) - 1), (len(n_ratings), 1))
    for _ in range(steps):
        moved = weights * (target / np.einsum("mde,me->md", products, weights)) ** 1.5
        ratings = n_ratings * moved / moved.sum(axis=1, keepdims=True)
        overall = ratings.sum(axis=0) + 0.2 + 2 * typical
        weights = (ratings + 7 * overall / overall.sum()) / (n_ratings + 7)
    return weights


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_momentum_leads_where_four_times_as_many_plain_steps_do(recipe):
    table = draw_world(recipe, 7500).table(3)
    blocks, shares = rating_blocks(table, {}), shares_of_ratings(table)
    typical = pair_confusion(blocks, distance_confusion(5))
    kinds = kind_confusions(typical, shares, ordered=True)
    comparison = compare_raters(blocks, typical, shares=shares)

    quick = mixed_confusions(kind_weights(comparison, kinds, shares), kinds)
    plain, half = (
        mixed_confusions(plain_weights(comparison, kinds, shares, steps=steps), kinds)
        for steps in (120, 60)
    )

    assert quick == pytest.approx(plain, abs=0.03)
    assert np.abs(quick - plain).max() < np.abs(half - plain).max() / 2
