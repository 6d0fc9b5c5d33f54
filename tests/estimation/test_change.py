import math
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from ocrjury import InputError
from ocrjury.estimation import RatedSample, compare_evaluations, hajek_mean, trend
from ocrjury.estimation.change import rater_drift
from ocrjury.estimation.hajek import hajek_fit
from ocrjury.estimation.interval import Part
from ocrjury.estimation.linear_estimate import deville_covariance, deville_variance
from ocrjury.sampling import draw_sample, outputs_of, page_frame

POOL = 2000


def world(seed):
    """True scores of a pool on two occasions, half a point better on the second."""
    rng = np.random.default_rng(seed)
    before = rng.normal(3, 1, POOL)
    return before, before + 0.5 + 0.3 * rng.normal(size=POOL)


def evaluation(seed, scores, *, drawn, severity, noise=0.3, name="R", gold=False):
    rng = np.random.default_rng([seed, len(name)])
    documents = [f"d{i}" for i in drawn]
    places = rng.random((len(drawn), len(severity))).argsort(axis=1)[:, :2].ravel()
    item, level = np.repeat(documents, 2), np.repeat(scores[drawn], 2)
    known = pd.DataFrame({"item": [f"g{k}" for k in range(20)], "rating": rng.normal(3, 1, 20)})
    if gold:
        places = np.append(places, np.tile(np.arange(len(severity)), 20))
        item = np.append(item, np.repeat(known["item"], len(severity)))
        level = np.append(level, np.repeat(known["rating"], len(severity)))
    rating = level + np.asarray(severity)[places] + noise * rng.normal(size=len(places))
    rater = [f"{name}{place}" for place in places]
    ratings = pd.DataFrame({"item": item.astype(object), "rater": rater, "rating": rating})
    items = pd.DataFrame({"doc_id": documents, "inclusion_probability": len(drawn) / POOL})
    return RatedSample(ratings, items, gold=known if gold else None)


def permanent(seed, n):
    """The documents of the n smallest permanent random numbers."""
    return np.argsort(np.random.default_rng([7, seed]).random(POOL))[:n]


def severities(seed, n=6):
    return 0.4 * np.random.default_rng([8, seed]).normal(size=n)


def test_gold_of_one_evaluation_alone_makes_no_change():
    # The same lenient raters judge the same scores twice, with gold the second time only.
    before, _ = world(3)
    drawn, lenient = permanent(3, 100), np.full(6, 0.5)
    first = evaluation(5, before, drawn=drawn, severity=lenient)
    second = evaluation(6, before, drawn=drawn, severity=lenient, gold=True)

    change = compare_evaluations(first, second)

    plain = replace(second, gold=None, ratings=second.ratings[:200])
    assert second.mean().value - plain.mean().value < -0.4
    assert change.low < 0 < change.high
    assert change.value == pytest.approx(0, abs=0.15)


def test_the_same_documents_and_raters_make_paired_differences():
    before, after = world(1)
    drawn, nobody = permanent(1, 100), np.zeros(6)
    first = evaluation(1, before, drawn=drawn, severity=nobody, noise=0.0)
    second = evaluation(2, after, drawn=drawn, severity=nobody, noise=0.0)

    change = compare_evaluations(first, second)

    paired = hajek_mean((after - before)[drawn], np.full(100, 100 / POOL))
    assert change.value == pytest.approx(paired.value)
    assert change.se == pytest.approx(paired.se)
    assert change.n_items == 100
    assert change.method == "Hajek, change, 100 documents in both, other raters like these"


def test_the_covariance_of_one_sample_with_itself_is_its_variance():
    rng = np.random.default_rng(1)
    pi = rng.uniform(0.05, 0.9, 30)
    mean = hajek_fit(rng.normal(size=30), pi)
    places = (list(range(30)), list(range(30)))

    assert deville_covariance(mean, mean, places=places) == pytest.approx(mean.variance())
    assert mean.variance() == pytest.approx(deville_variance(mean.terms, pi))


