import itertools
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.simulation import RaterProfile
from ocrjury.truth import dawid_skene, majority_vote
from ocrjury.truth.method_names import Prior
from ocrjury.truth.rating_weight import rating_weights

PRIORS = get_args(Prior)
CLASSIC = {"prior": "none", "class_prior": "estimated"}


@st.composite
def tables(draw, categories=3, max_items=8):
    """Small tables with holes, on an ordered scale."""
    n_items, n_raters = draw(st.integers(1, max_items)), draw(st.integers(1, 4))
    cell = st.sampled_from([*range(categories), None])
    row = st.lists(cell, min_size=n_raters, max_size=n_raters)
    values = draw(st.lists(row, min_size=n_items, max_size=n_items))
    return RatingTable.from_matrix(values, scale=Scale.likert(0, categories - 1))


def brute_force(table, truth):
    """Posterior and log-likelihood, item by item, product by product."""
    posterior, total = [], 0.0
    for item in range(table.n_items):
        product = np.ones_like(truth.class_prior)
        here = table.item == item
        for rater, code in zip(table.rater[here], table.codes[here], strict=True):
            product *= truth.confusion[rater, :, code]
        total += np.log(truth.class_prior @ product)
        power = rating_weights(here.sum(), dependence=truth.dependence, bounded=truth.bounded)
        joint = (truth.class_prior * product) ** power
        posterior.append(joint / joint.sum())
    return np.array(posterior), total


def reference_fit(table, n_iter):
    """Dawid and Skene's equations 2.3 to 2.5, loop by loop."""
    counts = table.counts()
    posterior = counts / counts.sum(axis=1, keepdims=True)
    n_categories = len(table.categories)
    for _ in range(n_iter):
        prior = posterior.mean(axis=0)
        confusion = np.zeros((table.n_raters, n_categories, n_categories))
        for item, rater, code in zip(table.item, table.rater, table.codes, strict=True):
            confusion[rater, :, code] += posterior[item]
        confusion /= confusion.sum(axis=2, keepdims=True)
        log_likelihood = 0.0
        for item in range(table.n_items):
            joint = prior.copy()
            for rater, code in zip(
                table.rater[table.item == item], table.codes[table.item == item], strict=True
            ):
                joint *= confusion[rater, :, code]
            log_likelihood += np.log(joint.sum())
            posterior[item] = joint / joint.sum()
    return posterior, prior, log_likelihood


# Dawid and Skene (1979), table 1; the log-likelihood was confirmed by explicit products.
def test_the_anaesthetists_have_the_published_class_shares(anaesthetists):
    truth = dawid_skene(anaesthetists, tol=1e-12, **CLASSIC)

    assert truth.log_likelihood == pytest.approx(-190.73099659749, abs=1e-8)
    assert truth.class_prior == pytest.approx([0.4000, 0.4216, 0.1118, 0.0667], abs=5e-5)
    assert np.diag(truth.confusion[0]) == pytest.approx([0.907, 0.877, 0.661, 0.444], abs=5e-4)
    assert np.unique(truth.label, return_counts=True)[1].tolist() == [18, 19, 5, 3]


def test_steps_and_jumps_lead_to_the_same_place(anaesthetists):
    jumping = dawid_skene(anaesthetists, tol=1e-10, **CLASSIC)
    walking = dawid_skene(anaesthetists, tol=1e-10, accelerate=False, **CLASSIC)

    assert jumping.n_iter < walking.n_iter
    assert jumping.log_likelihood == pytest.approx(walking.log_likelihood, abs=1e-6)
    assert jumping.probabilities == pytest.approx(walking.probabilities, abs=1e-4)


def test_plain_steps_equal_a_loop_over_the_papers_equations(anaesthetists):
    truth = dawid_skene(anaesthetists, max_iter=7, tol=0, accelerate=False, **CLASSIC)

    posterior, prior, log_likelihood = reference_fit(anaesthetists, 7)

    assert truth.probabilities == pytest.approx(posterior, abs=1e-10)
    assert truth.class_prior == pytest.approx(prior, abs=1e-10)
    assert truth.log_likelihood == pytest.approx(log_likelihood, abs=1e-8)


