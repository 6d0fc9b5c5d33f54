"""How far a group lies from the pool: what raters have in common cancels, their tastes do not."""

import numpy as np
import pandas as pd
import pytest

from ocrjury.estimation import RatedSample
from ocrjury.estimation.group_contrasts import less_the_pool

MEANS = np.array([2.6, 3.0, 3.0, 3.4])
NO_AUXILIARY = {kind: [] for kind in range(4)}


def judged(seed, *, raters=3, severity=0.6, taste=0.0, documents=40, pages=1):
    """Documents of four types whose means are known, rated by raters who differ widely."""
    rng = np.random.default_rng([seed, raters])
    shift = severity * rng.normal(size=(raters, 1)) + taste * rng.normal(size=(raters, 4))
    kind = np.arange(4 * documents) % 4
    on_page = 0.5 * rng.normal(size=len(kind))[np.arange(len(kind)) // pages]
    level = rng.normal(MEANS[kind], 0.6) + (on_page if pages > 1 else 0)
    rows = [
        (document, r, level[document] + shift[r, kind[document]] + 0.4 * rng.normal())
        for document in range(len(kind))
        for r in rng.choice(raters, min(2, raters), replace=False)
    ]
    items = pd.DataFrame({"item": range(len(kind)), "inclusion_probability": 1e-6, "kind": kind})
    if pages > 1:
        items["cluster"] = items["item"] // pages
    ratings = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    return RatedSample(ratings, items, np.zeros((len(items), 0)), [])


def apart(sample):
    return less_the_pool(sample, NO_AUXILIARY, group="kind")


@pytest.mark.parametrize("pages", [1, 4])
@pytest.mark.parametrize(("raters", "taste"), [(2, 0.0), (3, 0.2), (6, 0.3)])
def test_the_range_holds_how_far_a_type_lies_from_all(raters, taste, pages):
    held = []
    for seed in range(30):
        found = apart(judged(seed, raters=raters, taste=taste, pages=pages))
        held += [one.low <= MEANS[name] - 3 <= one.high for name, one in found.items()]

    # of 120 ranges at 95 %, 107 or more hold in 99 of 100 tries
    assert sum(held) >= 107


def test_the_difference_is_that_of_the_means_and_its_range_half_as_long_as_theirs():
    sample = judged(4)
    means = sample.means_by("kind", NO_AUXILIARY)

    for name, difference in apart(sample).items():
        assert difference.value == pytest.approx(means[name].value - sample.mean().value)
        own = means[name].high - means[name].low
        assert difference.high - difference.low < 0.5 * own


def test_it_rests_on_the_ratings_of_all_types_each_once():
    sample = judged(4)

    for difference in apart(sample).values():
        assert difference.n_ratings == len(sample.ratings)
        assert difference.method == "GREG, less the pool, other raters like these"


def test_a_severity_that_all_types_share_changes_nothing():
    sample = judged(2)
    stricter = sample.ratings.assign(rating=sample.ratings["rating"] - 3 * sample.ratings["rater"])

    before, after = (
        apart(sample),
        apart(RatedSample(stricter, sample.items, *_no_auxiliary(sample))),
    )

    for name, difference in before.items():
        assert after[name].value == pytest.approx(difference.value)


def _no_auxiliary(sample):
    return np.zeros((len(sample.items), 0)), []


def test_one_rater_does_not_show_who_minds_what():
    found = apart(judged(1, raters=1))

    assert {one.reason for one in found.values()} == {"fewer_than_two_raters"}
    assert all(np.isfinite(one.value) for one in found.values())


def test_without_ratings_there_is_nothing():
    sample = judged(1)

    assert apart(RatedSample(sample.ratings[:0], sample.items, *_no_auxiliary(sample))) == {}
