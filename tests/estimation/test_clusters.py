"""Outputs of one page that were drawn together are one draw, not several."""

import numpy as np
import pandas as pd
import pytest

from ocrjury.estimation import means_by_group, rated_mean, rated_share
from ocrjury.sampling import draw_sample, outputs_of, page_frame

PAGES, RATERS = 300, 4


def world(rng):
    """Return a pool of two outputs for each page, whose scores go together."""
    page = rng.normal(0, 0.8, PAGES)
    rows = [
        {"doc_id": f"{number}-{system}", "page": number, "score": 3 + page[number] + 0.3 * better}
        for number in range(PAGES)
        for better, system in enumerate("ab")
    ]
    pool = pd.DataFrame(rows)
    pool["score"] += rng.normal(0, 0.2, len(pool))
    return pool


def rated(pool, sample, rng):
    names = sample["doc_id"].to_numpy()
    score = pool.set_index("doc_id")["score"].loc[names].to_numpy()
    pairs = [
        pd.DataFrame(
            {"item": names, "rater": f"R{who}", "rating": score + rng.normal(0, 0.2, len(names))}
        )
        for who in rng.choice(RATERS, 2, replace=False)
    ]
    return pd.concat(pairs)


def simulate(estimate, *, runs=200):
    """Return how often an interval held the pool's mean, with clusters and without."""
    rng, held = np.random.default_rng(8), np.zeros(2)
    for run in range(runs):
        pool = world(rng)
        frame = page_frame(pool, page="page")
        drawn = draw_sample(frame, n=40, stratum=None, risk=None, seed=run)
        sample = outputs_of(drawn, pool, page="page")
        ratings = rated(pool, sample, rng)
        truth = pool["score"].mean()
        for which, items in enumerate((sample.assign(cluster=sample["draw_number"]), sample)):
            found = estimate(ratings, items)
            held[which] += found.low <= truth <= found.high
    return held / runs


def test_the_interval_holds_the_mean_of_the_pool_only_with_clusters():
    together, each = simulate(
        lambda ratings, items: rated_mean(ratings, items=items, raters="these")
    )

    assert 0.92 <= together <= 0.99
    assert each < 0.88


def test_so_do_the_means_of_groups():
    together, each = simulate(
        lambda ratings, items: means_by_group(
            ratings, items=items.assign(group="all"), group="group", raters="these"
        )["all"],
        runs=100,
    )

    assert together > 0.9 > each


def test_the_value_is_the_same():
    rng = np.random.default_rng(1)
    pool = world(rng)
    drawn = draw_sample(page_frame(pool, page="page"), n=40, stratum=None, risk=None, seed=1)
    sample = outputs_of(drawn, pool, page="page")
    ratings = rated(pool, sample, rng)
    clustered = sample.assign(cluster=sample["draw_number"])

    first = rated_mean(ratings, items=sample)
    second = rated_mean(ratings, items=clustered)
    assert second.value == pytest.approx(first.value)
    assert second.se > first.se
    share = [
        rated_share(ratings.assign(rating=ratings["rating"] > 3), items=items, at_least=1)
        for items in (sample, clustered)
    ]
    assert share[1].high - share[1].low > share[0].high - share[0].low


def test_clusters_of_one_change_nothing():
    items = pd.DataFrame({"item": list("abcd"), "inclusion_probability": 0.1, "cluster": range(4)})
    ratings = pd.DataFrame(
        {"item": list("aabbccdd"), "rater": ["x", "y"] * 4, "rating": [5, 4, 3, 3, 1, 2, 5, 4]}
    )

    assert rated_mean(ratings, items=items) == rated_mean(
        ratings, items=items.drop(columns="cluster")
    )
