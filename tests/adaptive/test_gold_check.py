import numpy as np
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.adaptive import check_gain, next_ratings
from ocrjury.truth import calibrate, dawid_skene, mean_rating
from ocrjury.truth.rating_weight import rating_weights

FIVE = Scale.likert(1, 5)


def world(*, useful, n_items=300, seed=0):
    """Ratings of three raters each; gold is what they rate, or somebody else's opinion."""
    rng = np.random.default_rng(seed)
    seen = rng.integers(1, 6, n_items)
    error = rng.choice([-1, 0, 0, 0, 1], (n_items, 6))
    full = np.clip(seen[:, None] + error, 1, 5).astype(float)
    there = np.argsort(rng.random((n_items, 6)), axis=1) < 3
    table = RatingTable.from_matrix(np.where(there, full, np.nan), scale=FIVE)
    return table, seen if useful else rng.integers(1, 6, n_items)


def gold_of(true, n):
    return {item: int(true[item]) for item in range(n)}


@pytest.mark.parametrize("n", [30, 40, 52, 64])
def test_items_that_are_all_alike_are_not_told_apart_by_rounding(n):
    half = n // 2
    rows = [[1, 1, 0]] * half + [[0, 0, 1]] * half
    table = RatingTable.from_matrix(rows, scale=Scale.binary())

    check = check_gain(dawid_skene(table), table, {item: int(item < half) for item in range(n)})

    assert check.decision == "information"


def test_where_ratings_tell_about_gold_information_decides():
    table, true = world(useful=True)

    check = check_gain(dawid_skene(table), table, gold_of(true, 40))

    assert check.decision == "information"
    assert check.chosen.value > 0
    assert check.explore(0.3) == 0.3
    assert check.reason.startswith(
        "Choosing the items that the model is unsure about pays: on 40 gold items"
    )


def test_the_interval_of_a_few_items_is_students():
    table, true = world(useful=True)

    chosen = check_gain(dawid_skene(table), table, gold_of(true, 30)).chosen

    assert chosen.n_items == 15
    # 2.145 is the 97.5 % quantile of Student's t with 14 degrees of freedom.
    assert chosen.high - chosen.value == pytest.approx(2.145 * chosen.se, rel=1e-3)
    assert chosen.value - chosen.low == pytest.approx(2.145 * chosen.se, rel=1e-3)


def test_where_gold_is_another_opinion_ratings_are_spread_evenly():
    table, true = world(useful=False)

    check = check_gain(dawid_skene(table), table, gold_of(true, 40))

    assert check.decision == "uniform"
    assert check.chosen.value < 0
    assert check.explore(0.3) == 1.0
    assert "Further ratings do not resolve the model's uncertainty" in check.reason


@pytest.mark.parametrize("useful", [True, False])
def test_a_world_is_rarely_taken_for_the_other(useful):
    decisions = []
    for seed in range(12):
        table, true = world(useful=useful, seed=seed)
        decisions.append(check_gain(dawid_skene(table), table, gold_of(true, 40)).decision)

    wanted = "information" if useful else "uniform"
    assert decisions.count(wanted) >= 11


def test_the_decision_leads_to_an_even_round():
    table, true = world(useful=False)
    truth = dawid_skene(table)
    check = check_gain(truth, table, gold_of(true, 40))

    asked = next_ratings(truth, table, budget=30, explore=check.explore(), seed=0)

    assert set(asked["reason"]) == {"explore"}
    assert len(asked) == 30


def test_what_ratings_told_is_the_change_of_the_known_categorys_probability():
    """Two ratings weigh less than two: without one, the other and the prior are left."""
    table = RatingTable.from_matrix([[1, 1], [0, 0], [1, 0]] * 20, scale=Scale.binary())
    truth = dawid_skene(table)
    gold = dict.fromkeys(range(60), 1)

    check = check_gain(truth, table, gold)

    told = []
    for item in range(60):
        said = table.matrix()[item].astype(int)
        ratings = truth.confusion[0, :, said[0]] * truth.confusion[1, :, said[1]]
        both = (truth.class_prior * ratings) ** rating_weights(
            2, dependence=truth.dependence, bounded=truth.bounded
        )
        after = both[1] / both.sum()
        assert after == pytest.approx(truth.probabilities[item, 1])
        for left in (0, 1):
            one = truth.class_prior * truth.confusion[left, :, said[left]]
            told.append(np.log2(after / (one[1] / one.sum())))
    assert check.at_random.value == pytest.approx(np.mean(told))
    assert check.at_random.n_items == 60
    assert check.chosen.n_items == 30


def test_a_temperature_has_no_influence():
    table, true = world(useful=True)
    truth, gold = dawid_skene(table), gold_of(true, 40)

    assert check_gain(calibrate(truth, gold), table, gold) == check_gain(truth, table, gold)


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "No gold item has two or more ratings; 30 are needed."),
        (29, "29 gold items have two or more ratings; 30 are needed."),
    ],
)
def test_with_little_gold_nothing_is_decided(n, said):
    table, true = world(useful=False)

    check = check_gain(dawid_skene(table), table, gold_of(true, n))

    assert check.decision == "undecided"
    assert check.reason == said
    assert np.isnan(check.chosen.value)
    assert check.explore() == 0.2


def test_items_that_the_truth_was_told_do_not_count():
    table, true = world(useful=False)
    gold = gold_of(true, 40)

    assert check_gain(dawid_skene(table, gold=gold), table, gold).n_items == 0


def test_dimensions_are_put_together():
    table, true = world(useful=True)
    truth, gold = dawid_skene(table), gold_of(true, 20)
    two = {"meaning": truth, "layout": truth}

    check = check_gain(two, dict.fromkeys(two, table), {"meaning": gold, "layout": gold})

    assert check.n_items == 40
    assert check.decision == "information"


def test_the_order_of_items_does_not_matter():
    table, true = world(useful=True)
    order = np.random.default_rng(1).permutation(300)
    other = RatingTable.from_matrix(table.matrix()[order], scale=FIVE, items=order.tolist())
    gold = gold_of(true, 40)

    one, two = (check_gain(dawid_skene(t, tol=1e-12), t, gold) for t in (table, other))

    assert one.decision == two.decision
    assert one.at_random.value == pytest.approx(two.at_random.value, abs=1e-4)


def test_gold_off_the_scale_and_foreign_truths_are_refused():
    table, true = world(useful=True)
    truth = dawid_skene(table)

    with pytest.raises(InputError, match="gold item 3 has the rating 9, which is not on the scale"):
        check_gain(truth, table, {3: 9})
    with pytest.raises(InputError, match="needs a truth inferred from this table"):
        check_gain(truth, world(useful=True, n_items=30)[0], gold_of(true, 5))
    with pytest.raises(InputError, match=r"gold must be \{dimension: \{item: rating\}\}"):
        check_gain({"m": truth}, {"m": table}, {3: 4})


def test_a_continuous_scale_is_refused():
    ratings = np.random.default_rng(0).random((60, 3))
    table = RatingTable.from_matrix(ratings, scale=Scale.interval(0, 1))

    with pytest.raises(InputError, match="check_gain needs categories; found a scale of"):
        check_gain(mean_rating(table), table, dict.fromkeys(range(40), 0.5))