@pytest.mark.parametrize(
    "case", ["same raters", "other raters", "larger sample", "independent draws", "gold"]
)
def test_the_interval_holds_the_change(case):
    hits = []
    for seed in range(40):
        before, after = world(seed)
        drawn, later = permanent(seed, 50), permanent(seed, 50)
        severity, second = severities(seed), severities(seed)
        name, coordinated = "R", True
        if case in {"other raters", "gold"}:
            second, name = severities(seed + 999), "S"
        if case == "larger sample":
            later = permanent(seed, 80)
        if case == "independent draws":
            later, coordinated = permanent(seed + 999, 50), False
        gold = case == "gold"
        change = compare_evaluations(
            evaluation(seed, before, drawn=drawn, severity=severity, gold=gold),
            evaluation(seed + 1, after, drawn=later, severity=second, name=name, gold=gold),
            coordinated=coordinated,
        )
        hits.append(change.low <= after.mean() - before.mean() <= change.high)

    # of 40 intervals at 95 %, 35 or more hold in 98 of 100 tries
    assert np.mean(hits) >= 35 / 40


@pytest.mark.parametrize("raters", ["these", "others"])
def test_it_does_where_each_rater_grew_stricter_or_more_lenient(raters):
    hits = []
    for seed in range(40):
        before, after = world(seed)
        drawn, drift = permanent(seed, 50), np.random.default_rng([9, seed]).normal(size=(2, 6))
        change = compare_evaluations(
            *(
                evaluation(
                    seed + when, scores, drawn=drawn, severity=severities(seed) + 0.3 * moved
                )
                for when, (scores, moved) in enumerate(zip((before, after), drift, strict=True))
            ),
            raters=raters,
        )
        hits.append(change.low <= after.mean() - before.mean() <= change.high)

    assert np.mean(hits) >= 35 / 40


def test_gold_shows_how_raters_changed_so_their_number_does_not_lengthen_the_interval():
    before, after = world(3)
    drawn, moved = permanent(3, 100), np.array([0.5, -0.5, 0.5, -0.5, 0.5, -0.5])

    def length(gold):
        first = evaluation(3, before, drawn=drawn, severity=severities(3), gold=gold)
        severity = severities(3) + moved
        second = evaluation(4, after, drawn=drawn, severity=severity, gold=gold)
        change = compare_evaluations(first, second)
        return change.high - change.low

    assert length(gold=True) < 0.5 * length(gold=False)


def test_that_all_grew_stricter_alike_looks_like_a_change_and_lengthens_nothing():
    before, after = world(3)
    drawn, severity = permanent(3, 100), severities(3)
    first = evaluation(3, before, drawn=drawn, severity=severity)
    same = compare_evaluations(first, evaluation(4, after, drawn=drawn, severity=severity))

    stricter = compare_evaluations(first, evaluation(4, after, drawn=drawn, severity=severity - 1))

    assert stricter.value == pytest.approx(same.value - 1)
    assert stricter.high - stricter.low == pytest.approx(same.high - same.low)


def weeks(seed, *, raters, drift, number=5):
    """Evaluations of a pool that stays as it is, by raters whose severity does not."""
    scores, drawn = world(seed)[0], permanent(seed, 60)
    moved = drift * np.random.default_rng([10, seed]).normal(size=(number, raters))
    return {
        f"w{week}": evaluation(
            100 * seed + week, scores, drawn=drawn, severity=severities(seed, raters) + own
        )
        for week, own in enumerate(moved)
    }


@pytest.mark.parametrize("raters", [2, 3])
def test_every_change_of_a_trend_is_held_by_its_interval_and_few_raters_learn_how_far_they_drift(
    raters,
):
    rows = pd.concat([trend(weeks(seed, raters=raters, drift=0.3))[1:] for seed in range(30)])
    length = (rows["change_high"] - rows["change_low"]).groupby(rows["evaluation"]).mean()

    # of 120 intervals at 95 %, 107 or more hold in 99 of 100 tries
    assert ((rows["change_low"] <= 0) & (rows["change_high"] >= 0)).mean() >= 107 / 120
    assert length["w4"] < 0.7 * length["w1"]
    assert all(drift.df == raters - 1 for drift in rows["drift"])


