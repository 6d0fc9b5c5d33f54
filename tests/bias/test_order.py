import numpy as np
import pandas as pd
import pytest

from ocrjury import Scale
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.order import distances, find_order
from ocrjury.bias.submissions import read_submissions

CONTINUOUS = Scale.interval(-100, 100)
N = 120
CARE = "points of distance per session"


def ratings(error, *, seed=1, raters=3, dimensions=("q1", "q2")):
    """All raters rate all items on two dimensions; error: its size by rater and share of time."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=N)
    rows = [
        (f"d{item:03d}", f"R{rater}", name, quality[item] + scatter * rng.normal(), place + 1)
        for rater in range(raters)
        for place, item in enumerate(rng.permutation(N))
        for scatter in [error(rater, place / (N - 1))]
        for name in dimensions
    ]
    return pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating", "position"])


def evidence(frame):
    submissions = read_submissions(frame, scale=CONTINUOUS)
    return BiasEvidence(submissions, rng=np.random.default_rng(1))


def care(frame, seed=1):
    found = find_order(evidence(frame), np.random.default_rng(seed))
    return {one.rater: one for one in found if one.unit == CARE}


def test_raters_who_tire_lie_further_from_colleagues_at_the_end():
    found = care(ratings(lambda _, share: 0.25 + 0.5 * share))

    # the error's variance grows from .0625 to .5625, that of the mean of two colleagues stays .135;
    # a mean distance is .8 standard deviations
    expected = 0.8 * ((0.5625 + 0.135) ** 0.5 - (0.0625 + 0.135) ** 0.5)
    assert found[None].effect == pytest.approx(expected, abs=0.08)
    assert found[None].p_value == pytest.approx(1 / 500)
    assert found[None].low > 0


def test_raters_who_warm_up_get_closer():
    found = care(ratings(lambda _, share: 0.75 - 0.5 * share))

    assert found[None].high < 0


def test_the_one_who_tires_is_named():
    found = care(ratings(lambda rater, share: 0.2 + (0.8 * share if rater == 1 else 0.2)))

    assert found["R1"].p_value < 0.01
    assert found["R1"].effect > 0.2
    assert min(found["R0"].p_value, found["R2"].p_value) > 0.05


def test_a_drift_is_no_lack_of_care():
    frame = ratings(lambda *_: 0.3, seed=2)
    place = frame["position"] / N - 0.5

    found = care(frame.assign(rating=frame["rating"] - 1.5 * place))

    assert found[None].p_value > 0.05


def test_steady_raters_are_flagged_once_in_twenty():
    p = [
        one.p_value
        for seed in range(40)
        for one in care(ratings(lambda *_: 0.4, seed=seed), seed=seed).values()
    ]

    assert 0.01 <= np.mean(np.array(p) <= 0.05) <= 0.1  # a standard error of .017


def test_a_distance_is_the_mean_over_dimensions_from_the_mean_of_colleagues():
    rows = [
        *(("a", f"R{r}", "q1", v) for r, v in enumerate([0, 0, 3])),
        *(("b", f"R{r}", "q1", v) for r, v in enumerate([3, 3, 0])),
        *(("a", f"R{r}", "q2", v) for r, v in enumerate([1, 1, 1])),
        ("c", "R0", "q1", 50),
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])

    distance, there = distances(evidence(frame))

    # on q1 the distances are 1.5, 1.5 and 3 of both items, 2 on average, and 0 on q2
    assert distance == pytest.approx([-0.25, -0.25, 0.5, -0.5, -0.5, 1, 0])
    assert there.tolist() == [True] * 6 + [False]
