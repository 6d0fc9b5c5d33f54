import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, norm

from ocrjury import InputError
from ocrjury.estimation import preferred_shares


def items_of(n, pi=0.1):
    return pd.DataFrame({"item": range(n), "inclusion_probability": pi})


def said(*choices, rater="R1"):
    return pd.DataFrame({"item": range(len(choices)), "rater": rater, "preferred": choices})


def test_shares_sum_to_one_with_no_difference():
    found = preferred_shares(
        said(*["x"] * 30, *["y"] * 20, *[None] * 10), items=items_of(60), systems=["x", "y"]
    )

    assert found.shares["x"].value == pytest.approx(0.5)
    assert found.shares["y"].value == pytest.approx(1 / 3)
    assert found.same.value == pytest.approx(1 / 6)
    assert found.shares["x"].low < 0.5 < found.shares["x"].high
    assert (found.n_pages, found.n_raters, found.n_answers) == (60, 1, 60)
    # 20 of 50 pages or fewer, and 30 or more, under even odds
    assert found.p_value == pytest.approx(2 * binom.cdf(20, 50, 0.5))


def test_a_page_on_which_raters_differ_counts_in_parts():
    both = pd.concat([said("x", "x"), said("y", None, rater="R2")])
    found = preferred_shares(both, items=items_of(2), systems=["x", "y"])

    assert found.shares["x"].value == pytest.approx(0.5)
    assert found.shares["y"].value == pytest.approx(0.25)
    # one page is even, the other prefers x
    assert found.p_value == 1.0


def test_rare_pages_weigh_more():
    items = items_of(4).assign(inclusion_probability=[0.1, 0.1, 0.5, 0.5])
    found = preferred_shares(said("x", "x", "y", "y"), items=items, systems=["x", "y"])

    assert found.shares["x"].value == pytest.approx(20 / 24)


def test_pages_without_an_answer_are_stood_for_by_their_stratum():
    items = items_of(6).assign(stratum=list("aaabbb"))
    found = preferred_shares(said("x", None, None, "y"), items=items, systems=["x", "y"])

    assert found.shares["x"].value == pytest.approx(1 / 6)
    assert found.shares["y"].value == pytest.approx(1 / 2)


def test_a_pool_that_was_drawn_whole_still_has_an_interval():
    found = preferred_shares(
        said(*["x"] * 30, *["y"] * 30), items=items_of(60, 1.0), systems=["x", "y"]
    )

    assert found.shares["x"].high - found.shares["x"].low > 0.2


def test_three_systems_have_no_sign_test():
    found = preferred_shares(said("x", "y", "z"), items=items_of(3), systems=["x", "y", "z"])

    assert np.isnan(found.p_value)
    assert list(found.shares) == ["x", "y", "z"]


def test_without_any_difference_there_is_no_p_value():
    found = preferred_shares(said(None, None), items=items_of(2), systems=["x", "y"])

    assert np.isnan(found.p_value)
    assert found.same.value == 1


def test_nobody_answered():
    nobody = pd.DataFrame({"item": [], "rater": [], "preferred": []})
    found = preferred_shares(nobody, items=items_of(2), systems=["x", "y"])

    assert found.same.reason == "no_items"
    assert found.n_answers == 0


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (said("w"), "not among the systems"),
        (pd.concat([said("x"), said("y")]), "second one"),
        (said(*["x"] * 5), "were not drawn"),
        (pd.DataFrame({"item": [1]}), "no column 'rater'"),
    ],
)
def test_what_cannot_be_a_preference_is_refused(frame, why):
    with pytest.raises(InputError, match=why):
        preferred_shares(frame, items=items_of(4), systems=["x", "y"])


def test_intervals_hold_the_share_of_the_pool():
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(150):
        truth = rng.choice(["x", "y", None], 400, p=[0.45, 0.35, 0.2])
        pi = np.where(np.arange(400) % 2, 0.1, 0.3)
        drawn = np.flatnonzero(rng.random(400) < pi)
        items = pd.DataFrame({"item": drawn, "inclusion_probability": pi[drawn]})
        answers = pd.DataFrame({"item": drawn, "rater": "R", "preferred": truth[drawn]})
        found = preferred_shares(answers, items=items, systems=["x", "y"]).shares["x"]
        held += found.low <= (truth == "x").mean() <= found.high

    assert 0.91 < held / 150 <= 1.0


def asked(seed, *, taste, raters=4, pages=80):
    """Answers of raters who like one system more than others do; its share over all raters."""
    rng = np.random.default_rng(seed)
    likes, spread = taste * rng.normal(size=raters), np.sqrt(1 + 0.7**2 + taste**2)
    rows = []
    for page in range(pages):
        better = 0.3 + 0.7 * rng.normal()
        rows += [
            (page, r, "x" if better + likes[r] + rng.normal() > 0 else "y")
            for r in rng.choice(raters, 2, replace=False)
        ]
    return pd.DataFrame(rows, columns=["item", "rater", "preferred"]), norm.cdf(0.3 / spread)


@pytest.mark.parametrize("taste", [0.0, 0.6])
def test_the_range_for_other_raters_holds_what_they_would_prefer(taste):
    held = {"these": [], "others": []}
    for seed in range(100):
        answers, truth = asked(seed, taste=taste)
        for raters, hits in held.items():
            if raters == "these" and seed >= 40:
                continue  # its range holds the truth far too rarely, or not
            share = preferred_shares(
                answers, items=items_of(80), systems=["x", "y"], raters=raters
            ).shares["x"]
            hits.append(share.low <= truth <= share.high)

    assert np.mean(held["others"]) >= 0.92
    assert bool(np.mean(held["these"]) < 0.75) is (taste > 0)


def test_other_raters_move_no_share():
    answers, _ = asked(1, taste=0.6)
    these, others = (
        preferred_shares(answers, items=items_of(80), systems=["x", "y"], raters=raters)
        for raters in ("these", "others")
    )

    for name, share in these.shares.items():
        assert others.shares[name].value == share.value
        assert others.shares[name].se > share.se
    assert others.p_value == these.p_value


def test_one_rater_shows_nothing_of_what_others_prefer():
    found = preferred_shares(
        said("x", "y", "x"), items=items_of(3), systems=["x", "y"], raters="others"
    ).shares["x"]

    assert found.value == pytest.approx(2 / 3)
    assert (found.reason, np.isnan(found.low)) == ("fewer_than_two_raters", True)
