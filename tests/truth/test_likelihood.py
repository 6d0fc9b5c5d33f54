import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth import likelihood
from ocrjury.truth.expectation_maximization import free_confusion
from ocrjury.truth.labels import Parameters
from ocrjury.truth.likelihood import count_ratings, expect, posterior
from ocrjury.truth.rating_blocks import rating_blocks


def parameters_of(table, seed=0):
    rng = np.random.default_rng(seed)
    n_categories = len(table.categories)
    confusion = free_confusion(rng.random((table.n_raters, n_categories, n_categories)))
    return Parameters(confusion, np.full(n_categories, 1 / n_categories))


def test_the_size_of_blocks_has_no_influence(team):
    table, _ = team(100)
    gold = {3: 0, 57: 4}
    outcomes = [
        expect(rating_blocks(table, gold, items_per_block=size), parameters_of(table))
        for size in (7, 100, 1000)
    ]

    for other in outcomes[1:]:
        assert other.log_likelihood == pytest.approx(outcomes[0].log_likelihood, abs=1e-10)
        assert other.counts == pytest.approx(outcomes[0].counts, abs=1e-10)
        assert other.mass == pytest.approx(outcomes[0].mass, abs=1e-10)


def test_expected_counts_equal_a_loop_over_ratings(team):
    table, _ = team(40)
    blocks = rating_blocks(table, {}, items_per_block=9)
    probabilities, log_likelihood = posterior(blocks, parameters_of(table))
    by_hand = np.zeros((table.n_raters, 5, 5))
    for item, rater, code in zip(table.item, table.rater, table.codes, strict=True):
        by_hand[rater, :, code] += probabilities[item]

    outcome = expect(blocks, parameters_of(table))

    assert outcome.counts == pytest.approx(by_hand)
    assert outcome.log_likelihood == pytest.approx(log_likelihood)
    assert count_ratings(blocks, probabilities).counts == pytest.approx(by_hand)


def test_impossible_ratings_leave_finite_numbers(team):
    table, _ = team(20)
    identity = np.broadcast_to(np.eye(5), (table.n_raters, 5, 5))

    probabilities, log_likelihood = posterior(
        rating_blocks(table, {}), Parameters(identity, np.full(5, 0.2))
    )

    assert np.isfinite(log_likelihood)
    assert probabilities.sum(axis=1) == pytest.approx(1)


def log_domain(table, parameters):
    """Posterior and log-likelihood by sums of logarithms, item by item."""
    logs = np.log(np.maximum(parameters.confusion, 1e-60))
    found, total = [], 0.0
    for item in range(table.n_items):
        joint = np.log(parameters.class_prior).copy()
        here = table.item == item
        for rater, code in zip(table.rater[here], table.codes[here], strict=True):
            joint += logs[rater, :, code]
        largest = joint.max()
        shares = np.exp(joint - largest)
        found.append(shares / shares.sum())
        total += largest + np.log(shares.sum())
    return np.array(found), total


# The product of 2,000 probabilities is 0 in floating point.
@pytest.mark.parametrize("reference", [False, True])
def test_thousands_of_ratings_of_an_item_do_not_underflow(monkeypatch, reference):
    if reference:
        always_a_reference(monkeypatch)
    rng = np.random.default_rng(0)
    matrix = rng.integers(1, 4, (5, 2000)).astype(float)
    matrix[3:, 3:] = np.nan
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 3))
    parameters = parameters_of(table)

    probabilities, log_likelihood = posterior(rating_blocks(table, {}), parameters)

    expected, total = log_domain(table, parameters)
    assert probabilities == pytest.approx(expected, abs=1e-9)
    assert log_likelihood == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("reference", [False, True])
def test_impossible_ratings_of_a_known_item_leave_it_certain(monkeypatch, reference):
    if reference:
        always_a_reference(monkeypatch)
    table = RatingTable.from_matrix([[1] * 9, [2] * 9], scale=Scale.likert(1, 2))
    sure = Parameters(np.tile(np.eye(2), (9, 1, 1)), np.array([0.25, 0.75]))

    probabilities, log_likelihood = posterior(rating_blocks(table, {0: 1, 1: 1}), sure)

    assert probabilities.tolist() == [[0, 1], [0, 1]]
    assert log_likelihood == pytest.approx(9 * np.log(1e-60) + 2 * np.log(0.75))


@pytest.mark.parametrize("reference", [False, True])
def test_contradictions_are_weighed_as_equally_unlikely(monkeypatch, reference):
    if reference:
        always_a_reference(monkeypatch)
    table = RatingTable.from_matrix([[1, 2] * 40], scale=Scale.likert(1, 2))
    sure = Parameters(np.tile(np.eye(2), (80, 1, 1)), np.array([0.25, 0.75]))

    probabilities, _ = posterior(rating_blocks(table, {}), sure)

    assert probabilities[0] == pytest.approx([0.25, 0.75])


def test_items_may_go_uncounted(team):
    table, _ = team(30)
    blocks, parameters = rating_blocks(table, {}), parameters_of(table)

    counted = expect(blocks, parameters)
    uncounted = expect(blocks, parameters, count_items=False)

    assert counted.mass.sum() == pytest.approx(30)
    assert uncounted.mass.sum() == 0
    assert uncounted.counts == pytest.approx(counted.counts)


def always_a_reference(monkeypatch):
    monkeypatch.setattr(likelihood, "_MANY", 0)
    monkeypatch.setattr(likelihood, "_MANY_IN_CELL", 0)


@pytest.mark.parametrize("gold", [{}, {0: 2, 3: 0, 7: 4}])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_what_the_other_categories_leave_is_the_reference_s(monkeypatch, missing, gold):
    rng = np.random.default_rng(3)
    ratings = rng.integers(1, 6, (300, 4)).astype(float)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    table = RatingTable.from_matrix(ratings, scale=Scale.likert(1, 5))
    blocks, parameters = rating_blocks(table, gold, items_per_block=64), parameters_of(table)

    added, shares = expect(blocks, parameters), posterior(blocks, parameters)
    always_a_reference(monkeypatch)
    left = expect(blocks, parameters)

    assert left.counts == pytest.approx(added.counts, abs=1e-11)
    assert left.mass == pytest.approx(added.mass, abs=1e-11)
    assert left.log_likelihood == pytest.approx(added.log_likelihood, abs=1e-10)
    assert posterior(blocks, parameters)[0] == pytest.approx(shares[0], abs=1e-14)


def test_the_reference_never_gets_less_than_nothing(monkeypatch):
    always_a_reference(monkeypatch)
    table = RatingTable.from_matrix(
        [[1, 1, 1], [2, 2, 2], [3, 3, 3]] * 40, scale=Scale.likert(1, 3)
    )
    blocks = rating_blocks(table, {})
    confusion = np.full((3, 3, 3), 1e-9) + (1 - 3e-9) * np.eye(3)

    found = expect(blocks, Parameters(confusion, np.array([0.4, 0.3, 0.3])))

    assert (found.counts >= 0).all()
    assert found.counts.sum() == pytest.approx(360)