@settings(max_examples=60)
@given(tables(), st.sampled_from(PRIORS))
def test_probabilities_are_the_posterior_of_the_parameters(table, prior):
    truth = dawid_skene(table, prior=prior, strength=2.0)

    assert truth.rooted == (prior in {"kinds", "hierarchical"})
    assert truth.dependence == 1.0 if prior == "hierarchical" else 0 <= truth.dependence < 1
    posterior, log_likelihood = brute_force(table, truth)

    assert truth.probabilities == pytest.approx(posterior, abs=1e-9)
    assert truth.log_likelihood == pytest.approx(log_likelihood, abs=1e-7)


@settings(max_examples=60)
@given(
    table=tables(),
    prior=st.sampled_from(PRIORS),
    class_prior=st.sampled_from(["tempered", "estimated", "uniform", "votes"]),
    accelerate=st.booleans(),
)
def test_the_objective_never_falls(*, table, prior, class_prior, accelerate):
    truth = dawid_skene(table, prior=prior, class_prior=class_prior, accelerate=accelerate)

    assert (np.diff(truth.objective) >= -1e-9).all()
    assert truth.n_iter == len(truth.objective) <= 200
    assert truth.probabilities.sum(axis=1) == pytest.approx(1)
    assert truth.confusion.sum(axis=2) == pytest.approx(1)
    assert truth.class_prior.sum() == pytest.approx(1)


def test_row_order_has_no_influence(team):
    table, _ = team(80)
    rows = pd.DataFrame(
        {
            "item": [table.items[place] for place in table.item],
            "rater": [table.raters[place] for place in table.rater],
            "rating": table.codes + 1,
        }
    )
    first = dawid_skene(RatingTable.from_long(rows, scale=table.scale))
    shuffled = rows.sample(frac=1, random_state=1)

    second = dawid_skene(RatingTable.from_long(shuffled, scale=table.scale))

    where = [second.items.index(item) for item in first.items]
    assert second.probabilities[where] == pytest.approx(first.probabilities, abs=1e-6)
    assert second.label[where].tolist() == first.label.tolist()


@pytest.mark.parametrize("prior", ["kinds", "hierarchical", "diagonal", "none"])
def test_names_of_categories_have_no_influence(team, prior):
    table, _ = team(60)
    matrix = table.matrix()
    names = {1: "c", 2: "a", 3: "e", 4: "b", 5: "d"}
    one, other = (
        RatingTable.from_matrix(
            [[None if np.isnan(x) else naming[int(x)] for x in row] for row in matrix],
            scale=Scale.nominal(sorted(naming.values())),
        )
        for naming in ({k: str(k) for k in names}, names)
    )

    plain, renamed = dawid_skene(one, prior=prior), dawid_skene(other, prior=prior)

    assert renamed.label.tolist() == [names[int(label)] for label in plain.label]
    assert renamed.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-3)


def test_twice_the_items_double_the_likelihood_and_keep_the_labels(team):
    table, _ = team(60)
    twice = RatingTable.from_matrix(np.vstack([table.matrix()] * 2), scale=table.scale)

    one = dawid_skene(table, tol=1e-10, max_iter=2000, **CLASSIC)
    two = dawid_skene(twice, tol=1e-10, max_iter=2000, **CLASSIC)

    assert two.log_likelihood == pytest.approx(2 * one.log_likelihood, rel=1e-6)
    assert two.confidence[:60] == pytest.approx(one.confidence, abs=1e-3)


def test_an_overwhelming_prior_makes_all_raters_alike(team):
    table, _ = team(60)

    truth = dawid_skene(table, strength=1e9)

    assert np.ptp(truth.confusion, axis=0).max() < 1e-6


def test_no_strength_is_maximum_likelihood(team):
    table, _ = team(60)

    without = dawid_skene(table, strength=0.0, class_prior="uniform")
    classic = dawid_skene(table, prior="none", class_prior="uniform")

    assert without.log_likelihood == pytest.approx(classic.log_likelihood)


def test_the_default_is_better_calibrated_than_classic_with_two_ratings(team):
    def brier(truth, true):
        return ((truth.probabilities - np.eye(5)[true - 1]) ** 2).sum(axis=1).mean()

    scores = []
    for seed in range(4):
        table, true = team(200, per_item=2, seed=seed)
        fits = dawid_skene(table), dawid_skene(table, **CLASSIC)
        scores.append([brier(truth, true) for truth in fits])

    default, classic = np.mean(scores, axis=0)
    assert default < classic - 0.05


