"""Raters who are strict in one group of documents alone, and ranges of the groups' means."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.estimation import means_by_group
from ocrjury.estimation.group_fits import fit_groups, known_groups
from ocrjury.estimation.rating_data import rating_data
from ocrjury.estimation.tastes import tastes_between

TRUE = 3.0


def judged(seed, *, raters, taste, documents=80, per_document=2, types=4, severity=0.1):
    """Documents of several types and their ratings; ``taste`` is the spread of tastes."""
    rng = np.random.default_rng([seed, raters, documents])
    shift = severity * rng.normal(size=(raters, 1)) + taste * rng.normal(size=(raters, types))
    names = np.arange(types * documents)
    who = rng.random((len(names), raters)).argsort(axis=1)[:, :per_document]
    level = rng.normal(TRUE, 0.8, (len(names), 1)) + shift[who, names[:, None] % types]
    rating = level + 0.5 * rng.normal(size=who.shape)
    items = pd.DataFrame({"item": names, "inclusion_probability": 1e-6, "kind": names % types})
    rows = {"item": names.repeat(per_document), "rater": who.ravel(), "rating": rating.ravel()}
    return pd.DataFrame(rows), items


def tastes_of(ratings, items):
    """Tastes in the types of documents."""
    data = rating_data(ratings, items, None)
    groups = known_groups(items["kind"], auxiliary=None, pool_means=None)
    return tastes_between(fit_groups(data, groups, additive=data.reliable).by_group.values())


@pytest.mark.parametrize(("raters", "taste"), [(3, 0.4), (6, 0.2), (6, 0.4), (6, 0.0)])
def test_the_range_of_a_type_holds_what_other_raters_would_say_of_it(raters, taste):
    held = []
    for seed in range(40):
        ratings, items = judged(seed, raters=raters, taste=taste)
        found = means_by_group(ratings, items=items, group="kind").values()
        held += [one.low <= TRUE <= one.high for one in found]

    assert np.mean(held) >= 0.93


@pytest.mark.parametrize("per_document", [1, 2, 3])
@pytest.mark.parametrize("taste", [0.0, 0.3])
def test_the_variance_of_tastes_is_found(taste, per_document):
    found = [
        tastes_of(*judged(seed, raters=8, taste=taste, per_document=per_document)).part
        for seed in range(60)
    ]

    assert np.mean([part.variance for part in found]) == pytest.approx(taste**2, abs=0.02)
    assert {part.df for part in found} == {7 * 3}


def test_a_complete_design_gives_the_interaction_of_the_analysis_of_variance():
    ratings, items = judged(5, raters=5, taste=0.5, per_document=5, documents=12)
    wide = ratings.pivot_table(index="item", columns="rater", values="rating")
    cells = wide.groupby(items["kind"]).mean().to_numpy()
    left = cells - cells.mean(0) - cells.mean(1)[:, None] + cells.mean()
    centred = wide.sub(wide.mean(axis=1), axis=0)
    within = centred - centred.groupby(items["kind"]).transform("mean")
    noise = (within.to_numpy() ** 2).sum() / (4 * 11 * 4) / 12
    measured = (left**2).sum() / (4 * 3)

    part = tastes_of(ratings, items).part

    assert part.measured == pytest.approx(measured)
    assert part.variance == pytest.approx(measured - noise)


def test_a_severity_over_many_types_holds_little_of_a_taste_and_over_one_all_of_it():
    ratings, items = judged(3, raters=4, taste=0.3)
    specialist = ratings["rater"].eq(3) & ratings["item"].mod(4).ne(0)

    counted = tastes_of(ratings[~specialist], items).counted

    assert counted[3] == 1
    assert counted[:3] == pytest.approx(0.25, abs=0.02)


def test_nothing_shows_the_tastes_of_raters_who_share_no_type():
    ratings, items = judged(1, raters=8, taste=0.3)
    apart = ratings[ratings["rater"] // 2 == ratings["item"] % 4]

    assert tastes_of(apart, items) is None


def test_nor_does_a_type_alone_whose_range_is_that_of_the_pool():
    ratings, items = judged(1, raters=4, taste=0.3)

    assert tastes_of(ratings, items.assign(kind=0)) is None


@given(st.integers(0, 1000), st.floats(-5, 5), st.sampled_from([2, 3, 5]))
def test_shifts_of_raters_and_of_types_are_no_tastes(seed, by, raters):
    ratings, items = judged(seed, raters=raters, taste=0.2, documents=6, types=3)
    shifted = ratings.assign(
        rating=ratings["rating"] + by * ratings["rater"] - by * (ratings["item"] % 3)
    )

    before, after = tastes_of(ratings, items).part, tastes_of(shifted, items).part

    assert after.measured == pytest.approx(before.measured, abs=1e-8)
    assert after.variance == pytest.approx(before.variance, abs=1e-8)
