import numpy as np

from ocrjury import Estimate
from ocrjury.estimation import cross_check, greg_mean, hajek_mean


def test_means_that_agree_pass_without_a_word():
    greg = Estimate(4.2, se=0.03)

    assert cross_check(greg, Estimate(4.25, se=0.05)) is greg


def test_means_that_contradict_are_warned_of():
    checked = cross_check(Estimate(4.2, se=0.03, warnings=("first",)), Estimate(3.9, se=0.05))

    assert checked.value == 4.2
    assert checked.warnings[0] == "first"
    assert checked.warnings[1].startswith("GREG of plain means (4.20) and Hájek (3.90)")


def test_a_greg_mean_that_gains_nothing_does_not_divide_by_zero():
    assert not cross_check(Estimate(4.2, se=0.05), Estimate(4.21, se=0.05)).warnings


def test_undefined_means_pass():
    undefined = Estimate(np.nan, reason="no_items")

    assert cross_check(undefined, undefined) is undefined


def test_false_alarms_are_rare():
    alarms = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x, pi = rng.normal(size=(100, 3)), rng.uniform(0.02, 0.3, 100)
        y = 4 + x[:, 0] * rng.choice([0, 0.7]) + rng.normal(size=100)
        greg = greg_mean(y, pi, auxiliary=x, pool_mean=x.mean(axis=0) + 0.1 * rng.normal(size=3))
        alarms += bool(cross_check(greg, hajek_mean(y, pi)).warnings)

    assert alarms <= 10
