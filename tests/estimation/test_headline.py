import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from ocrjury import InputError
from ocrjury.estimation import greg_mean, hajek_mean, mean_sources, rated_mean, rated_share


def evaluation(
    seed=0, *, n=120, raters=6, per_item=2, severity_sd=0.3, noise=0.4, share=0.1, careless=()
):
    """Ratings on an endless scale of documents whose true mean in the pool is 3."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    truth = 3 + 0.8 * x + 0.3 * rng.normal(size=n)
    severity = rng.normal(0, severity_sd, raters)
    subsets = list(itertools.combinations(range(raters), per_item))
    order = np.concatenate([rng.permutation(len(subsets)) for _ in range(n // len(subsets) + 1)])
    rows = []
    for place in range(n):
        for rater in subsets[order[place]]:
            value = truth[place] + severity[rater] + noise * rng.normal()
            if rater in careless:
                value = rng.uniform(1, 5)
            rows.append((f"d{place}", f"R{rater}", value))
    items = pd.DataFrame({"doc_id": [f"d{i}" for i in range(n)], "inclusion_probability": share})
    return pd.DataFrame(rows, columns=["item", "rater", "rating"]), items, x, severity


def covered(estimate, target):
    return estimate.low <= target <= estimate.high


def test_without_rater_differences_it_is_the_mean_of_item_means():
    ratings, items, x, _ = evaluation(severity_sd=0.0, noise=0.0)
    means = ratings.groupby("item")["rating"].mean()[items["doc_id"]].to_numpy()
    pi = items["inclusion_probability"]

    hajek = rated_mean(ratings, items=items, raters="these")
    greg = rated_mean(ratings, items=items, auxiliary=x, pool_mean=[0.0], raters="these")

    assert hajek.value == pytest.approx(hajek_mean(means, pi).value)
    assert hajek.se == pytest.approx(hajek_mean(means, pi).se)
    assert greg.value == pytest.approx(greg_mean(means, pi, auxiliary=x, pool_mean=[0.0]).value)
    assert (greg.n_items, greg.n_raters, greg.n_ratings) == (120, 6, 240)
    assert greg.method == "GREG, these raters"


def test_who_rated_what_does_not_move_the_mean():
    ratings, items, _, _ = evaluation(severity_sd=0.0, noise=0.0, n=60)
    shift = {"R0": -1.0, "R1": 0.5, "R2": 0.0, "R3": 0.0, "R4": 0.25, "R5": 0.25}
    # take away most ratings of the strictest rater, so that loads are unequal
    fewer = ratings.drop(ratings.index[ratings["rater"] == "R0"][5:])
    strict = fewer.assign(rating=fewer["rating"] + fewer["rater"].map(shift))

    before, after = (rated_mean(each, items=items, raters="these") for each in (fewer, strict))

    assert after.value == pytest.approx(before.value)


def test_the_interval_for_other_raters_is_wider():
    ratings, items, x, _ = evaluation(1)
    how = {"items": items, "auxiliary": x, "pool_mean": [0.0]}

    others, these = (rated_mean(ratings, raters=whose, **how) for whose in ("others", "these"))

    assert others.value == these.value
    assert others.se > 1.5 * these.se
    assert others.method == "GREG, other raters like these"


def test_the_rater_component_is_the_variance_over_the_raters():
    ratings, items, x, severity = evaluation(2, n=600, noise=0.1)
    how = {"items": items, "auxiliary": x, "pool_mean": [0.0]}

    others, these = (rated_mean(ratings, raters=whose, **how) for whose in ("others", "these"))

    assert others.se**2 - these.se**2 == pytest.approx(severity.var(ddof=1) / 6, rel=0.1)


@pytest.mark.parametrize(
    ("options", "least"),
    [({}, 0.89), ({"per_item": 1}, 0.87), ({"raters": 3}, 0.87), ({"share": 0.6}, 0.89)],
)
def test_the_interval_for_other_raters_holds_the_truth(options, least):
    # 80 evaluations, so that 95 % comes out between 91 and 99 % nine times in ten
    hits = []
    for seed in range(80):
        ratings, items, x, _ = evaluation(seed, n=80, **options)
        hits.append(covered(rated_mean(ratings, items=items, auxiliary=x, pool_mean=[0.0]), 3.0))

    assert np.mean(hits) >= least


def sparse(seed, *, n=300, twice=77, raters=6, severity_sd=0.1):
    """Ratings of a whole pool, of which as many items are rated twice as plans ask for."""
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(list(itertools.combinations(range(raters), 2)))
    rater = np.concatenate([np.resize(pairs, (twice, 2)).ravel(), np.arange(n - twice) % raters])
    item = np.concatenate([np.repeat(np.arange(twice), 2), np.arange(twice, n)])
    truth, severity = rng.normal(3, 1, n), rng.normal(0, severity_sd, raters)
    value = truth[item] + severity[rater] + rng.normal(0, 0.5, len(item))
    ratings = pd.DataFrame({"item": item, "rater": rater, "rating": value})
    items = pd.DataFrame({"item": range(n), "inclusion_probability": 1.0})
    return ratings, items, truth.mean()


def test_severities_that_are_mostly_noise_do_not_shorten_the_interval_for_other_raters():
    # 95 % comes out at .94 of many; with the noise taken off as if it were known, at .88
    hits = []
    for seed in range(400):
        ratings, items, truth = sparse(seed)
        hits.append(covered(rated_mean(ratings, items=items), truth))

    assert np.mean(hits) >= 0.91


def test_the_interval_for_these_raters_holds_their_own_mean():
    hits, as_if_true = [], []
    for seed in range(150):
        ratings, items, x, severity = evaluation(seed, n=80)
        estimate = rated_mean(ratings, items=items, auxiliary=x, pool_mean=[0.0], raters="these")
        hits.append(covered(estimate, 3.0 + severity.mean()))
        as_if_true.append(covered(estimate, 3.0))

    assert np.mean(hits) >= 0.9
    assert np.mean(as_if_true) < 0.6


def test_gold_takes_the_raters_own_level_away():
    hits, widths = [], []
    for seed in range(80):
        ratings, items, x, severity = evaluation(seed, n=80)
        rng = np.random.default_rng(5000 + seed)
        gold = pd.DataFrame({"item": [f"g{k}" for k in range(20)], "rating": rng.normal(3, 1, 20)})
        rated = pd.DataFrame(
            [
                (item, f"R{r}", value + severity[r] + 0.4 * rng.normal())
                for item, value in gold.itertuples(index=False)
                for r in range(6)
            ],
            columns=["item", "rater", "rating"],
        )
        how = {"items": items, "auxiliary": x, "pool_mean": [0.0]}
        with_gold = rated_mean(pd.concat([ratings, rated]), gold=gold, **how)
        hits.append(covered(with_gold, 3.0))
        without = rated_mean(ratings, **how)
        widths.append((with_gold.high - with_gold.low) / (without.high - without.low))

    assert np.mean(hits) >= 0.9
    assert np.mean(widths) < 0.6
    assert with_gold.method == "GREG, other raters like these, gold-corrected"


def test_a_careless_rater_counts_less_and_is_named():
    ratings, items, x, _ = evaluation(4, n=200, severity_sd=0.1, careless=(5,))

    estimate = rated_mean(ratings, items=items, auxiliary=x, pool_mean=[0.0])

    assert [text for text in estimate.warnings if text.startswith("Ratings of R5 scatter far more")]
    assert not [text for text in estimate.warnings if "R4" in text]


def test_items_without_a_rating_are_stood_for_by_their_stratum():
    items = pd.DataFrame(
        {
            "doc_id": list("abcdef"),
            "inclusion_probability": 0.1,
            "stratum": ["bill"] * 3 + ["form"] * 3,
        }
    )
    ratings = pd.DataFrame(
        [(i, r, v) for i, v in zip("abd", (5, 4, 1), strict=True) for r in "xy"],
        columns=["item", "rater", "rating"],
    )

    estimate = rated_mean(ratings, items=items, raters="these")

    # half bills (4.5), half forms (1), although two bills and one form were rated
    assert estimate.value == pytest.approx((4.5 + 1) / 2)
    assert estimate.n_items == 3
    assert estimate.warnings[0].startswith("3 of 6 items have no rating")


def test_a_stratum_without_any_rating_is_warned_of():
    items = pd.DataFrame(
        {"doc_id": list("abcd"), "inclusion_probability": 0.1, "stratum": list("xxyy")}
    )
    ratings = pd.DataFrame(
        [(i, r, v) for i, v in zip("ab", (5, 4), strict=True) for r in "pq"],
        columns=["item", "rater", "rating"],
    )

    estimate = rated_mean(ratings, items=items, raters="these")

    assert estimate.value == 4.5
    assert estimate.warnings[1].startswith("1 stratum has no rated item at all")


def test_a_share_is_the_mean_of_who_reached_the_level():
    ratings, items, x, _ = evaluation(3)
    reached = ratings.assign(rating=(ratings["rating"] >= 3.5) * 1.0)
    how = {"items": items, "auxiliary": x, "pool_mean": [0.0]}

    share = rated_share(ratings, at_least=3.5, **how)

    assert share == rated_mean(reached, **how)
    below = rated_share(ratings, at_most=3.5, **how)
    assert share.value + below.value == pytest.approx(1)
    assert (below.low, below.high) == pytest.approx((1 - share.high, 1 - share.low))


def test_a_share_of_few_cases_says_so():
    ratings, items, _, _ = evaluation(3)

    share = rated_share(ratings, items=items, at_most=0.5)

    assert share.warnings[-1].startswith("Too few cases")
    assert 0 <= share.low <= share.value <= share.high <= 1


def test_gold_counts_as_reached_too():
    ratings, items, _, _ = evaluation(3)
    known = np.resize([4.0, 3.0, 2.0, 2.5], 12)
    gold = pd.DataFrame({"item": [f"d{k}" for k in range(12)], "rating": known})

    share = rated_share(ratings, items=items, at_least=3, gold=gold)

    reached = ratings.assign(rating=(ratings["rating"] >= 3).astype(float))
    as_shares = gold.assign(rating=(known >= 3).astype(float))
    assert share.method.endswith("gold-corrected")
    assert share == rated_mean(reached, items=items, gold=as_shares)


@pytest.mark.parametrize("n", [1, 9])
def test_few_gold_items_correct_neither_a_share_nor_a_mean(n):
    ratings, items, _, _ = evaluation(3)
    gold = pd.DataFrame({"item": [f"d{k}" for k in range(n)], "rating": 4.0})

    share = rated_share(ratings, items=items, at_least=3, gold=gold)
    mean = rated_mean(ratings, items=items, gold=gold)

    assert share.method == rated_share(ratings, items=items, at_least=3).method
    assert replace(mean, warnings=()) == replace(rated_mean(ratings, items=items), warnings=())
    few = f"Gold items with ratings: {n}; the level of the raters needs at least 10"
    assert few in share.warnings[-1]
    assert few in mean.warnings[-1]


@pytest.mark.parametrize("strictness", [0.0, 0.12])
def test_the_range_of_a_mean_corrected_by_gold_holds_that_of_strict_raters(strictness):
    rng = np.random.default_rng(12)
    n, n_gold, n_raters = 120, 10, 3
    items = pd.DataFrame({"doc_id": range(n), "inclusion_probability": n / 1e5})
    rows = np.array([(k, (k + at) % n_raters) for k in range(n) for at in (0, 1)])
    rows = np.vstack([rows, [(n + k, r) for k in range(n_gold) for r in range(n_raters)]])
    held, inside = [], []

    for _ in range(150):
        quality = 4 + 0.6 * rng.normal(size=n + n_gold)
        seen = quality[rows[:, 0]] - strictness + rng.normal(0, 0.4, len(rows))
        ratings = pd.DataFrame({"item": rows[:, 0], "rater": rows[:, 1], "rating": seen})
        gold = pd.DataFrame({"item": range(n, n + n_gold), "rating": quality[n:]})
        mean = rated_mean(ratings, items=items, gold=gold)
        held.append(mean.low <= 4 <= mean.high)
        inside.append(mean.low < mean.value < mean.high)

    assert np.mean(held) >= 0.93  # with the error of the shrunk level .89 and .88
    assert all(inside)


def test_gold_rated_mostly_by_one_rater_leaves_the_error_of_that_severity():
    rng = np.random.default_rng(13)
    n, n_gold, n_raters = 60, 60, 3
    items = pd.DataFrame({"doc_id": range(n), "inclusion_probability": n / 1e5})
    rows = [(k, (k + at) % n_raters) for k in range(n) for at in (0, 1)]
    rows = np.array([*rows, *((n + k, 0) for k in range(n_gold)), (n, 1), (n, 2)])
    held = []

    for _ in range(150):
        quality, severity = rng.normal(size=n + n_gold), rng.normal(0, 0.4, n_raters)
        seen = quality[rows[:, 0]] / 4 + severity[rows[:, 1]] + rng.normal(0, 0.5, len(rows))
        ratings = pd.DataFrame({"item": rows[:, 0], "rater": rows[:, 1], "rating": seen})
        gold = pd.DataFrame({"item": range(n, n + n_gold), "rating": quality[n:] / 4})
        mean = rated_mean(ratings, items=items, gold=gold)
        held.append(mean.low <= 0 <= mean.high)

    assert np.mean(held) >= 0.92  # without it .8


def test_the_range_of_a_share_corrected_by_few_gold_items_holds_the_true_share():
    # All raters are strict: by themselves they call .61 of the pool good, where .73 is.
    rng = np.random.default_rng(11)
    edge, strictness, n, n_gold, n_raters = -0.6, 0.4, 120, 10, 4
    items = pd.DataFrame({"doc_id": range(n), "inclusion_probability": n / 1e5})
    rows = np.array([(k, (k + at) % n_raters) for k in range(n) for at in (0, 1)])
    rows = np.vstack([rows, [(n + k, r) for k in range(n_gold) for r in range(n_raters)]])
    held, lengths = [], []

    for _ in range(150):
        quality = rng.normal(size=n + n_gold)
        seen = quality[rows[:, 0]] - strictness + rng.normal(0, 0.3, len(rows))
        ratings = pd.DataFrame({"item": rows[:, 0], "rater": rows[:, 1], "rating": seen > edge})
        gold = pd.DataFrame({"item": range(n, n + n_gold), "rating": quality[n:] > edge})
        share = rated_share(ratings.astype(float), items=items, at_least=1, gold=gold.astype(float))
        held.append(share.low <= ndtr(-edge) <= share.high)
        lengths.append(share.high - share.low)

    assert np.mean(held) >= 0.93  # shrunk to the raters' own variance it was .69
    assert np.mean(lengths) < 0.5


def test_gold_items_on_which_all_are_right_leave_the_noise_of_ratings():
    rng = np.random.default_rng(4)
    good = rng.random(60) < np.array([[0.9], [0.7], [0.5]])
    rows = [(f"d{k}", f"R{rater}", 4.0 + good[rater, k]) for k in range(60) for rater in range(3)]
    known = [f"g{k}" for k in range(10)]
    right = [(name, f"R{rater}", 5.0) for name in known for rater in range(3)]
    ratings = pd.DataFrame([*rows, *right], columns=["item", "rater", "rating"])
    items = pd.DataFrame({"doc_id": [f"d{k}" for k in range(60)], "inclusion_probability": 0.1})
    gold = pd.DataFrame({"item": known, "rating": 5.0})

    left_open = mean_sources(ratings, items=items, gold=gold).parts["gold"].variance

    table = np.concatenate([good.T, np.ones((10, 3))])
    effects = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    noise = (effects**2).sum() / (69 * 2)
    assert left_open == pytest.approx(noise / 3 / 10)


@pytest.mark.parametrize(
    ("on_gold", "known", "beyond"), [(1.0, 5.0, "above 100%"), (5.0, 1.0, "below 0%")]
)
def test_gold_corrects_no_share_that_it_would_move_beyond_0_or_1(on_gold, known, beyond):
    items = pd.DataFrame({"doc_id": [f"d{k}" for k in range(40)], "inclusion_probability": 0.1})
    # Half of the pool is good, and every rater is wrong on every gold item.
    own = [(f"d{k}", f"R{k % 2 + at}", 5.0 if k < 20 else 1.0) for k in range(40) for at in (0, 1)]
    wrong = [(f"g{k}", f"R{rater}", on_gold) for k in range(10) for rater in range(3)]
    columns = ["item", "rater", "rating"]
    gold = pd.DataFrame({"item": [f"g{k}" for k in range(10)], "rating": known})

    plain = rated_share(pd.DataFrame(own, columns=columns), items=items, at_least=4)
    ratings = pd.DataFrame(own + wrong, columns=columns)
    share = rated_share(ratings, items=items, at_least=4, gold=gold)

    assert share.value == pytest.approx(plain.value)
    assert share.method == plain.method
    assert f"this share would be {beyond}, so gold was not used" in share.warnings[-1]
    assert set(mean_sources(ratings, items=items, gold=gold, at_least=4).parts) == {
        "documents",
        "ratings",
        "raters",
    }


def test_gold_is_not_blamed_for_a_share_that_auxiliaries_move_beyond_1():
    # Of 60 items the share falls with x, and the pool has a lower x than any of them.
    x = np.linspace(0.2, 1, 60)
    items = pd.DataFrame({"doc_id": range(60), "inclusion_probability": 0.01})
    good = (np.arange(60) * 7 % 60 > 60 * x - 18).astype(float)
    rows = [(k, f"R{r}", good[k]) for k in range(60) for r in range(2)]
    # Raters let one of ten gold items pass that is not good.
    rows += [(60 + k, f"R{r}", float(k < 6)) for k in range(10) for r in range(2)]
    ratings = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    gold = pd.DataFrame({"item": range(60, 70), "rating": (np.arange(10) < 5).astype(float)})
    how = {"items": items, "auxiliary": x, "pool_mean": [0.0]}

    beyond = np.polyval(np.polyfit(x, good, 1), 0.0)  # the mean by GREG
    share = rated_share(ratings, at_least=1, gold=gold, **how)

    assert beyond - 1 > 1 / 12  # the correction alone would not bring it back
    assert share.method.endswith("gold-corrected")
    assert share.value == pytest.approx(11 / 12)


@pytest.mark.parametrize("levels", [{}, {"at_least": 4, "at_most": 1}])
def test_a_share_needs_one_level(levels):
    ratings, items, _, _ = evaluation(n=20)

    with pytest.raises(InputError, match="rated_share needs at_least or at_most"):
        rated_share(ratings, items=items, **levels)


def test_a_share_names_ratings_that_are_no_numbers():
    ratings, items, _, _ = evaluation(n=20)

    with pytest.raises(InputError, match="no finite numbers; the first is 'good'"):
        rated_share(ratings.assign(rating="good"), items=items, at_least=4)


def test_one_rater_cannot_speak_for_others():
    ratings, items, _, _ = evaluation(raters=1, per_item=1)

    others, this = (rated_mean(ratings, items=items, raters=w) for w in ("others", "these"))

    assert others.reason == "fewer_than_two_raters"
    assert math.isnan(others.low)
    assert others.value == this.value
    assert this.low < this.value < this.high


def test_no_ratings_give_no_mean():
    ratings, items, _, _ = evaluation()

    estimate = rated_mean(ratings[:0], items=items)

    assert estimate.reason == "no_items"


def test_equal_ratings_give_no_interval():
    ratings, items, _, _ = evaluation(n=30)

    estimate = rated_mean(ratings.assign(rating=5), items=items)

    assert estimate.value == 5
    assert estimate.reason == "no_variation"


def test_a_share_that_all_agree_on_has_an_interval():
    ratings, items, _, _ = evaluation(n=100)

    estimate = rated_mean(ratings.assign(rating=1.0), items=items)

    assert (estimate.value, estimate.high) == (1, 1)
    assert estimate.low == pytest.approx(0.025 ** (1 / 100))


def test_raters_without_common_items_are_warned_of():
    items = pd.DataFrame({"doc_id": list("abcd"), "inclusion_probability": 0.1})
    ratings = pd.DataFrame(
        {"item": list("aabbccdd"), "rater": list("wxwxyzyz"), "rating": [1, 2, 2, 3, 4, 5, 3, 5]}
    )

    estimate = rated_mean(ratings, items=items)

    assert "join the 4 raters into 2 groups" in estimate.warnings[0]


def test_items_may_bear_the_name_of_the_store():
    ratings, items, _, _ = evaluation()

    estimate = rated_mean(ratings, items=items.rename(columns={"doc_id": "item"}))

    assert estimate.value == rated_mean(ratings, items=items).value


@given(st.integers(0, 10**6))
def test_the_order_of_ratings_and_the_names_of_raters_do_not_matter(seed):
    ratings, items, _, _ = evaluation(seed, n=30)
    renamed = ratings.assign(rater=ratings["rater"].map(lambda name: f"Z{9 - int(name[1:])}"))

    first = rated_mean(ratings, items=items)
    second = rated_mean(renamed.sample(frac=1, random_state=seed), items=items)

    assert second.value == pytest.approx(first.value, rel=1e-6)
    assert second.se == pytest.approx(first.se, rel=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.replace({"item": {"d3": "x"}}), "neither in items nor in gold"),
        (lambda f: pd.concat([f, f[:1]]), "more than one rating; the first is item 'd0'"),
        (lambda f: f.assign(rating="good"), "no finite numbers; the first is 'good'"),
        (lambda f: f.drop(columns="rater"), "ratings has no column 'rater'"),
        (
            lambda f: f.assign(dimension=["layout", "meaning"] * (len(f) // 2)),
            r"one dimension at a time; found \['layout', 'meaning'\]",
        ),
    ],
)
def test_malformed_ratings_are_refused(change, message):
    ratings, items, _, _ = evaluation(n=20)

    with pytest.raises(InputError, match=message):
        rated_mean(change(ratings), items=items)


def test_ids_that_are_numbers_in_one_frame_and_text_in_the_other_are_told():
    items = pd.DataFrame({"doc_id": [1, 2], "inclusion_probability": 0.5})
    ratings = pd.DataFrame({"item": ["1", "2"], "rater": "R1", "rating": 4})

    with pytest.raises(
        InputError, match=r"item '1'\. .* It is there as 1: make the ids of both text"
    ):
        rated_mean(ratings, items=items)


def test_outcomes_that_are_no_numbers_are_refused():
    with pytest.raises(InputError, match=r"hajek_mean needs numbers; could not convert .*'a'"):
        hajek_mean(["a", "b"], [0.5, 0.5])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"raters": "all"}, '"others" or "these"; found \'all\''),
        ({"confidence": 2}, "strictly between 0 and 1"),
        ({"auxiliary": [[1.0]]}, "auxiliary is given without pool_mean"),
        (
            {"gold": pd.DataFrame({"item": ["a", "a"], "rating": [1, 2]})},
            "gold must name each item once",
        ),
        ({"gold": pd.DataFrame({"item": ["a"], "rating": [None]})}, "gold ratings must be finite"),
    ],
)
def test_unusable_options_are_refused(options, message):
    ratings, items, _, _ = evaluation(n=20)

    with pytest.raises(InputError, match=message):
        rated_mean(ratings, items=items, **options)


@pytest.mark.parametrize("pi", [0.0, 1.5, None])
def test_items_need_their_probabilities(pi):
    ratings, items, _, _ = evaluation(n=20)

    message = r"lies above 0 and at most at 1; 20 items differ, the first is [\w.]+ in row 1\."
    with pytest.raises(InputError, match=message):
        rated_mean(ratings, items=items.assign(inclusion_probability=pi))


def binary(seed, *, flip, n=200, raters=6):
    """Ratings of 0 and 1 by equal raters who rarely err."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.65
    rows = [
        (f"d{i}", f"R{r}", float(truth[i] ^ (rng.random() < flip)))
        for i in range(n)
        for r in rng.choice(raters, 2, replace=False)
    ]
    items = pd.DataFrame({"doc_id": [f"d{i}" for i in range(n)], "inclusion_probability": 0.1})
    return pd.DataFrame(rows, columns=["item", "rater", "rating"]), items


