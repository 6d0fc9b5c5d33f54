"""Outputs of one page that were drawn together are one draw, not several."""

from functools import cache, partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.estimation import (
    compare_systems,
    greg_mean,
    hajek_mean,
    inferred_mean,
    means_by_group,
    pool_quantile,
    rated_mean,
    rated_share,
)
from ocrjury.estimation.hajek import hajek_fit
from ocrjury.sampling import draw_sample, outputs_of, page_frame

PAGES, RATERS = 300, 4
DRAWS = 40  # pages are alike until they have scores, so that draws can come again
POOL = pd.DataFrame(
    {
        "doc_id": [f"{number}-{system}" for number in range(PAGES) for system in "ab"],
        "page": np.repeat(np.arange(PAGES), 2),
    }
)
FRAME = page_frame(POOL, page="page")


def scores_of_pool(rng):
    """The scores of two outputs for each page, which go together."""
    page = np.repeat(rng.normal(0, 0.8, PAGES), 2)
    return 3 + page + np.tile([0, 0.3], PAGES) + rng.normal(0, 0.2, len(POOL))


@cache
def drawn(seed):
    """Both outputs of 40 pages, and where they stand in the pool."""
    pages = draw_sample(FRAME, n=40, stratum=None, risk=None, seed=seed)
    sample = outputs_of(pages, POOL, page="page")
    return sample, pd.Index(POOL["doc_id"]).get_indexer(sample["doc_id"])


def rated(score, sample, rng):
    names = sample["doc_id"].to_numpy()
    pairs = [
        pd.DataFrame(
            {"item": names, "rater": f"R{who}", "rating": score + rng.normal(0, 0.2, len(names))}
        )
        for who in rng.choice(RATERS, 2, replace=False)
    ]
    return pd.concat(pairs)


def simulate(estimate, *, runs=120):
    """How often an interval held the pool's mean, with clusters and without."""
    rng, held = np.random.default_rng(8), np.zeros(2)
    for run in range(runs):
        scores = scores_of_pool(rng)
        sample, places = drawn(run % DRAWS)
        ratings = rated(scores[places], sample, rng)
        for which, items in enumerate((sample.assign(cluster=sample["draw_number"]), sample)):
            found = estimate(ratings, items)
            held[which] += found.low <= scores.mean() <= found.high
    return held / runs


def test_the_interval_holds_the_mean_of_the_pool_only_with_clusters():
    together, each = simulate(
        lambda ratings, items: rated_mean(ratings, items=items, raters="these")
    )

    assert 0.91 <= together <= 0.99
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
    sample, places = drawn(1)
    ratings = rated(scores_of_pool(rng)[places], sample, rng)
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


LEVELS = np.arange(1.0, 6.0)


def labels_of(score):
    """Probabilities that leave little doubt about the nearest level."""
    nearest = np.clip(np.round(score), 1, 5).astype(int) - 1
    return np.full((len(nearest), 5), 0.005) + 0.975 * np.eye(5)[nearest]


def label_mean(score, pi, **options):
    return inferred_mean(labels_of(score), pi, levels=LEVELS, **options)


def bad_share(score, pi, **options):
    return greg_mean(
        (score < 3).astype(float), pi, auxiliary=np.ones((len(score), 1)), pool_mean=[1], **options
    )


OF_OUTCOMES = {
    "pool_quantile": (pool_quantile, lambda score: np.quantile(score, 0.5, method="inverted_cdf")),
    "lower quartile": (
        partial(pool_quantile, share=0.25),
        lambda score: np.quantile(score, 0.25, method="inverted_cdf"),
    ),
    "inferred_mean": (label_mean, lambda score: (labels_of(score) @ LEVELS).mean()),
    "greg_mean": (bad_share, lambda score: (score < 3).mean()),
    "hajek_mean": (hajek_mean, np.mean),
}
"""Estimators of outcomes, and what they estimate of a pool's scores."""


@pytest.mark.parametrize("name", OF_OUTCOMES)
def test_without_ratings_too_an_interval_holds_the_truth_only_with_clusters(name):
    estimate, truth_of = OF_OUTCOMES[name]
    rng, held = np.random.default_rng(9), np.zeros(2)
    for run in range(400):
        scores = scores_of_pool(rng)
        sample, places = drawn(run % DRAWS)
        truth, pi = truth_of(scores), sample["inclusion_probability"].to_numpy()
        for which, cluster in enumerate((sample["draw_number"].to_numpy(), None)):
            found = estimate(scores[places], pi, cluster=cluster)
            held[which] += found.low <= truth <= found.high
    together, each = held / 400

    # 400 samples: 95 % comes out between 92.8 and 97.2 % in 95 of 100
    assert 0.92 <= together <= 0.98
    assert each < 0.9