def test_drifts_of_earlier_evaluations_count_where_one_rater_alone_shows_none_now():
    scores, drawn = world(2)[0], permanent(2, 40)
    pair = (evaluation(seed, scores, drawn=drawn, severity=severities(2)[:2]) for seed in (2, 3))
    first, second = (replace(of, ratings=of.ratings[of.ratings["rater"] == "R0"]) for of in pair)
    known = [Part(0.04, 5, 0.05)]

    alone, taught = (
        compare_evaluations(first, second, raters="these", drifts=drifts) for drifts in ([], known)
    )

    assert rater_drift(first, second) is None
    assert taught.se == pytest.approx(math.sqrt(alone.se**2 + 0.04))


def test_documents_and_raters_in_common_shorten_the_interval():
    before, after = world(3)
    drawn, severity = permanent(3, 100), severities(3)
    first = evaluation(3, before, drawn=drawn, severity=severity)

    same = compare_evaluations(first, evaluation(4, after, drawn=drawn, severity=severity))
    documents = compare_evaluations(
        first, evaluation(4, after, drawn=permanent(99, 100), severity=severity)
    )
    raters = compare_evaluations(
        first, evaluation(4, after, drawn=drawn, severity=severities(99), name="S")
    )

    assert same.se < 0.5 * documents.se
    assert same.se < 0.5 * raters.se


def test_the_change_back_is_the_change_turned():
    before, after = world(5)
    first = evaluation(5, before, drawn=permanent(5, 60), severity=severities(5))
    second = evaluation(6, after, drawn=permanent(5, 80), severity=severities(5))

    there, back = compare_evaluations(first, second), compare_evaluations(second, first)

    assert (back.low, back.high) == pytest.approx((-there.high, -there.low))


def test_a_trend_has_a_row_for_every_evaluation():
    before, after = world(6)
    drawn, severity = permanent(6, 80), severities(6)
    weeks = {
        "w47": evaluation(6, before, drawn=drawn, severity=severity),
        "w48": evaluation(7, after, drawn=drawn, severity=severity),
        "w49": evaluation(8, after, drawn=drawn, severity=severity),
    }

    found = trend(weeks)

    assert found["evaluation"].tolist() == ["w47", "w48", "w49"]
    assert math.isnan(found["change"][0])
    assert found["change"][1] == pytest.approx(found["value"][1] - found["value"][0])
    assert found["change_low"][1] > 0
    assert found["change_low"][2] < 0 < found["change_high"][2]
    assert found["value"][0] == weeks["w47"].mean().value


def test_auxiliaries_are_used_on_both_sides():
    before, after = world(7)
    drawn, severity = permanent(7, 80), np.zeros(6)
    sides = [
        RatedSample(one.ratings, one.items, auxiliary=before[drawn], pool_mean=[before.mean()])
        for one in (
            evaluation(7, before, drawn=drawn, severity=severity),
            evaluation(8, after, drawn=drawn, severity=severity),
        )
    ]

    assert compare_evaluations(*sides).method.startswith("GREG, change, 80 documents in both")


def test_no_ratings_give_no_change():
    first = evaluation(1, world(1)[0], drawn=permanent(1, 20), severity=severities(1))
    empty = RatedSample(first.ratings[:0], first.items)

    assert compare_evaluations(first, empty).reason == "no_items"
    assert len(trend({"a": first, "b": empty})) == 2


def test_one_rater_can_be_compared_with_himself_but_not_with_another():
    scores = world(1)[0]
    first = evaluation(1, scores, drawn=permanent(1, 30), severity=severities(1))
    alone = first.ratings.drop_duplicates("item").assign(rater="R0")
    him, her = (RatedSample(alone.assign(rater=name), first.items) for name in ("R0", "R1"))

    assert compare_evaluations(him, her).reason == "fewer_than_two_raters"
    assert compare_evaluations(him, her, raters="these").reason != "fewer_than_two_raters"
    assert compare_evaluations(him, him).reason != "fewer_than_two_raters"


