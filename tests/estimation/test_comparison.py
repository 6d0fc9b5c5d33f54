import numpy as np
import pytest

from ocrjury import InputError
from ocrjury.estimation import compare_systems, hajek_mean

A, B, PI = [5, 4, 5, 2, 1], [4, 4, 4, 2, 1], [0.2, 0.1, 0.3, 0.2, 0.1]


def test_the_difference_is_paired():
    difference = compare_systems(A, B, PI)
    apart = hajek_mean(A, PI).value - hajek_mean(B, PI).value

    assert difference.value == pytest.approx(apart)
    assert difference.se < hajek_mean(A, PI).se
    assert difference.method == "Hajek, paired difference"


def test_exchanging_systems_turns_the_sign():
    first, second = compare_systems(A, B, PI), compare_systems(B, A, PI)

    assert (second.low, second.high) == pytest.approx((-first.high, -first.low))


def test_a_difference_of_zeros_and_ones_is_no_share():
    # by chance no document is worse: still the interval may go below 0
    assert compare_systems([5, 4, 4], [4, 4, 4], [0.1] * 3).low < 0


def test_auxiliaries_sharpen_the_difference():
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    a = 4 + 0.5 * x + 0.1 * rng.normal(size=60)

    plain = compare_systems(a, np.full(60, 4.0), np.full(60, 0.1))
    sharp = compare_systems(a, np.full(60, 4.0), np.full(60, 0.1), auxiliary=x, pool_mean=[0.0])

    assert sharp.se < plain.se / 2
    assert sharp.method == "GREG, paired difference"


def test_no_documents_give_no_difference():
    assert compare_systems([], [], []).reason == "no_items"


def test_systems_on_other_documents_are_refused():
    with pytest.raises(InputError, match=r"both systems on the same documents; found.*\(2,\)"):
        compare_systems([1, 2, 3], [1, 2], [0.5] * 3)


def test_an_auxiliary_without_its_pool_mean_is_refused():
    with pytest.raises(InputError, match="auxiliary is given without pool_mean"):
        compare_systems(A, B, PI, auxiliary=A)
    with pytest.raises(InputError, match="pool_mean is given without auxiliary"):
        compare_systems(A, B, PI, pool_mean=[1.0])


def test_noise_stays_where_the_whole_pool_was_drawn():
    whole = [1.0] * 5
    silent, noisy = compare_systems(A, B, whole), compare_systems(A, B, whole, noise=[0.5] * 5)

    assert silent.se == 0
    # each of five differences counts a fifth: sqrt(5 * .5 / 25)
    assert noisy.se == pytest.approx(0.1**0.5)
    assert noisy.low < noisy.value == silent.value < noisy.high


def test_a_small_sample_holds_the_noise_already():
    plain, noisy = (compare_systems(A, B, [0.001] * 5, noise=noise) for noise in (None, [0.2] * 5))

    assert noisy.se == pytest.approx(plain.se, rel=0.01)


def test_intervals_with_noise_hold_the_difference_of_the_pool():
    rng, held = np.random.default_rng(3), 0
    for _ in range(400):
        true = rng.normal(0.3, 0.5, 120)
        drawn = rng.permutation(120)[:80]
        rated = true[drawn] + rng.normal(0, 0.6, 80)
        found = compare_systems(rated, np.zeros(80), [80 / 120] * 80, noise=[0.36] * 80)
        held += found.low <= true.mean() <= found.high

    assert 0.92 < held / 400 < 0.98
