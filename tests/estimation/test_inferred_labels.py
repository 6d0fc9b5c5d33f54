import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.estimation import greg_mean, hajek_mean, inferred_mean
from ocrjury.truth import dawid_skene

LEVELS = [1, 2, 3, 4, 5]


@st.composite
def posteriors(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(2, 40))
    return rng.dirichlet(np.full(5, 0.3), n), rng.uniform(0.05, 0.9, n)


def certain(labels):
    return np.eye(5)[np.array(labels) - 1]


def test_labels_without_doubt_are_outcomes():
    labels, pi = [5, 4, 4, 2, 5, 1], np.array([0.1, 0.2, 0.1, 0.3, 0.1, 0.5])

    found, known = inferred_mean(certain(labels), pi, levels=LEVELS), hajek_mean(labels, pi)

    assert (found.value, found.se) == (pytest.approx(known.value), pytest.approx(known.se))
    assert found.method == "Hajek of inferred labels, this model of these raters"


@given(posteriors())
def test_doubt_adds_the_posterior_variance(case):
    chances, pi = case
    score = chances @ np.array(LEVELS)
    doubt = chances @ np.array(LEVELS) ** 2 - score**2
    weight = 1 / pi / (1 / pi).sum()

    found, known = inferred_mean(chances, pi, levels=LEVELS), hajek_mean(score, pi)

    assert found.value == pytest.approx(known.value)
    assert found.se**2 == pytest.approx(np.nan_to_num(known.se) ** 2 + weight**2 @ doubt)


def test_raters_left_out_add_the_jackknife():
    chances, pi = certain([5, 4, 3, 5]), np.full(4, 0.1)
    others = [certain([5, 4, 3, 5]), certain([4, 4, 3, 4]), certain([5, 5, 4, 5])]

    found = inferred_mean(chances, pi, levels=LEVELS, left_out=others)

    # means 4.25, 3.75, 4.75 around 4.25: (3 - 1) / 3 x .5
    assert found.se**2 == pytest.approx(hajek_mean([5, 4, 3, 5], pi).se ** 2 + 2 / 3 * 0.5)
    assert found.n_raters == 3
    assert found.method.endswith("other raters like these")


def test_a_document_that_only_one_rater_saw_is_left_out_with_that_rater():
    chances, pi = certain([5, 4, 3, 5]), np.full(4, 0.1)
    missing = certain([5, 4, 3, 5])
    missing[2] = np.nan

    found = inferred_mean(chances, pi, levels=LEVELS, left_out=[missing, chances])

    assert np.isfinite(found.se)


def test_a_share_of_categories_stays_between_zero_and_one():
    chances, pi = certain([5] * 30 + [1]), np.full(31, 0.1)

    found = inferred_mean(chances, pi, levels=[0, 0, 0, 1, 1])

    assert found.value == pytest.approx(30 / 31)
    assert found.high <= 1
    assert found.warnings[0].startswith("Too few cases: 1 of 31")


def test_auxiliaries_sharpen_it():
    rng = np.random.default_rng(1)
    x = rng.normal(size=80)
    labels = np.clip(np.round(3 + x), 1, 5).astype(int)
    pi = np.full(80, 0.1)

    found = inferred_mean(certain(labels), pi, levels=LEVELS, auxiliary=x, pool_mean=[0.0])

    assert found.se == pytest.approx(greg_mean(labels, pi, auxiliary=x, pool_mean=[0.0]).se)


def test_it_takes_what_a_truth_holds():
    rng = np.random.default_rng(2)
    labels = rng.integers(1, 6, 60)
    ratings = np.where(rng.random((60, 4)) < 0.7, labels[:, None], rng.integers(1, 6, (60, 4)))
    table = RatingTable.from_matrix(ratings.astype(float), scale=Scale.likert(1, 5))
    truth = dawid_skene(table)

    found = inferred_mean(truth.probabilities, np.full(60, 0.1), levels=truth.categories)

    assert found.value == pytest.approx(np.mean(truth.mean))
    assert found.se > hajek_mean(truth.mean, np.full(60, 0.1)).se


def test_no_documents_give_no_mean():
    assert inferred_mean(np.empty((0, 5)), [], levels=LEVELS).reason == "no_items"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"probabilities": [[0.5, 0.4]]}, "must sum to 1 and hold nothing below 0; 1 do not"),
        ({"probabilities": [[0.5, 0.5, 0]]}, r"each of the 2 levels; found shape \(1, 3\)"),
        ({"levels": [1, np.nan]}, "one finite number per category"),
        ({"left_out": [[[0.5, 0.5]]]}, "at least 2 raters; found 1"),
        ({"left_out": [[[0.5, 0.5]] * 2] * 2}, "one row for each of the 1 documents; found 2"),
        ({"left_out": [[[np.nan, np.nan]]] * 2}, "has no document that another rater rated"),
    ],
)
def test_what_does_not_fit_is_named(options, message):
    given_ = {"probabilities": [[0.5, 0.5]], "levels": [1, 2], **options}

    with pytest.raises(InputError, match=message):
        inferred_mean(given_.pop("probabilities"), [0.5], **given_)
