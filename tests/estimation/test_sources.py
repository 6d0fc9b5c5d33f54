from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.estimation import hajek_mean, mean_sources, rated_mean, rated_share
from tests.estimation.test_headline import evaluation


def test_a_careless_rater_counts_less_for_others_and_alike_among_these():
    ratings, items, _, _ = evaluation(3, careless=(5,), noise=0.2)

    others = rated_mean(ratings, items=items, raters="others")
    these = rated_mean(ratings, items=items, raters="these")
    parts = {part.rater: part for part in mean_sources(ratings, items=items).raters}

    assert parts["R5"].weight < 0.2
    assert parts["R0"].weight == 1
    assert parts["R5"].share < 0.05
    assert parts["R0"].share > 0.15
    assert others.value != pytest.approx(these.value, abs=1e-3)
    assert not these.warnings
    assert others.warnings[0].startswith("Ratings of R5 scatter far more")


def test_these_raters_at_equal_weight_are_the_mean_of_raters_on_a_complete_table():
    rng = np.random.default_rng(7)
    truth = rng.normal(3, 1, 40)
    rows = [
        (i, r, truth[i] + rng.normal(0, 2.0 if r == 3 else 0.2))
        for i in range(40)
        for r in range(4)
    ]
    ratings = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    items = pd.DataFrame({"item": range(40), "inclusion_probability": rng.uniform(0.1, 0.9, 40)})

    these = rated_mean(ratings, items=items, raters="these")

    plain = ratings.groupby("item")["rating"].mean().to_numpy()
    assert these.value == pytest.approx(hajek_mean(plain, items["inclusion_probability"]).value)
    share = rated_share(ratings, items=items, at_least=3, raters="these")
    reached = (ratings["rating"] >= 3).groupby(ratings["item"]).mean().to_numpy()
    assert share.value == pytest.approx(hajek_mean(reached, items["inclusion_probability"]).value)


@given(seed=st.integers(0, 30), share=st.sampled_from([0.05, 0.5]), careless=st.booleans())
def test_the_sources_add_up_to_the_interval(seed, share, careless):
    ratings, items, x, _ = evaluation(seed, n=60, share=share, careless=(2,) if careless else ())
    how = {"items": items, "auxiliary": x, "pool_mean": [0.1]}

    sources, mean = mean_sources(ratings, **how), rated_mean(ratings, **how)

    assert 2 * sources.half_length() == pytest.approx(mean.high - mean.low)
    assert sum(sources.shares.values()) == pytest.approx(1)
    assert sum(part.share for part in sources.raters) == pytest.approx(1)
    assert sum(part.n_ratings for part in sources.raters) == mean.n_ratings
    assert 1 <= sources.effective_raters <= 6 + 1e-9
    assert sources.half_length(raters=2) <= sources.half_length()


def test_gold_stands_in_place_of_the_raters():
    ratings, items, _, _ = evaluation(4)
    truth = ratings.groupby("item")["rating"].mean().iloc[:20]
    gold = pd.DataFrame({"item": truth.index, "rating": truth.to_numpy()})

    sources = mean_sources(ratings, items=items, gold=gold)

    assert set(sources.parts) == {"documents", "ratings", "gold"}
    assert sources.half_length(raters=2) == sources.half_length()


def test_a_census_leaves_no_error_of_the_draw():
    ratings, items, _, _ = evaluation(5, share=0.5)
    sources = mean_sources(ratings, items=items)

    twice = sources.half_length(items=2)

    assert twice < sources.half_length()
    assert sources.half_length(items=50) == twice  # the pool holds twice as many and no more


def test_a_census_leaves_the_noise_of_its_ratings():
    def of_these_raters(**design):
        for seed in range(20):
            ratings, items, _, _ = evaluation(seed, **design)
            sources = mean_sources(ratings, items=items)
            parts = {name: sources.parts[name] for name in ("documents", "ratings")}
            yield replace(sources, parts=parts)

    promised = [half.half_length(items=2) ** 2 for half in of_these_raters(n=120, share=0.5)]
    census = [whole.half_length() ** 2 for whole in of_these_raters(n=240, share=1.0)]

    assert np.mean(promised) == pytest.approx(np.mean(census), rel=0.1)


@pytest.mark.parametrize(("more", "size"), [("items", {"n": 480}), ("raters", {"raters": 12})])
def test_what_more_would_buy_is_what_more_gives(more, size):
    # raters=12 with as many ratings as six gave; shares of 1 in 1,000, so no pool is exhausted
    before, after = [], []
    for seed in range(30):
        ratings, items, _, _ = evaluation(seed, n=240, share=0.001)
        before.append(mean_sources(ratings, items=items).half_length(**{more: 2}) ** 2)
        ratings, items, _, _ = evaluation(seed + 100, **{"n": 240, "share": 0.001} | size)
        after.append(mean_sources(ratings, items=items).half_length() ** 2)

    assert np.mean(before) == pytest.approx(np.mean(after), rel=0.15)


def test_a_level_gives_the_sources_of_the_share():
    ratings, items, x, _ = evaluation(6, careless=(1,))
    how = {"items": items, "auxiliary": x, "pool_mean": [0.0]}

    sources, share = (
        mean_sources(ratings, at_least=3, **how),
        rated_share(ratings, at_least=3, **how),
    )

    variance = sum(part.variance for part in sources.parts.values())
    assert variance == pytest.approx(share.se**2)
    assert min(part.weight for part in sources.raters) < 0.9


def test_ratings_of_other_items_only_have_no_sources():
    ratings, items, _, _ = evaluation(n=10)

    with pytest.raises(InputError, match="needs ratings of the items; found none"):
        mean_sources(ratings.iloc[:0], items=items)
