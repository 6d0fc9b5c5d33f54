import numpy as np
import pytest

from ocrjury.bias.permutation import shuffles
from ocrjury.bias.shuffled_sums import Summands

GROUPS = np.repeat(np.arange(9), [1, 2, 3, 3, 5, 6, 7, 7, 1])


def summands(n_cells=4):
    rng = np.random.default_rng(1)
    n = len(GROUPS)
    constant = rng.normal(size=9)[GROUPS]
    cell = rng.integers(0, n_cells, n)
    return Summands((rng.normal(size=n),), (constant,), lambda x, c: (x, x * c), cell, n_cells + 1)


def test_sums_are_those_of_the_shuffled_columns():
    given = summands()
    rows = np.stack([np.random.default_rng(k).permutation(len(GROUPS)) for k in range(3)], axis=1)

    total, product = given.sums(rows)

    for draw, places in enumerate(rows.T):
        x = given.columns[0][places]
        expected = np.bincount(given.cell, x, 5)
        assert total[:, draw] == pytest.approx(expected)
        assert product[:, draw] == pytest.approx(np.bincount(given.cell, x * given.constants[0], 5))
    assert given.sums()[0][:, 0] == pytest.approx(np.bincount(given.cell, given.columns[0], 5))


@pytest.mark.parametrize("in_cache", [1, 7, 1000])
def test_parts_are_shuffled_as_the_whole_is(monkeypatch, in_cache):
    monkeypatch.setattr("ocrjury.bias.permutation._CELLS", 1)
    monkeypatch.setattr("ocrjury.bias.shuffled_sums._IN_CACHE", in_cache)
    given = summands()

    found = list(given.shuffled(GROUPS, rng=np.random.default_rng(2)))

    whole = shuffles(GROUPS, rng=np.random.default_rng(2))
    expected = [given.sums(rows) for rows in whole]
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-12)


def test_shuffles_of_few_places_come_in_one_block():
    given = summands()

    ((total, _),) = given.shuffled(GROUPS, rng=np.random.default_rng(2))

    assert total.shape == (5, 499)
    assert total.sum(axis=0) == pytest.approx(np.full(499, given.columns[0].sum()))
