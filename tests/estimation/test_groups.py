from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError
from ocrjury.estimation import RatedSample, hajek_mean, means_by_group
from ocrjury.estimation.system_differences import compare_groups


def sample(seed=0, *, n=120, raters=6, severity_sd=0.3, noise=0.4):
    """Ratings of bills (true mean 4) and forms (true mean 2), which depend on x."""
    rng = np.random.default_rng(seed)
    form = np.arange(n) % 4 == 0
    x = rng.normal(size=n)
    truth = np.where(form, 2.0, 4.0) + 0.8 * x + 0.2 * rng.normal(size=n)
    severity = rng.normal(0, severity_sd, raters)
    rows = [
        (f"d{i}", f"R{r}", truth[i] + severity[r] + noise * rng.normal())
        for i in range(n)
        for r in rng.choice(raters, 2, replace=False)
    ]
    items = pd.DataFrame(
        {
            "doc_id": [f"d{i}" for i in range(n)],
            "inclusion_probability": np.where(form, 0.1, 0.02),
            "doc_type": np.where(form, "form", "bill"),
        }
    )
    return pd.DataFrame(rows, columns=["item", "rater", "rating"]), items, x


MEANS = {"form": [0.0], "bill": [0.0]}


def test_without_auxiliaries_and_rater_differences_it_is_the_hajek_mean_of_the_group():
    ratings, items, _ = sample(severity_sd=0.0, noise=0.0)
    means = ratings.groupby("item")["rating"].mean()[items["doc_id"]].to_numpy()

    found = means_by_group(ratings, items=items, group="doc_type", raters="these")

    for name, one in found.items():
        inside = (items["doc_type"] == name).to_numpy()
        alone = hajek_mean(means[inside], items["inclusion_probability"][inside])
        assert (one.value, one.se) == (pytest.approx(alone.value), pytest.approx(alone.se))
        assert one.n_items == inside.sum()
    assert list(found) == ["bill", "form"]


def test_a_group_alone_is_the_pool():
    ratings, items, _ = sample()
    everything = items.assign(doc_type="all")

    found = means_by_group(ratings, items=everything, group="doc_type")

    assert found["all"].n_ratings == len(ratings)
    assert found["all"].n_raters == 6


@pytest.mark.parametrize("auxiliary", [False, True])
def test_the_intervals_hold_the_truth_of_every_group(auxiliary):
    hits = {"form": [], "bill": []}
    for seed in range(70):
        ratings, items, x = sample(seed)
        how = {"auxiliary": x, "pool_means": MEANS} if auxiliary else {}
        found = means_by_group(ratings, items=items, group="doc_type", **how)
        for name, truth in (("form", 2.0), ("bill", 4.0)):
            hits[name].append(found[name].low <= truth <= found[name].high)

    assert np.mean(hits["form"]) >= 0.9
    assert np.mean(hits["bill"]) >= 0.9


def test_slopes_of_the_whole_sample_sharpen_small_groups():
    ratings, items, x = sample(severity_sd=0.0)

    plain = means_by_group(ratings, items=items, group="doc_type", raters="these")
    sharp = means_by_group(
        ratings, items=items, group="doc_type", raters="these", auxiliary=x, pool_means=MEANS
    )

    assert sharp["form"].se < 0.7 * plain["form"].se
    assert sharp["form"].method == "GREG of the group, these raters"


def halves(seed=0, *, n=120):
    """A rated sample whose items are in one of two halves, and the means of x over them."""
    ratings, items, x = sample(seed, n=n)
    half = np.where(np.arange(n) % 3 == 0, "first", "second")
    items = items.assign(half=half, page=[f"p{i // 3}" for i in range(n)])
    return RatedSample(ratings, items, x[:, None], [0.0]), {"first": [0.0], "second": [0.0]}


def test_groups_of_some_items_are_judged_by_all():
    rated, _ = halves()
    first = (rated.items["half"] == "first").to_numpy()
    crossed = replace(
        rated, items=rated.items.assign(both=rated.items["doc_type"] + rated.items["half"])
    )

    found = rated.means_by("doc_type", MEANS, of=first)
    expected = crossed.means_by("both", {name: [0.0] for name in crossed.items["both"]})

    assert list(found) == ["bill", "form"]
    for name, one in found.items():
        whole = expected[f"{name}first"]
        assert (one.value, one.n_ratings) == (whole.value, whole.n_ratings)