def test_one_rater_can_be_compared_with_several_who_show_how_raters_differ():
    before, after = world(5)
    several = evaluation(5, before, drawn=permanent(5, 100), severity=severities(5))
    alone = evaluation(6, after, drawn=permanent(6, 100), severity=[0.0, 0.0], name="other ")
    alone = replace(alone, ratings=alone.ratings[alone.ratings["rater"] == "other 0"])

    change = compare_evaluations(several, alone)

    # a rater variance of 0.2 or so, times 1 + 1/6
    assert 0.2 < change.se < 1.0
    assert change.low < change.value < change.high


def test_two_teams_show_more_of_how_raters_differ_than_one_twice():
    scores, hits = world(5)[0], []
    for seed in range(60):
        teams = severities(seed, n=3), severities(seed + 500, n=3)
        change = compare_evaluations(
            evaluation(seed, scores, drawn=permanent(seed, 50), severity=teams[0]),
            evaluation(seed, scores, drawn=permanent(seed + 99, 50), severity=teams[1], name="S "),
        )
        hits.append(change.low <= 0 <= change.high)
        # 3 - 1 degrees of freedom twice
        assert change.high - change.low <= 2 * student.ppf(0.975, 4) * change.se * (1 + 1e-9)

    assert np.mean(hits) >= 0.9


def test_warnings_say_which_evaluation_they_are_of():
    before, after = world(1)
    first = evaluation(1, before, drawn=permanent(1, 30), severity=severities(1))
    second = evaluation(2, after, drawn=permanent(1, 30), severity=severities(1))
    gone = RatedSample(second.ratings[second.ratings["item"] != "d0"][4:], second.items)

    change = compare_evaluations(first, gone)

    assert change.warnings[0].startswith("After: ")


def test_an_auxiliary_without_its_pool_mean_is_refused():
    first = evaluation(1, world(1)[0], drawn=permanent(1, 30), severity=severities(1))
    half = RatedSample(first.ratings, first.items, auxiliary=np.zeros(30))

    with pytest.raises(InputError, match="auxiliary is given without pool_mean"):
        compare_evaluations(first, half)


def test_a_trend_says_how_many_documents_repeat():
    before, after = world(1)
    drawn = permanent(1, 60)
    samples = {
        "a": evaluation(1, before, drawn=drawn[:40], severity=severities(1)),
        "b": evaluation(2, after, drawn=drawn[10:], severity=severities(1)),
    }

    assert trend(samples)["n_both"].tolist() == [0, 30]


PAGES, DRAWS = 300, 15  # pages are alike until they have scores, so that draws can come again


PAIRS = pd.DataFrame(
    {
        "doc_id": [f"{number}-{system}" for number in range(PAGES) for system in "ab"],
        "page": np.repeat(np.arange(PAGES), 2),
    }
)
FRAME = page_frame(PAIRS, page="page")


def page_pool(rng):
    """Two outputs for each page, whose scores and changes go together."""
    level, change = (np.repeat(rng.normal(0, spread, PAGES), 2) for spread in (0.8, 0.6))
    before = 3 + level + np.tile([0, 1], PAGES) + rng.normal(0, 0.2, len(PAIRS))
    after = before + change + 0.3 + rng.normal(0, 0.2, len(PAIRS))
    return PAIRS.assign(before=before, after=after)


@cache
def pages_drawn(*, n, seed):
    """Both outputs of n pages."""
    drawn = draw_sample(FRAME, n=n, stratum=None, risk=None, seed=seed)
    return outputs_of(drawn, PAIRS, page="page").rename(columns={"draw_number": "cluster"})


def of_pages(pool, items, when, *, seed):
    """The ratings of outputs by the same three raters."""
    rng = np.random.default_rng([seed, len(items)])
    score = pool.set_index("doc_id")[when].loc[items["doc_id"]].to_numpy()
    rated = [
        pd.DataFrame({"item": items["doc_id"], "rater": f"R{who}", "rating": score + slip})
        for who, slip in enumerate(rng.normal(0, 0.2, (3, len(items))))
    ]
    return RatedSample(pd.concat(rated), items)