def test_a_few_disagreements_on_yes_and_no_make_nobody_careless():
    for seed in range(20):
        ratings, items = binary(seed, flip=0.02)
        assert not rated_mean(ratings, items=items).warnings


def test_a_rater_who_answers_yes_and_no_at_random_still_counts_less():
    ratings, items = binary(3, flip=0.08, n=400)
    careless = ratings["rater"] == "R5"
    coin = np.random.default_rng(9).integers(0, 2, careless.sum()).astype(float)
    ratings.loc[careless, "rating"] = coin

    found = rated_mean(ratings, items=items)

    assert any(text.startswith("Ratings of R5 scatter far more") for text in found.warnings)


def test_a_share_counts_a_rater_by_the_ratings_themselves():
    ratings, items, _, _ = evaluation(careless=(5,))

    mean = rated_mean(ratings, items=items)
    share = rated_share(ratings, items=items, at_least=2.5)

    assert mean.warnings == share.warnings != ()


def test_items_that_are_equal_but_for_rounding_have_no_interval():
    # R1 gives one more than the others, on every item.
    rows = [(0, "R1", 2), (0, "R0", 1), (1, "R2", 1), (1, "R1", 2), (2, "R0", 1), (2, "R2", 1)]
    ratings = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    items = pd.DataFrame({"item": range(3), "inclusion_probability": [0.5, 0.5, 1.0]})

    estimate = rated_mean(ratings, items=items, raters="these")

    assert estimate.value == pytest.approx(4 / 3)
    assert (estimate.reason, estimate.se) == ("no_variation", 0)
