import numpy as np
import pytest

from ocrjury.truth.expectation_maximization import free_confusion
from ocrjury.truth.labels import Parameters
from ocrjury.truth.likelihood import count_ratings, expect, posterior, rating_blocks


def parameters_of(table, seed=0):
    rng = np.random.default_rng(seed)
    n_categories = len(table.categories)
    confusion = free_confusion(rng.random((table.n_raters, n_categories, n_categories)))
    return Parameters(confusion, np.full(n_categories, 1 / n_categories))


def test_the_size_of_blocks_has_no_influence(panel):
    table, _ = panel(100)
    gold = {3: 0, 57: 4}
    outcomes = [
        expect(rating_blocks(table, gold, items_per_block=size), parameters_of(table))
        for size in (7, 100, 1000)
    ]

    for other in outcomes[1:]:
        assert other.log_likelihood == pytest.approx(outcomes[0].log_likelihood, abs=1e-10)
        assert other.counts == pytest.approx(outcomes[0].counts, abs=1e-10)
        assert other.mass == pytest.approx(outcomes[0].mass, abs=1e-10)


def test_expected_counts_equal_a_loop_over_ratings(panel):
    table, _ = panel(40)
    blocks = rating_blocks(table, {}, items_per_block=9)
    probabilities, log_likelihood = posterior(blocks, parameters_of(table))
    by_hand = np.zeros((table.n_raters, 5, 5))
    for item, rater, code in zip(table.item, table.rater, table.codes, strict=True):
        by_hand[rater, :, code] += probabilities[item]

    outcome = expect(blocks, parameters_of(table))

    assert outcome.counts == pytest.approx(by_hand)
    assert outcome.log_likelihood == pytest.approx(log_likelihood)
    assert count_ratings(blocks, probabilities).counts == pytest.approx(by_hand)


def test_impossible_ratings_leave_finite_numbers(panel):
    table, _ = panel(20)
    identity = np.broadcast_to(np.eye(5), (table.n_raters, 5, 5))

    probabilities, log_likelihood = posterior(
        rating_blocks(table, {}), Parameters(identity, np.full(5, 0.2))
    )

    assert np.isfinite(log_likelihood)
    assert probabilities.sum(axis=1) == pytest.approx(1)
