import numpy as np
import pandas as pd
import pytest

from ocrjury.estimation import RatedSample, rated_mean, rated_share


def exported(count=12):
    """A file of two raters' ratings, as it is where the constant is the only auxiliary."""
    rng = np.random.default_rng(5)
    rows = [
        {"item": f"d{number}", "rater": rater, "rating": int(rng.integers(1, 6))}
        for number in range(count)
        for rater in ("R01", "R02")
    ]
    return pd.DataFrame(rows).assign(
        dimension="meaning",
        kind="main",
        counts=1,
        inclusion_probability=lambda frame: 0.2 + frame["item"].str[1:].astype(int) / 20,
        stratum="bill",
        cluster=lambda frame: frame["item"].str[1:].astype(int),
        known=np.nan,
    )


def test_a_file_without_auxiliaries_gives_the_mean_with_the_constant_alone():
    ratings = exported()
    columns = ["item", "inclusion_probability", "stratum", "cluster"]
    items = ratings.drop_duplicates("item")[columns]
    given = {
        "items": items,
        "auxiliary": np.ones((len(items), 1)),
        "pool_mean": np.ones(1),
    }
    plain = ratings[["item", "rater", "rating"]].astype({"rating": float})

    sample = RatedSample.from_export(ratings, "meaning")

    for found, expected in (
        (sample.mean(), rated_mean(plain, **given)),
        (sample.share(at_least=4), rated_share(plain, at_least=4, **given)),
    ):
        assert found.method == expected.method
        for name in ("value", "low", "high", "se"):
            assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-12)


def test_a_share_without_an_interval_lies_between_0_and_1_too():
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    items = pd.DataFrame(
        {"item": range(40), "inclusion_probability": 0.05, "part": ["a"] * 39 + ["b"]}
    )
    rated = pd.DataFrame({"item": range(40), "rater": "R", "rating": np.where(x > -1.2, 4, 1)})
    means = {"a": [1.5], "b": [1.5]}

    alone = RatedSample(rated, items, x[:, None], [1.5])
    two = RatedSample(pd.concat([rated, rated.assign(rater="S")]), items, x[:, None], [1.5])
    usable, unusable = alone.share(at_least=4), alone.share(at_most=1)
    of_one = two.means_by("part", means, at_least=4)["b"]

    assert (usable.value, usable.reason) == (1, "fewer_than_two_raters")
    assert (unusable.value, unusable.reason) == (0, "fewer_than_two_raters")
    assert (of_one.value, of_one.reason) == (1, "fewer_than_two_items")