def test_the_interval_holds_the_change_of_pages_only_with_clusters():
    rng, held = np.random.default_rng(11), np.zeros(2)
    for run in range(75):
        pool = page_pool(rng)
        truth = (pool["after"] - pool["before"]).mean()
        sides = [
            of_pages(pool, pages_drawn(n=n, seed=run % DRAWS), when, seed=run)
            for when, n in (("before", 40), ("after", 60))
        ]
        apart = [replace(side, items=side.items.drop(columns="cluster")) for side in sides]
        for which, pair in enumerate((sides, apart)):
            change = compare_evaluations(*pair)
            held[which] += change.low <= truth <= change.high
    together, each = held / 75

    # 75 samples: 95 % comes out between 89.3 and 98.7 % in 95 of 100
    assert 0.89 <= together <= 0.99
    assert each <= together - 0.04


def test_a_change_of_clusters_of_one_is_that_of_documents():
    before, after = world(1)
    first = evaluation(1, before, drawn=permanent(1, 40), severity=severities(1))
    second = evaluation(2, after, drawn=permanent(1, 60), severity=severities(1))
    named = [
        replace(one, items=one.items.assign(cluster=[f"p{n}" for n in range(len(one.items))[::-1]]))
        for one in (first, second)
    ]

    assert compare_evaluations(*named) == compare_evaluations(first, second)


def test_the_covariance_of_clusters_with_themselves_is_their_variance():
    rng = np.random.default_rng(2)
    cluster = rng.permutation(np.repeat(np.arange(12), 3))
    pi = rng.uniform(0.05, 0.9, 12)[cluster]
    mean = hajek_fit(rng.normal(size=36), pi).drawn_in(cluster)
    places = (list(range(36)), list(range(36)))

    assert deville_covariance(mean, mean, places=places) == pytest.approx(mean.variance())


def test_pages_are_the_same_where_one_output_is():
    pool = page_pool(np.random.default_rng(3))
    items = pages_drawn(n=40, seed=1)
    first, second = (of_pages(pool, items, when, seed=1) for when in ("before", "after"))
    some = second.items[second.items["doc_id"].str.endswith("a")]
    half = RatedSample(second.ratings[second.ratings["item"].isin(some["doc_id"])], some)

    change = compare_evaluations(first, half)
    apart = compare_evaluations(first, half, coordinated=False)

    assert "40 documents in both" in change.method
    assert change.se < 0.8 * apart.se


def test_one_draw_shows_no_spread_however_many_the_other_has():
    scores = world(1)[0]
    first = evaluation(1, scores, drawn=permanent(1, 30), severity=severities(1))
    one = RatedSample(first.ratings[first.ratings["item"] == "d1"], first.items)
    lone = evaluation(1, scores, drawn=permanent(1, 1), severity=severities(1))
    page = RatedSample(first.ratings, first.items.assign(cluster="p"))

    assert not len(one.ratings)
    for single in (lone, page):
        change = compare_evaluations(single, first)
        assert change.reason == "fewer_than_two_items"
        assert math.isnan(change.low)


def test_in_a_small_pool_a_draw_that_was_shifted_shares_documents_by_chance():
    rng = np.random.default_rng(8)
    pool = pd.DataFrame(
        {
            "doc_id": [f"d{place:03d}" for place in range(150)],
            "doc_type": rng.choice(["bill", "note"], 150),
            "risk": rng.exponential(0.1, 150) + 0.01,
        }
    )
    score = dict(zip(pool["doc_id"], 4 - 6 * pool["risk"] + rng.normal(0, 0.4, 150), strict=True))
    lengths = []
    for seed in range(15):
        samples = []
        for documents in (pool, pool[12:]):
            drawn = draw_sample(documents, n=60, stratum="doc_type", risk="risk", seed=seed)
            rated = pd.DataFrame({"item": [*drawn["doc_id"], *drawn["doc_id"]]})
            rated = rated.assign(rater=["x"] * 60 + ["y"] * 60, rating=rated["item"].map(score))
            samples.append(RatedSample(rated, drawn[["doc_id", "inclusion_probability"]]))
        changes = [
            compare_evaluations(*samples, raters="these", coordinated=how) for how in (True, False)
        ]
        lengths.append([change.high - change.low for change in changes])
    together, apart = np.mean(lengths, axis=0)

    assert together == pytest.approx(apart, rel=0.08)
