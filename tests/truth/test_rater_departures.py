import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth.confusion_prior import distance_confusion, pair_confusion
from ocrjury.truth.fitting import shares_of_ratings
from ocrjury.truth.rater_departures import (
    departure_strength,
    measure_departures,
    rater_confusions,
)
from ocrjury.truth.rating_blocks import rating_blocks

TYPICAL = distance_confusion(4)


def measure(table, gold=None):
    base = distance_confusion(len(table.categories))
    return measure_departures(rating_blocks(table, gold or {}), base)


def loop(table):
    """Expected ratings and surplus, rating by rating, from Bayes' rule over the other raters."""
    n_categories = len(table.categories)
    confusion = pair_confusion(rating_blocks(table, {}), distance_confusion(n_categories))
    expected = np.zeros((table.n_raters, n_categories))
    surplus = np.zeros((table.n_raters, n_categories, n_categories))
    for item, rater, code in zip(table.item, table.rater, table.codes, strict=True):
        others = table.codes[(table.item == item) & (table.rater != rater)]
        if not len(others):
            continue
        truth = shares_of_ratings(table) * confusion[:, others].prod(axis=1)
        truth /= truth.sum()
        expected[rater] += truth
        surplus[rater] += np.outer(truth, np.eye(n_categories)[code] - truth @ confusion)
    return expected, surplus


def draw_team(strength, *, n_raters=60, n_items=3000, per_item=3, seed=0):
    """Ratings by raters whose rows are drawn around the typical ones."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 4, n_items)
    rows = [[rng.dirichlet(strength * row) for row in TYPICAL] for _ in range(n_raters)]
    matrix = np.full((n_items, n_raters), np.nan)
    for item, category in enumerate(true):
        for rater in rng.choice(n_raters, per_item, replace=False):
            matrix[item, rater] = rng.choice(4, p=rows[rater][category])
    return RatingTable.from_matrix(matrix, scale=Scale.likert(0, 3))


def test_ratings_are_predicted_from_the_other_raters_alone(team):
    table, _ = team(50)

    departures = measure(table)

    expected, surplus = loop(table)
    assert departures.expected == pytest.approx(expected)
    assert departures.surplus == pytest.approx(surplus)


def test_a_raters_own_repeats_predict_nothing(anaesthetists):
    departures = measure(anaesthetists)

    expected, surplus = loop(anaesthetists)
    assert departures.expected == pytest.approx(expected)
    assert departures.surplus == pytest.approx(surplus)


def test_a_surplus_of_one_answer_is_a_lack_of_others(team):
    departures = measure(team(60)[0])

    assert departures.surplus.sum(axis=2) == pytest.approx(0)
    assert departures.expected.sum() == pytest.approx(180)
    assert (departures.chance > 0).all()
    assert (departures.spread > 0).all()


def test_a_known_category_replaces_the_other_raters():
    table = RatingTable.from_matrix([[2, None], [1, 3]], scale=Scale.likert(1, 3))

    departures = measure(table, gold={0: 0})

    assert departures.expected[0, 0] >= 1
    assert departures.expected.sum() == pytest.approx(3)


@pytest.mark.parametrize("strength", [4.0, 12.0, 40.0])
def test_the_strength_of_simulated_raters_is_found(strength):
    table = draw_team(strength)

    assert departure_strength(measure(table)) == pytest.approx(strength, rel=0.3)


def test_raters_who_are_alike_are_worth_many_ratings():
    found = [departure_strength(measure(draw_team(1e6, seed=seed))) for seed in range(3)]

    assert min(found) > 100


def test_without_evidence_about_ten_ratings_are_believed():
    alone = RatingTable.from_matrix([[1], [2], [3]], scale=Scale.likert(1, 3))

    assert 5 < departure_strength(measure(alone)) < 10


def test_a_great_strength_leaves_the_typical_rater(team):
    departures = measure(team(60)[0])
    typical = distance_confusion(5)

    firm, loose = (rater_confusions(typical, departures, strength) for strength in (1e9, 0.0))

    assert firm == pytest.approx(np.broadcast_to(typical, (6, 5, 5)), abs=1e-6)
    assert loose.sum(axis=2) == pytest.approx(1)
    assert (loose > 0).all()
    assert np.ptp(loose, axis=0).max() > 0.1


def test_chunks_of_ratings_add_up(team, monkeypatch):
    table, _ = team(80)
    whole = measure(table)
    monkeypatch.setattr("ocrjury.truth.rater_departures._CHUNK", 1)

    parts = measure(table)

    assert parts.surplus == pytest.approx(whole.surplus)
    assert parts.chance == pytest.approx(whole.chance)
    assert parts.spread == pytest.approx(whole.spread)