def test_a_share_of_a_group_is_that_of_ratings_that_reach_the_level():
    rated, means = halves()
    reached = replace(rated, ratings=rated.ratings.assign(rating=rated.ratings["rating"] >= 3.5))

    found, expected = rated.means_by("half", means, at_least=3.5), reached.means_by("half", means)

    assert [one.value for one in found.values()] == pytest.approx(
        [one.value for one in expected.values()], abs=0.01
    )
    assert all(0 < one.low < one.value < one.high < 1 for one in found.values())


def test_the_difference_of_two_groups_is_that_of_their_means_and_holds_the_truth():
    hits = []
    for seed in range(70):
        ratings, items, x = sample(seed)
        rated = RatedSample(ratings, items.assign(page=items["doc_id"]), x[:, None], [0.0])
        means = rated.means_by("doc_type", MEANS)

        found, _ = compare_groups(
            rated, MEANS, group="doc_type", unit="page", of=("bill", "form"), coordinated=False
        )

        assert found.value == pytest.approx(means["bill"].value - means["form"].value)
        assert found.n_items == 120
        assert found.n_ratings == len(ratings)
        hits.append(found.low <= 2.0 <= found.high)
    assert 0.9 <= np.mean(hits) < 1


def unevenly_rated(seed, *, second, n=150, raters=6, severity_sd=0.5):
    """Two groups with the same mean, whose raters are mostly others; some items have two ratings.

    ``second`` is the share of items with a second rating.
    """
    rng = np.random.default_rng(seed)
    half = np.where(np.arange(n) % 2 == 0, "first", "second")
    truth, severity = rng.normal(3, 0.5, n), rng.normal(0, severity_sd, raters)
    often = (np.arange(raters) < raters // 2) == (half == "first")[:, None]
    chances = np.where(often, 0.9, 0.1) / (raters / 2)
    rows = [
        (i, f"R{r}", truth[i] + severity[r] + 0.5 * rng.normal())
        for i in range(n)
        for r in rng.choice(raters, 1 + (rng.random() < second), replace=False, p=chances[i])
    ]
    items = pd.DataFrame({"item": range(n), "inclusion_probability": 0.05, "half": half})
    ratings = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    return RatedSample(ratings, items.assign(page=items["item"]), np.zeros((n, 0)), [])


@pytest.mark.parametrize("second", [0.0, 0.1])
def test_a_difference_of_groups_that_other_raters_judged_holds_the_truth(second):
    found = [
        compare_groups(
            unevenly_rated(seed, second=second),
            {"first": [], "second": []},
            group="half",
            unit="page",
            of=("first", "second"),
            coordinated=False,
        ).these
        for seed in range(100)
    ]

    assert np.mean([one.low <= 0 <= one.high for one in found]) >= 0.92
    errors = np.std([one.value for one in found])
    assert np.sqrt(np.mean([one.se**2 for one in found])) > 0.9 * errors


def test_pages_that_were_drawn_for_both_groups_shorten_the_interval():
    rated, means = halves()
    hard = rated.items["page"].str[1:].astype(int) % 2 * 3.0
    level = dict(zip(rated.items["doc_id"], hard, strict=True))
    ratings = rated.ratings.assign(
        rating=rated.ratings["rating"] + rated.ratings["item"].map(level)
    )
    pages = replace(rated, ratings=ratings, items=rated.items.assign(cluster=rated.items["page"]))

    apart, together = (
        compare_groups(
            pages, means, group="half", unit="page", of=("first", "second"), coordinated=coordinated
        ).these
        for coordinated in (False, True)
    )

    assert together.value == apart.value
    assert together.se < 0.8 * apart.se


def test_a_difference_counts_the_raters_of_its_two_groups_alone():
    ratings, items, x = sample(n=60)
    items.loc[:1, "doc_type"] = "note"
    of_notes = ratings["item"].isin(["d0", "d1"])
    named = ratings["rater"].where(~of_notes, "other " + ratings["rater"])
    items = items.assign(page=items["doc_id"])
    rated = RatedSample(ratings.assign(rater=named), items, x[:, None], [0.0])
    means = {**MEANS, "note": [0.0]}

    found, _ = compare_groups(
        rated, means, group="doc_type", unit="page", of=("bill", "form"), coordinated=False
    )

    assert found.n_raters == 6 < rated.data.n_raters
    assert found.n_ratings == (~of_notes).sum()


def test_a_group_without_a_rating_has_no_difference():
    rated, means = halves()
    first = rated.items.loc[rated.items["half"] == "first", "doc_id"]
    some = replace(rated, ratings=rated.ratings[rated.ratings["item"].isin(first)])
    none = replace(rated, ratings=rated.ratings[:0])

    for sample_ in (some, none):
        found = compare_groups(
            sample_, means, group="half", unit="page", of=("first", "second"), coordinated=False
        )
        assert [one.reason for one in found] == ["no_items"] * 2


def test_few_documents_of_a_group_are_warned_of():
    ratings, items, _ = sample(n=40)

    found = means_by_group(ratings, items=items, group="doc_type")

    assert found["form"].warnings[0].startswith("Too few items: 10 of this group")
    assert found["bill"].warnings == ()


def test_a_share_of_few_cases_is_warned_of():
    ratings, items, _ = sample()
    unusable = ratings.assign(rating=(ratings["rating"] < 0.5) * 1.0)

    found = means_by_group(unusable, items=items, group="doc_type")

    assert found["bill"].warnings[-1].startswith("Too few cases")
    assert 0 <= found["bill"].low <= found["bill"].high <= 1


def test_a_group_without_a_rating_has_no_mean():
    ratings, items, _ = sample(n=40)
    forms = items[items["doc_type"] == "form"]["doc_id"]

    found = means_by_group(ratings[~ratings["item"].isin(forms)], items=items, group="doc_type")

    assert found["form"].reason == "no_items"
    assert found["bill"].defined


def test_no_rating_at_all_leaves_every_group_undefined():
    ratings, items, _ = sample(n=40)

    found = means_by_group(ratings[:0], items=items, group="doc_type")

    assert {one.reason for one in found.values()} == {"no_items"}


def test_a_group_of_one_document_has_no_interval():
    ratings, items, _ = sample(n=40)
    items.loc[3, "doc_type"] = "alone"

    found = means_by_group(ratings, items=items, group="doc_type")

    assert found["alone"].reason == "fewer_than_two_items"


def test_a_missing_group_is_none():
    ratings, items, _ = sample(n=40)
    items["doc_type"] = items["doc_type"].where(items["doc_type"] == "form", None)

    assert list(means_by_group(ratings, items=items, group="doc_type")) == ["form", None]


def test_raters_without_common_items_are_compared_by_what_is_left():
    ratings, items, _ = sample(1, severity_sd=0.6)
    single = ratings.drop_duplicates("item")

    found = means_by_group(single, items=items, group="doc_type")

    assert (
        found["bill"].se
        > means_by_group(single, items=items, group="doc_type", raters="these")["bill"].se
    )


def test_one_rater_cannot_speak_for_others():
    ratings, items, _ = sample()
    one = ratings.drop_duplicates("item").assign(rater="R0")

    found = means_by_group(one, items=items, group="doc_type")

    assert found["bill"].reason == "fewer_than_two_raters"
    assert found["bill"].defined


def test_too_few_items_for_the_columns_fall_back_on_the_hajek_mean():
    ratings, items, _ = sample(n=8)
    wide = np.random.default_rng(1).normal(size=(8, 6))
    means = {"form": np.zeros(6), "bill": np.zeros(6)}

    found = means_by_group(ratings, items=items, group="doc_type", auxiliary=wide, pool_means=means)

    assert found["bill"].method == "Hajek of the group, other raters like these"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"group": "language"}, "items has no column 'language'"),
        ({"group": "doc_type", "pool_means": MEANS}, "give both or neither"),
        (
            {"group": "doc_type", "auxiliary": np.zeros(120), "pool_means": {"bill": [0.0]}},
            "'form' is absent",
        ),
        ({"group": "doc_type", "raters": "all"}, '"others" or "these"'),
    ],
)
def test_unusable_options_are_refused(options, message):
    ratings, items, _ = sample()

    with pytest.raises(InputError, match=message):
        means_by_group(ratings, items=items, **options)


