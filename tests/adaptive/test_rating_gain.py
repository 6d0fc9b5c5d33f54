import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.rating_promises import promises
from benchmarks.rating_replay import draw
from ocrjury import RatingTable, Scale
from ocrjury.adaptive.information import information_gain, weakened
from ocrjury.adaptive.rating_gain import first_gain, least_gain, worthwhile
from ocrjury.adaptive.rating_state import build_state
from ocrjury.truth import dawid_skene


def state_of(matrix, scale=None, weights=None):
    table = RatingTable.from_matrix(matrix, scale=scale or Scale.likert(1, 3))
    return build_state({None: (dawid_skene(table), table)}, weights)


def random_matrix(n_items, n_raters, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.integers(1, 4, (n_items, 1)) + rng.choice([-1, 0, 0, 1], (n_items, n_raters))
    there = rng.random((n_items, n_raters)) < 0.4
    there[:, :1] = True
    return np.where(there, np.clip(values, 1, 3), np.nan)


def told(view, item, confusion):
    """Bits of one rating more, which weighs about one over the root of how many there are then."""
    weight = float(view.n_ratings[item] + 1) ** (-view.dependence / 2)
    answers = weakened(confusion, weight, class_prior=view.class_prior)
    return information_gain(view.probabilities[[item]], answers)[0]


@pytest.mark.parametrize("n_raters", [3, 16])
def test_the_first_gain_is_the_mean_over_raters_who_have_not_rated(n_raters):
    state = state_of(random_matrix(40, n_raters))
    (view,) = state.views

    gain = first_gain(state, np.arange(40))

    for item in range(40):
        free = np.flatnonzero(state.rated[[item]].toarray()[0] == 0)
        of_free = [told(view, item, view.groups.confusion[rater]) for rater in free]
        expected = np.mean(of_free) if of_free else told(view, item, view.typical)
        assert gain[item] == pytest.approx(expected)


def test_of_many_raters_those_who_have_rated_are_left_out():
    state = state_of(random_matrix(60, 40))
    (view,) = state.views
    raters = range(40)
    group = view.groups.group

    gain = first_gain(state, np.array([7]))

    free = [rater for rater in raters if not state.rated[[7]].toarray()[0, rater]]
    of_free = [told(view, 7, view.groups.confusion[group[rater]]) for rater in free]
    assert gain[0] == pytest.approx(np.mean(of_free))


@settings(max_examples=25)
@given(budget=st.integers(0, 60), seed=st.integers(0, 20))
def test_leaving_hopeless_ratings_out_changes_nothing_among_the_best(budget, seed):
    state = state_of(random_matrix(40, 5, seed))
    everyone = np.ones(40, dtype=bool)
    price = np.random.default_rng(seed).uniform(0.5, 2, 40)
    options = {"price": price, "target_confidence": 0.95, "caps": np.full(40, 5)}

    def best(found):
        order = np.argsort(-found.worth / price[found.item], kind="stable")[:budget]
        return (found.worth / price[found.item])[order]

    all_of_them = worthwhile(state, everyone, budget=10**6, **options)
    some = worthwhile(state, everyone, budget=budget, **options)

    assert len(some.item) <= len(all_of_them.item)
    assert best(some) == pytest.approx(best(all_of_them))


def test_every_further_rating_counts_at_most_half_of_the_one_before():
    state = state_of(random_matrix(40, 6))
    found = worthwhile(
        state,
        np.ones(40, dtype=bool),
        price=np.ones(40),
        target_confidence=1.0,
        caps=np.full(40, 6),
        budget=1000,
    )

    for item in np.unique(found.item):
        assert (np.diff(found.gain[found.item == item]) <= 0).all()
        assert (np.diff(found.worth[found.item == item]) <= 0).all()
    assert np.bincount(found.item).max() > 1


def test_a_rating_that_can_mend_the_label_is_worth_more_than_one_that_confirms_it():
    agreed = [[level] * 3 for level in (1, 2, 3)] * 10
    state = state_of([[1, 1, None], [1, 3, None], *agreed, *random_matrix(30, 3)])
    found = worthwhile(
        state,
        np.ones(62, dtype=bool),
        price=np.ones(62),
        target_confidence=1.0,
        caps=np.full(62, 5),
        budget=1000,
    )

    more = found.worth - found.gain
    assert (more >= -1e-12).all()
    assert more[found.item == 1].max() > more[found.item == 0].max(initial=0.0) + 0.01


def test_the_floor_follows_the_largest_weight():
    states = [state_of(random_matrix(10, 3), weights={None: weight}) for weight in (1.0, 3.0)]

    assert least_gain(states[1]) == pytest.approx(3 * least_gain(states[0]))


def test_without_dimensions_that_count_nothing_is_worthwhile():
    state = state_of(random_matrix(10, 3), weights={None: 0.0})

    found = worthwhile(
        state,
        np.ones(10, dtype=bool),
        price=np.ones(10),
        target_confidence=1,
        caps=np.full(10, 5),
        budget=5,
    )

    assert len(found.item) == 0


def test_ratings_tell_about_labels_what_is_expected_of_them():
    """Takes .4 s of the processor. About levels they tell more than about labels."""
    bits = np.concatenate([promises(draw(name, 1000)) for name in ("uneven", "careless")])
    expected, told_label, of_level, told_level, _ = bits.mean(axis=0)

    assert told_label == pytest.approx(expected, abs=0.02)
    assert told_level == pytest.approx(of_level, abs=0.02)
    assert told_level > told_label + 0.02
