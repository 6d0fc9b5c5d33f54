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
