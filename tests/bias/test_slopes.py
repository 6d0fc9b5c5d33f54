import numpy as np
import pandas as pd
import pytest

from ocrjury import Scale
from ocrjury.bias.anchoring import find_anchoring
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.order import find_order
from ocrjury.bias.submissions import read_submissions

CONTINUOUS = Scale.interval(-1000, 1000)
N = 40


def ratings(rate, *, seed=1, raters=3):
    """All raters rate all items, each in an order of his or her own."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=N)
    rows = []
    for rater in range(raters):
        before = 0.0
        for place, item in enumerate(rng.permutation(N)):
            value = rate(quality[item], rater, place / (N - 1), before)
            before = value
            rows.append((f"d{item:02d}", f"R{rater}", "meaning", value, place + 1))
    columns = ["item", "rater", "dimension", "rating", "position"]
    return pd.DataFrame(rows, columns=columns)


def found(detector, frame):
    rng = np.random.default_rng(1)
    return detector(BiasEvidence(read_submissions(frame, scale=CONTINUOUS), rng=rng), rng)


def test_a_drift_without_noise_is_found_exactly():
    frame = ratings(lambda quality, rater, share, _: quality + rater - 0.6 * share)

    everyone = found(find_order, frame)[0]

    # the shuffles' mean, which is 0 but for chance, is taken off
    assert everyone.effect == pytest.approx(-0.6, abs=0.02)
    assert everyone.high - everyone.low < 0.05
    assert everyone.unit == "points per session"
    assert everyone.dimension == "meaning"


def test_the_drift_of_one_rater_is_that_raters():
    frame = ratings(lambda quality, rater, share, _: quality - (2.0 * share if rater == 1 else 0.0))

    by_rater = {one.rater: one for one in found(find_order, frame)[:4]}

    assert by_rater["R1"].effect == pytest.approx(-2, abs=0.1)
    assert by_rater["R1"].p_value < 0.01
    assert by_rater["R0"].p_value > 0.01


def test_a_pull_without_noise_is_found():
    frame = ratings(lambda quality, rater, _, before: quality + rater + 0.3 * before)

    everyone = found(find_anchoring, frame)[0]

    assert everyone.effect == pytest.approx(0.3, abs=0.05)
    assert everyone.unit == "points per point"


def test_a_drift_is_no_pull():
    rng = np.random.default_rng(2)
    frame = ratings(lambda quality, _, share, __: quality - 3 * share + 0.3 * rng.normal())

    assert found(find_anchoring, frame)[0].p_value > 0.05


def test_moods_that_change_between_sessions_are_no_pull():
    rng = np.random.default_rng(3)
    frame = ratings(lambda quality, *_: quality + 0.3 * rng.normal())
    session = (frame["position"] - 1) // 10
    mood = pd.Series(rng.normal(size=12))[frame["rater"].str[1].astype(int) * 4 + session]
    frame = frame.assign(session=session, rating=frame["rating"] + mood.to_numpy())

    assert found(find_anchoring, frame)[0].p_value > 0.05


def test_short_sessions_do_not_drift():
    frame = ratings(lambda quality, *_: quality)
    frame = frame.assign(session=(frame["position"] - 1) // 5)

    assert {one.reason for one in found(find_order, frame)} == {"too_few_ratings"}