# The raters see one noisy copy of the page, so that twelve of them know no more than one.
def test_raters_who_are_misled_together_are_not_believed_each_for_all():
    rng = np.random.default_rng(6)
    true = rng.integers(0, 2, 600)
    seen = np.where(rng.random(600) < 0.8, true, 1 - true)
    said = np.where(rng.random((600, 12)) < 0.85, seen[:, None], 1 - seen[:, None])
    table = RatingTable.from_matrix(said.astype(float), scale=Scale.binary())

    sure, hesitant = dawid_skene(table, **CLASSIC), dawid_skene(table, prior="hierarchical")

    right = (hesitant.label == true).mean()
    assert (sure.label == true).mean() == pytest.approx(right, abs=0.01)
    assert right < hesitant.confidence.mean() < sure.confidence.mean() - 0.01


def test_alike_raters_lose_no_labels_to_the_majority(six_raters):
    lost = []
    for seed in range(5000, 5006):
        table, true = six_raters({}, n_items=400, per_item=5, seed=seed)
        both = dawid_skene(table), majority_vote(table)
        lost.append(np.subtract(*(np.abs(truth.median - true).mean() for truth in both)))

    assert np.mean(lost) < 0.005


def test_good_raters_outvote_a_majority_of_bad_ones():
    rng = np.random.default_rng(0)
    true = rng.integers(0, 2, 400)
    skill = [0.95, 0.95, 0.55, 0.55, 0.55]
    matrix = [[t if rng.random() < p else 1 - t for p in skill] for t in true]
    table = RatingTable.from_matrix(matrix, scale=Scale.binary())

    truth = dawid_skene(table)

    assert (truth.label == true).mean() > (majority_vote(table).label == true).mean() + 0.03
    right = (np.array(matrix) == true[:, None]).mean(axis=0)
    assert truth.rater_accuracy == pytest.approx(right, abs=0.06)


def test_a_severe_rater_has_a_negative_bias():
    rng = np.random.default_rng(1)
    true = rng.integers(2, 5, 200)
    matrix = [[t, t, t - (rng.random() < 0.8), t] for t in true]

    truth = dawid_skene(RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5)))

    assert truth.rater_bias[2] == pytest.approx(-0.8, abs=0.15)
    assert np.abs(truth.rater_bias[[0, 1, 3]]).max() < 0.15


def test_a_careless_rater_among_six_is_found_with_two_ratings_per_item(six_raters):
    margins: dict[str, list[float]] = {"kinds": [], "hierarchical": []}
    for seed in range(8):
        table, _ = six_raters({"R6": RaterProfile(careless=0.45)}, seed=seed)
        for prior, found in margins.items():
            truth = dawid_skene(table, prior=prior)
            accuracy = dict(zip(truth.raters, truth.rater_accuracy, strict=True))
            careless = accuracy.pop("R6")
            found.append(min(accuracy.values()) - careless)

    assert np.mean(margins["kinds"]) > np.mean(margins["hierarchical"]) + 0.02
    assert min(margins["hierarchical"]) > 0.03


def test_a_severe_rater_is_found_with_two_ratings_per_item(six_raters):
    biases = []
    for seed in range(6):
        table, _ = six_raters({"R3": RaterProfile(severity=-0.5)}, seed=seed)
        truth = dawid_skene(table)
        biases.append([truth.rater_bias[truth.raters.index(f"R{n}")] for n in range(1, 7)])

    mean = np.mean(biases, axis=0)
    assert mean.argmin() == 2
    assert mean[2] < np.delete(mean, 2).min() - 0.08


def test_raters_who_are_alike_stay_alike(six_raters):
    ranges = [np.ptp(dawid_skene(six_raters({}, seed=seed)[0]).rater_accuracy) for seed in range(6)]

    assert np.mean(ranges) < 0.07
    assert max(ranges) < 0.11


def test_the_default_is_about_as_sure_as_it_is_right(six_raters):
    right, sure, voted = [], [], []
    for seed in range(6):
        table, true = six_raters({"R6": RaterProfile(careless=0.45)}, seed=seed)
        truth = dawid_skene(table)
        right.append((truth.label == true).mean())
        sure.append(truth.confidence.mean())
        voted.append((majority_vote(table).label == true).mean())

    assert np.mean(sure) == pytest.approx(np.mean(right), abs=0.08)
    assert np.mean(right) > np.mean(voted) + 0.03