def test_gold_corrects_the_level_of_every_group_alike():
    ratings, items, _ = sample(severity_sd=0.0, noise=0.1)
    known = pd.DataFrame({"item": [f"g{i}" for i in range(20)], "rating": 3.0})
    on_gold = pd.DataFrame(
        [(f"g{i}", f"R{r}", 3.5) for i in range(20) for r in range(6)],
        columns=["item", "rater", "rating"],
    )
    rated = pd.concat([ratings, on_gold])

    plain = means_by_group(ratings, items=items, group="doc_type")
    corrected = means_by_group(rated, items=items, group="doc_type", gold=known)

    for name, one in corrected.items():
        assert one.value == pytest.approx(plain[name].value - 0.5, abs=0.02)
        assert one.method.endswith("gold-corrected")
        assert one.n_ratings == plain[name].n_ratings


def test_gold_corrects_no_share_of_a_group_that_it_would_move_beyond_1():
    items = pd.DataFrame(
        {
            "doc_id": [f"d{k}" for k in range(80)],
            "inclusion_probability": 0.1,
            "doc_type": ["good"] * 40 + ["bad"] * 40,
        }
    )
    own = [
        (f"d{k}", f"R{(k + at) % 3}", float(k % 10 < (9 if k < 40 else 1)))
        for k in range(80)
        for at in (0, 1)
    ]
    # Raters miss a fifth of what is right, and 90 % less than that would be above 100 %.
    on_gold = [(f"g{k}", f"R{r}", float(k % 5 > 0)) for k in range(50) for r in range(3)]
    ratings = pd.DataFrame(own + on_gold, columns=["item", "rater", "rating"])
    gold = pd.DataFrame({"item": [f"g{k}" for k in range(50)], "rating": 1.0})

    found = means_by_group(ratings, items=items, group="doc_type", gold=gold)

    good, bad = found["good"], found["bad"]
    assert good.value == pytest.approx(0.9, abs=0.02)
    assert "gold-corrected" not in good.method
    assert any("above 100%, so gold was not used" in text for text in good.warnings)
    assert bad.value == pytest.approx(0.3, abs=0.02)
    assert bad.method.endswith("gold-corrected")
    assert not any("gold was not used" in text for text in bad.warnings)


