"""A difference of two systems for these raters, and for others with tastes of their own."""

import math

import numpy as np
import pandas as pd
import pytest

from ocrjury.estimation import RatedSample
from ocrjury.estimation.system_differences import compare_groups, compare_pairs

TRUE = 0.3


def judged(seed, *, raters, taste, pages=60, per_page=2, apart=False):
    """Ratings of two systems on pages by raters who mind the errors of one of them more.

    ``taste`` is the spread of how many points more; ``apart``: other raters judge the other output.
    """
    rng = np.random.default_rng([seed, raters, pages])
    severity, mind = 0.4 * rng.normal(size=raters), taste * rng.normal(size=raters)
    level, better = rng.normal(3, 0.8, pages), TRUE + 0.4 * rng.normal(size=pages)
    first, other = rng.random((2, pages, raters)).argsort(axis=2)[:, :, :per_page]
    who = np.stack([first, other if apart else first], axis=1).ravel()
    page, system = np.repeat(np.arange(pages), 2 * per_page), np.tile([0, 1], pages)
    system = system.repeat(per_page)
    rating = level[page] + (0.5 - system) * (better[page] + mind[who]) + severity[who]
    rating += 0.4 * rng.normal(size=len(who))
    return pd.DataFrame({"page": page, "system": system, "rater": who, "rating": rating})


def by_page(ratings):
    """Differences on the same pages by the same raters."""
    first, other = (ratings[ratings["system"] == system] for system in (0, 1))
    assert first["rater"].tolist() == other["rater"].tolist()
    less = first["rating"].to_numpy() - other["rating"].to_numpy()
    found = pd.DataFrame({"item": first["page"], "rater": first["rater"], "rating": less})
    items = pd.DataFrame({"item": ratings["page"].unique(), "inclusion_probability": 0.05})
    return compare_pairs(RatedSample(found, items))


def by_mean(ratings):
    """Difference of the means of two systems, whose outputs were drawn together."""
    item = ratings["page"].astype(str) + "/" + ratings["system"].astype(str)
    ratings = ratings.assign(item=item)
    items = ratings.drop_duplicates("item", ignore_index=True)[["item", "page", "system"]]
    items = items.assign(inclusion_probability=0.05, cluster=items["page"])
    sample = RatedSample(ratings, items, np.zeros((len(items), 0)), [])
    return compare_groups(
        sample, {0: [], 1: []}, group="system", unit="page", of=(0, 1), coordinated=True
    )


def held(found):
    """Share of the ranges that hold the true difference: for these raters, for others."""
    return np.mean([[one.low <= TRUE <= one.high for one in both] for both in found], axis=0)


@pytest.mark.parametrize(("raters", "taste"), [(3, 0.3), (4, 0.2), (6, 0.4)])
def test_the_range_for_other_raters_holds_what_others_would_find(raters, taste):
    these, others = held([by_page(judged(seed, raters=raters, taste=taste)) for seed in range(120)])

    assert others >= 0.92
    assert these < 0.85  # it is about these raters


@pytest.mark.parametrize("per_page", [1, 2])
def test_so_does_that_of_outputs_which_other_raters_judged(per_page):
    samples = (
        judged(seed, raters=4, taste=0.4, apart=True, per_page=per_page) for seed in range(100)
    )
    these, others = held([by_mean(sample) for sample in samples])

    assert others >= 0.92
    assert these < others - 0.1


def test_raters_of_one_taste_lengthen_the_range_by_little():
    found = [by_page(judged(seed, raters=6, taste=0.0)) for seed in range(60)]

    these, others = np.mean([[one.high - one.low for one in both] for both in found], axis=0)
    assert 1 < others / these < 1.6


def test_both_are_about_one_difference_and_say_of_whom():
    for these, others in (
        by_page(judged(1, raters=4, taste=0.4)),
        by_mean(judged(1, raters=4, taste=0.4, apart=True)),
    ):
        assert these.value == others.value
        assert these.method.endswith(", these raters")
        assert others.method.endswith(", other raters like these")
        assert others.se > these.se


@pytest.mark.parametrize("apart", [False, True])
def test_severity_is_no_taste(apart):
    ratings = judged(2, raters=4, taste=0.2, apart=apart)
    harsh = ratings.assign(rating=ratings["rating"] - 2.0 * (ratings["rater"] == 0))

    for found in (by_mean,) if apart else (by_mean, by_page):
        assert found(harsh).others.se == pytest.approx(found(ratings).others.se)


def test_differences_of_zero_and_one_are_no_share():
    items = pd.DataFrame({"item": range(40), "inclusion_probability": 0.1})
    rows = [(page, rater, float(page == 0)) for page in range(40) for rater in "xyz"]
    found = compare_pairs(
        RatedSample(pd.DataFrame(rows, columns=["item", "rater", "rating"]), items)
    )

    assert found.these.value == pytest.approx(1 / 40)
    assert found.these.low < 0


def test_a_mean_of_differences_of_zero_and_one_goes_below_zero():
    items = pd.DataFrame({"item": range(40), "inclusion_probability": 0.1})
    rows = [(page, rater, float(page == 0)) for page in range(40) for rater in "xyz"]
    ratings = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    gold = pd.DataFrame({"item": range(20), "rating": 1.0})

    plain, known = (
        RatedSample(ratings, items, gold=of, differences=True).mean() for of in (None, gold)
    )

    assert plain.low < 0 < plain.value == pytest.approx(1 / 40)
    assert known.value == pytest.approx(1.0, abs=0.1)
    assert RatedSample(ratings, items).mean().low >= 0


def test_one_rater_shows_nothing_of_others():
    one = judged(3, raters=2, taste=0.2)
    one = one[one["rater"] == 0]

    for these, others in (by_page(one), by_mean(one)):
        assert these.low < these.value < these.high
        assert (others.reason, math.isnan(others.low)) == ("fewer_than_two_raters", True)
        assert others.value == these.value


def test_without_ratings_there_is_no_difference():
    empty = pd.DataFrame(columns=["item", "rater", "rating"])
    items = pd.DataFrame({"item": [1, 2], "inclusion_probability": 0.1})

    assert [pair.reason for pair in compare_pairs(RatedSample(empty, items))] == ["no_items"] * 2