def test_known_items_are_certain_and_teach_about_raters():
    matrix = [[1, 0, 0]] * 10 + [[0, 1, 1]] * 10 + [[1, 0, 0]]
    table = RatingTable.from_matrix(matrix, scale=Scale.binary())
    gold = {item: int(item < 10) for item in range(20)}

    alone, taught = dawid_skene(table), dawid_skene(table, gold=gold)

    assert (alone.label[20], taught.label[20]) == (0, 1)
    assert taught.confidence[:20].tolist() == [1.0] * 20
    assert taught.label[:20].tolist() == list(gold.values())
    assert any("less often than by chance: 1, 2" in sentence for sentence in taught.warnings)


def test_the_likelihood_of_known_items_is_that_of_their_category(team):
    table, true = team(30)
    truth = dawid_skene(table, gold={item: int(true[item]) for item in range(30)})

    expected = sum(np.log(truth.class_prior[true[item] - 1]) for item in range(30)) + sum(
        np.log(truth.confusion[rater, true[item] - 1, code])
        for item, rater, code in zip(table.item, table.rater, table.codes, strict=True)
    )

    assert truth.log_likelihood == pytest.approx(expected)


def test_a_warm_start_ends_no_lower_and_sooner(team):
    table, _ = team(150)
    cold = dawid_skene(table, strength=4.0)

    warm = dawid_skene(table, strength=4.0, warm_start=cold)

    assert warm.objective[-1] >= cold.objective[-1] - 1e-6
    assert warm.n_iter < cold.n_iter


def test_a_warm_start_takes_new_items_and_raters(team):
    table, _ = team(40)
    earlier = dawid_skene(table)
    more = np.hstack([np.vstack([table.matrix(), np.full((1, 6), 3)]), np.full((41, 1), np.nan)])
    more[40, 6] = 3

    truth = dawid_skene(RatingTable.from_matrix(more, scale=table.scale), warm_start=earlier)

    assert truth.label[40] == 3


@pytest.mark.parametrize("n_raters", [1, 3])
def test_items_without_ratings_have_the_class_prior(n_raters):
    table = RatingTable.from_matrix([[1] * n_raters, [None] * n_raters], scale=Scale.binary())

    truth = dawid_skene(table)

    assert truth.probabilities[1] == pytest.approx(truth.class_prior)
    assert "1 of 2 items have no rating, for example 1" in truth.warnings[0]


def test_no_items_and_no_ratings_are_no_error():
    none = dawid_skene(RatingTable.from_matrix(np.zeros((0, 3)), scale=Scale.likert(1, 5)))
    silent = dawid_skene(RatingTable.from_matrix([[None, None]], scale=Scale.likert(1, 5)))

    assert none.probabilities.shape == (0, 5)
    assert silent.probabilities.tolist() == [pytest.approx([0.2] * 5)]


def test_one_rater_is_believed_with_a_warning():
    truth = dawid_skene(RatingTable.from_matrix([[1], [5], [3]], scale=Scale.likert(1, 5)))

    assert truth.label.tolist() == [1, 5, 3]
    assert any("only one rater" in sentence for sentence in truth.warnings)


def test_a_rater_who_always_says_the_same_is_seen_through():
    rng = np.random.default_rng(2)
    true = rng.integers(1, 6, 150)
    others = np.clip(true[:, None] + rng.choice([-1, 0, 0, 0, 1], (150, 3)), 1, 5)
    with_constant = np.hstack([others, np.full((150, 1), 3)])

    plain, extra = (
        dawid_skene(RatingTable.from_matrix(m, scale=Scale.likert(1, 5)))
        for m in (others, with_constant)
    )

    assert extra.confusion[3, :, 2].min() > 0.9
    assert (extra.label == true).mean() > (plain.label == true).mean() - 0.05


def test_a_scale_of_one_category_is_certain():
    truth = dawid_skene(RatingTable.from_matrix([["x", "x"]], scale=Scale.nominal(["x"])))

    assert truth.probabilities.tolist() == [[1.0]]
    assert truth.label.tolist() == ["x"]


def test_categories_nobody_used_are_kept_and_named():
    truth = dawid_skene(RatingTable.from_matrix([[2, 2], [4, 4]], scale=Scale.likert(1, 5)))

    assert truth.categories.tolist() == [1, 2, 3, 4, 5]
    assert any("Nobody used the categories 1, 3, 5;" in sentence for sentence in truth.warnings)