def test_gold_lets_one_rater_speak_for_others():
    ratings, items, _ = sample(raters=2)
    alone = ratings[ratings["rater"] == "R0"]
    names = [f"g{k}" for k in range(10)]
    given = [3.2, 3.0, 3.4, 3.1, 3.3] * 2
    on_gold = pd.DataFrame({"item": names, "rater": "R0", "rating": given})
    known = pd.DataFrame({"item": names, "rating": 3.0})

    found = means_by_group(pd.concat([alone, on_gold]), items=items, group="doc_type", gold=known)

    assert all(one.low < one.value < one.high for one in found.values())


def test_a_group_of_which_all_are_rated_alike_has_no_range_but_where_all_were_drawn():
    ratings, items, _ = sample(n=60)
    form = set(items.loc[items["doc_type"] == "form", "doc_id"])
    fives = ratings.assign(rating=ratings["rating"].where(~ratings["item"].isin(form), 5.0))
    census = items.assign(inclusion_probability=1.0)

    some = means_by_group(fives, items=items, group="doc_type")
    everything = means_by_group(fives, items=census, group="doc_type")
    shares = means_by_group(
        fives.assign(rating=(fives["rating"] >= 5) * 1.0), items=items, group="doc_type"
    )

    assert (some["form"].reason, some["bill"].reason) == ("items_alike", None)
    assert np.isnan(some["form"].low)
    assert np.isfinite([everything["form"].low, some["bill"].low, shares["form"].low]).all()