def test_systems_are_compared_over_what_was_drawn_together():
    rng, held = np.random.default_rng(10), np.zeros(2)
    for run in range(400):
        gain = np.repeat(rng.normal(0.2, 0.5, PAGES), 2) + rng.normal(0, 0.2, len(POOL))
        sample, places = drawn(run % DRAWS)
        better, pi = gain[places], sample["inclusion_probability"].to_numpy()
        for which, cluster in enumerate((sample["draw_number"].to_numpy(), None)):
            found = compare_systems(3 + better, np.full(80, 3.0), pi, cluster=cluster)
            held[which] += found.low <= gain.mean() <= found.high

    assert 0.92 <= held[0] / 400 <= 0.98
    assert held[1] / 400 < 0.9
    assert str(compare_systems(better, better / 2, pi, cluster=range(80))) == str(
        compare_systems(better, better / 2, pi)
    )


@st.composite
def clustered(draw):
    """Outcomes, probabilities and clusters of some documents."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=4, max_size=12))
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    n = len(cluster)
    y = draw(st.lists(st.sampled_from([1.0, 2.0, 2.5, 4.0, 5.0]), min_size=n, max_size=n))
    probabilities = draw(st.lists(st.floats(0.05, 0.9), min_size=len(sizes), max_size=len(sizes)))
    return np.array(y), np.array(probabilities)[cluster], cluster


@pytest.mark.parametrize("name", OF_OUTCOMES)
@given(case=clustered(), seed=st.integers(0, 99))
@example(
    case=(
        np.array([1.0, 2.0] * 4),
        np.repeat([0.5, 0.25, 0.4375, 0.5], 2),
        np.repeat(np.arange(4), 2),
    ),
    seed=0,
)  # every cluster is like the others, so that their variance is that of rounding
def test_how_clusters_are_named_and_ordered_does_not_matter(name, case, seed):
    estimate, _ = OF_OUTCOMES[name]
    y, pi, cluster = case
    order = np.random.default_rng(seed).permutation(len(y))
    names = np.array([f"page {number * 7 % 101}" for number in cluster])

    first = estimate(y, pi, cluster=cluster)
    second = estimate(y[order], pi[order], cluster=names[order])

    assert first.reason == second.reason
    for one in ("value", "low", "high"):
        assert getattr(first, one) == pytest.approx(getattr(second, one), nan_ok=True, abs=1e-9)


@pytest.mark.parametrize("name", OF_OUTCOMES)
@given(case=clustered())
def test_clusters_of_one_leave_an_estimate_as_it_is(name, case):
    estimate, _ = OF_OUTCOMES[name]
    y, pi, _ = case

    alone = estimate(y, pi)

    assert str(estimate(y, pi, cluster=range(len(y))[::-1])) == str(alone)


@given(case=clustered())
def test_clusters_of_one_have_the_variance_of_documents(case):
    y, pi, _ = case
    fit = hajek_fit(y, pi)

    each = fit.drawn_in(np.random.default_rng(1).permutation(len(y)))

    assert each.variance() == pytest.approx(fit.variance())
    assert (each.df, each.draws) == (fit.df, fit.draws)
    assert each.effective_n == pytest.approx(fit.effective_n)


@given(case=clustered())
def test_outputs_that_are_alike_say_no_more_than_one_of_them(case):
    y, pi, cluster = case
    first = np.unique(cluster, return_index=True)[1]
    twice = np.repeat(first, 2)

    one = hajek_mean(y[first], pi[first])
    two = hajek_mean(y[twice], pi[twice], cluster=np.repeat(first, 2))

    assert two.se == pytest.approx(one.se, nan_ok=True)
    if not np.isin(y, [0, 1]).all():
        assert two.low == pytest.approx(one.low, nan_ok=True)


@pytest.mark.parametrize("name", OF_OUTCOMES)
def test_one_cluster_shows_no_spread(name):
    found = OF_OUTCOMES[name][0](np.array([2.0, 4.0]), np.full(2, 0.5), cluster=["p", "p"])

    assert found.reason == "fewer_than_two_items"
    assert np.isfinite(found.value)
    assert np.isnan(found.low)


@pytest.mark.parametrize("cluster", [[1, 1], [1, None, 2]])
def test_every_document_needs_a_cluster(cluster):
    with pytest.raises(InputError, match="one name or number for each of the 3 documents"):
        hajek_mean([1.0, 2.0, 3.0], [0.5] * 3, cluster=cluster)


def test_pages_of_which_some_fields_are_all_known_hold_the_mean_of_the_pool():
    rng, held = np.random.default_rng(3), []
    for _ in range(200):
        of_page = rng.normal(size=300)
        amounts, dates = of_page + rng.normal(size=300), of_page + rng.normal(size=300)
        known = rng.random(300) < 0.25
        page = np.concatenate([np.arange(300), np.flatnonzero(known)])

        found = hajek_mean(
            np.concatenate([amounts, dates[known]]),
            np.concatenate([np.ones(300), np.full(known.sum(), known.mean())]),
            cluster=page,
        )

        held.append(found.low <= np.concatenate([amounts, dates]).mean() <= found.high)
    assert 0.9 <= np.mean(held) <= 0.99
