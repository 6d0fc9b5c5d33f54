import numpy as np
import pytest

from ocrjury.adaptive.information import information_gain
from ocrjury.adaptive.rater_groups import MOST_GROUPS, group_raters


def confusions(n_raters, n_categories=5):
    """Raters of unequal accuracy and severity."""
    rng = np.random.default_rng(0)
    level = np.arange(n_categories)
    centre = level[None, :] + rng.normal(0, 0.4, n_raters)[:, None]
    width = rng.uniform(0.3, 1.2, n_raters)[:, None, None]
    weight = np.exp(-0.5 * ((level[None, None, :] - centre[:, :, None]) / width) ** 2) + 1e-3
    return weight / weight.sum(axis=2, keepdims=True)


def test_few_raters_stay_alone():
    matrices = confusions(MOST_GROUPS)

    groups = group_raters(matrices)

    assert groups.confusion is matrices
    assert groups.size.tolist() == [1] * MOST_GROUPS


@pytest.mark.parametrize("n_raters", [MOST_GROUPS + 1, 50, 333])
def test_many_raters_make_groups_of_about_equal_size(n_raters):
    groups = group_raters(confusions(n_raters))

    assert groups.size.sum() == n_raters
    assert groups.size.min() >= 1
    assert groups.size.max() - groups.size.min() <= 2
    assert groups.confusion.sum(axis=2) == pytest.approx(1)


def test_what_groups_tell_is_close_to_what_their_raters_tell():
    matrices = confusions(200)
    groups = group_raters(matrices)
    shares = np.random.default_rng(1).dirichlet([0.4] * 5, 300)

    exact = np.mean([information_gain(shares, matrix) for matrix in matrices], axis=0)
    together = sum(
        n * information_gain(shares, one)
        for n, one in zip(groups.size, groups.confusion, strict=True)
    ) / len(matrices)

    assert np.corrcoef(exact, together)[0, 1] > 0.99
    assert together.mean() == pytest.approx(exact.mean(), rel=0.1)


def test_nobody_makes_no_group():
    assert group_raters(np.zeros((0, 3, 3))).size.tolist() == []