def test_groups_of_raters_that_never_meet_are_reported():
    matrix = [[1, 1, None, None]] * 3 + [[None, None, 0, 0]] * 3

    truth = dawid_skene(RatingTable.from_matrix(matrix, scale=Scale.binary()))

    assert any("fall into 2 groups that share no item" in sentence for sentence in truth.warnings)


def test_fewer_than_three_ratings_and_repeats_are_reported(anaesthetists):
    two = dawid_skene(RatingTable.from_matrix([[1, 1], [0, 0]], scale=Scale.binary()))
    repeated = dawid_skene(anaesthetists)

    assert any("2.0 ratings on average" in sentence for sentence in two.warnings)
    assert repeated.warnings == (
        "90 of 315 ratings repeat a pair of item and rater; they count as independent.",
    )


def test_an_unsettled_fit_says_so(team):
    truth = dawid_skene(team(60)[0], max_iter=2)

    assert not truth.converged
    assert "The fit had not converged after 2 iterations; raise max_iter." in truth.warnings


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior": "flat"}, "prior must be one of kinds, hierarchical.*found 'flat'"),
        ({"class_prior": "flat"}, "class_prior must be one of tempered.*found 'flat'"),
        ({"strength": -1}, 'strength must be "auto" or a number.*found -1'),
        ({"strength": "much"}, "found 'much'"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
        ({"tol": -1.0}, "tol must not be below 0"),
        ({"gold": {0: 9}}, "item 0 with 9. Allowed are 1, 2, 3, 4, 5"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    table = RatingTable.from_matrix([[1, 2]], scale=Scale.likert(1, 5))

    with pytest.raises(InputError, match=message):
        dawid_skene(table, **options)


def test_scales_without_categories_or_order_are_refused_where_they_matter():
    continuous = RatingTable.from_matrix([[1.5, 2.5]], scale=Scale.interval(0, 5))
    names = RatingTable.from_matrix([["a", "b"]], scale=Scale.nominal(["a", "b"]))

    with pytest.raises(InputError, match=r"dawid_skene needs categories.*mean_rating"):
        dawid_skene(continuous)
    with pytest.raises(InputError, match='"distance" needs an ordered scale'):
        dawid_skene(names, prior="distance")


def test_a_warm_start_on_another_scale_is_refused():
    binary = dawid_skene(RatingTable.from_matrix([[1, 0]], scale=Scale.binary()))

    with pytest.raises(InputError, match=r"warm_start has the categories \[0, 1\]"):
        dawid_skene(RatingTable.from_matrix([[1, 2]], scale=Scale.likert(1, 5)), warm_start=binary)


def test_gold_of_other_items_is_reported():
    table = RatingTable.from_matrix([[1, 1, 1]], scale=Scale.binary())

    truth = dawid_skene(table, gold={"elsewhere": 1})

    assert any("not among the items were not used: 1," in text for text in truth.warnings)


def test_swapped_categories_are_reported():
    matrix = [[0, 0, 0]] * 20 + [[1, 1, 1]] * 20
    table = RatingTable.from_matrix(matrix, scale=Scale.nominal([0, 1]))

    truth = dawid_skene(table, gold={item: int(item < 20) for item in range(40)}, strength=1.0)

    assert any("mostly use 0 and 1 for each other" in sentence for sentence in truth.warnings)


def test_every_pair_of_options_gives_finite_numbers(anaesthetists):
    priors = PRIORS
    for prior, kind in itertools.product(priors, ["tempered", "estimated", "uniform", "votes"]):
        truth = dawid_skene(anaesthetists, prior=prior, class_prior=kind)

        assert np.isfinite(truth.objective).all()
        assert np.isfinite(truth.confusion).all()


def test_categories_that_change_places_in_a_circle_are_reported():
    matrix = [[true % 3 + 1] * 3 for true in [1, 2, 3] * 15]
    table = RatingTable.from_matrix(matrix, scale=Scale.nominal([1, 2, 3]))
    gold = {item: [1, 2, 3][item % 3] for item in range(45)}

    truth = dawid_skene(table, gold=gold, strength=1.0)

    assert any("use 1, 2 and 3 for each other; the categories" in text for text in truth.warnings)


def flipping(n_flip, n_items=400, seed=3):
    """Seven raters, right nine times in ten, of whom some say the opposite."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, n_items)
    right = rng.random((n_items, 7)) < 0.9
    matrix = np.where(right, true[:, None], 1 - true[:, None])
    matrix[:, :n_flip] = 1 - matrix[:, :n_flip]
    return RatingTable.from_matrix(matrix, scale=Scale.binary()), true


def test_three_of_seven_raters_who_misread_the_scale_are_seen_through():
    table, true = flipping(3)

    truth = dawid_skene(table)

    assert (truth.label == true).mean() > 0.97
    assert (majority_vote(table).label == true).mean() < 0.85
    assert any("below chance: 0, 1, 2;" in s or "by chance: 0, 1, 2;" in s for s in truth.warnings)


# Nothing in the ratings tells four who flip from three who do; known items do.
def test_four_of_seven_are_believed_until_known_items_tell():
    table, true = flipping(4)
    gold = {item: int(true[item]) for item in range(40)}

    fooled, told = dawid_skene(table), dawid_skene(table, gold=gold)

    assert (fooled.label == true).mean() < 0.1
    assert any("less often than by chance: 4, 5, 6;" in text for text in fooled.warnings)
    assert (told.label == true).mean() > (fooled.label == true).mean() + 0.8


def test_a_rater_with_one_rating_is_like_the_typical_one(team):
    table, _ = team(200)
    matrix = np.hstack([table.matrix(), np.full((200, 1), np.nan)])
    matrix[0, 6] = 3

    truth = dawid_skene(RatingTable.from_matrix(matrix, scale=table.scale))

    typical = truth.confusion[:6].mean(axis=0)
    assert np.abs(truth.confusion[6] - typical).max() < 0.14


def test_on_two_categories_confusion_is_sensitivity_and_specificity():
    rng = np.random.default_rng(4)
    true = rng.integers(0, 2, 2000)
    says_one = rng.random((2000, 5)) < np.where(true[:, None] == 1, [0.9] * 5, [0.2] * 5)
    table = RatingTable.from_matrix(says_one.astype(float), scale=Scale.binary())

    truth = dawid_skene(table, **CLASSIC)

    assert truth.confusion[:, 1, 1] == pytest.approx([0.9] * 5, abs=0.03)
    assert truth.confusion[:, 0, 0] == pytest.approx([0.8] * 5, abs=0.03)


def test_tempering_concerns_labels_not_raters(team):
    scale = Scale.nominal([1, 2, 3, 4, 5])
    table = RatingTable.from_matrix(team(200)[0].matrix(), scale=scale)

    tempered, votes = (dawid_skene(table, class_prior=kind) for kind in ("tempered", "votes"))

    assert tempered.confusion == pytest.approx(votes.confusion)
    assert tempered.objective == pytest.approx(votes.objective)
    logs = [np.log(truth.class_prior) for truth in (tempered, votes)]
    powers = np.diff(logs[0]) / np.diff(logs[1])
    assert powers == pytest.approx(np.full(4, powers[0]))
    assert 0.7 < powers[0] < 0.95


def test_the_objective_ends_at_the_likelihood_and_the_penalty(team):
    table, _ = team(100)

    truth = dawid_skene(table, prior="diagonal", strength=2.0, class_prior="votes", tol=1e-12)

    pseudo = np.full((5, 5), 2 * 0.3 / 4)
    np.fill_diagonal(pseudo, 2 * 0.7)
    penalty = (pseudo * np.log(truth.confusion)).sum()
    assert truth.objective[-1] == pytest.approx(truth.log_likelihood + penalty)


def test_groups_of_raters_are_counted_across_blocks(monkeypatch):
    monkeypatch.setattr("ocrjury.truth.rating_blocks.RATINGS_PER_BLOCK", 4)
    linked = [[1, 1, None, None], [None, 1, 1, None], [None, None, 0, 0]]
    parted = [[1, 1, None, None], [None, None, 0, 0], [0, 1, None, None]]

    first, second = (
        dawid_skene(RatingTable.from_matrix(m, scale=Scale.binary())) for m in (linked, parted)
    )

    assert not any("groups that share no item" in text for text in first.warnings)
    assert any("fall into 2 groups that share no item" in text for text in second.warnings)
