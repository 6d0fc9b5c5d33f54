import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.truth import aggregate
from ocrjury.truth.inference import METHODS

TABLE = RatingTable.from_matrix([[1, 1, 2], [4, 4, 4]], scale=Scale.likert(1, 5))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_answers_by_its_name(method):
    truth = aggregate(TABLE, method=method)

    assert truth.label.tolist() == METHODS[method](TABLE).label.tolist() == [1, 4]


@pytest.mark.parametrize("method", METHODS)
def test_every_truth_has_the_same_shapes(method):
    truth = aggregate(TABLE, method=method)

    assert truth.probabilities.shape == (2, 5)
    assert truth.confusion.shape == (3, 5, 5)
    assert truth.class_prior.shape == (5,)
    for of_items in (truth.label, truth.median, truth.mean, truth.confidence, truth.tied):
        assert of_items.shape == (2,)
    for of_raters in (truth.rater_accuracy, truth.rater_bias):
        assert of_raters.shape == (3,)


def test_options_reach_the_method():
    assert aggregate(TABLE, prior="none", max_iter=1).n_iter == 1


def test_an_unknown_method_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match=r"method must be one of dawid_skene.*found 'vote'"):
        aggregate(TABLE, method="vote")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_takes_what_is_known(method):
    truth = aggregate(TABLE, method=method, gold={0: 5})

    assert truth.label.tolist() == [5, 4]
    assert truth.confidence[0] == 1.0
    assert truth.known.tolist() == [True, False]
    assert aggregate(TABLE, method=method, gold=None).known is None


@pytest.mark.parametrize("rating", [-0.1, 7])
def test_gold_beyond_the_ends_of_a_continuous_scale_is_refused(rating):
    table = RatingTable.from_matrix([[0.2, 0.4]], scale=Scale.interval(0, 1))

    with pytest.raises(InputError, match=r"gold item 0 has the rating .*; the scale is"):
        aggregate(table, method="mean_rating", gold={0: rating})
