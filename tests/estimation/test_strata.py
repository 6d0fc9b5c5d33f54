"""Samples of fixed size in each stratum, and pools of known size."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.estimation import (
    auxiliaries,
    greg_mean,
    hajek_mean,
    means_by_group,
    rated_mean,
    rated_share,
)
from ocrjury.sampling import draw_sample

# Lohr (2010), Sampling: Design and Analysis, 2nd edition, example 3.2: acres of farms in counties
# of the United States. Counties in the stratum, drawn, mean, variance.
REGIONS = {
    "Northeast": (220, 21, 97_629.8, 7_647_472_708),
    "North Central": (1054, 103, 300_504.2, 29_618_183_543),
    "South": (1382, 135, 211_315.0, 53_587_487_856),
    "West": (422, 41, 662_295.5, 396_185_950_266),
}
DRAWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.floats(1, 5), st.integers(1, 3)), min_size=2, max_size=20
)


def counties():
    """Outcomes with the published means and variances, probabilities and strata."""
    rng = np.random.default_rng(0)
    parts = []
    for region, (size, n, mean, variance) in REGIONS.items():
        z = rng.normal(size=n)
        y = mean + (z - z.mean()) / z.std(ddof=1) * math.sqrt(variance)
        parts.append(pd.DataFrame({"y": y, "pi": n / size, "stratum": region}))
    frame = pd.concat(parts)
    return frame["y"], frame["pi"], frame["stratum"]


def by_hand(y, strata, population):
    """Mean and error of Cochran (1977), equations 5.1 and 5.13."""
    total, mean, variance = sum(population.values()), 0.0, 0.0
    for name, size in population.items():
        part = np.array([value for value, of in zip(y, strata, strict=True) if of == name])
        share, n = size / total, len(part)
        mean += share * part.mean()
        variance += share**2 * (1 - n / size) * part.var(ddof=1) / n if n < size else 0.0
    return mean, math.sqrt(variance)


def items_of(pi):
    return pd.DataFrame({"doc_id": range(len(pi)), "inclusion_probability": pi})


def ratings_of(y, raters=("x", "y")):
    return pd.DataFrame(
        [
            {"item": item, "rater": rater, "rating": value}
            for item, value in enumerate(y)
            for rater in raters
        ]
    )


def test_the_published_total_and_its_error():
    y, pi, strata = counties()

    estimate = hajek_mean(y, pi, strata=strata)

    # Lohr prints 909,736,034 acres and 50,417,248.
    assert 3078 * estimate.value == pytest.approx(909_736_034, abs=100)
    assert 3078 * estimate.se == pytest.approx(50_417_248, abs=1)
    assert hajek_mean(y, pi).se > 1.1 * estimate.se


def test_known_sizes_say_what_the_probabilities_say_where_they_agree():
    y, pi, strata = counties()
    sizes = {region: row[0] for region, row in REGIONS.items()}

    assert hajek_mean(y, pi, strata=strata, population=sizes) == hajek_mean(y, pi, strata=strata)


def test_the_size_of_the_pool_alone_gives_the_textbook_error():
    y = np.array([2.0, 4, 4, 5, 5, 3, 1, 5])

    estimate = hajek_mean(y, np.full(8, 1e-6), population=20)

    # Cochran (1977), equation 2.20: (1 - n/N) s^2 / n
    assert estimate.se == pytest.approx(math.sqrt((1 - 8 / 20) * y.var(ddof=1) / 8))
    assert estimate.se == pytest.approx(hajek_mean(y, np.full(8, 0.4)).se)


@given(DRAWS)
def test_the_textbook_error_of_a_stratified_sample(rows):
    rows = [*rows, *(("a", 2.5, 1), ("b", 1.5, 1), ("b", 4.0, 1), ("a", 3.0, 1))]
    strata, y = [row[0] for row in rows], [row[1] for row in rows]
    drawn = {name: strata.count(name) for name in strata}
    population = {name: drawn[name] + 3 * place for place, name in enumerate(sorted(drawn))}
    pi = [drawn[name] / population[name] for name in strata]

    estimate = hajek_mean(y, pi, strata=strata, population=population)

    if any(n == 1 < population[name] for name, n in drawn.items()):
        assert estimate.reason == "fewer_than_two_items"
        return
    mean, error = by_hand(y, strata, population)
    assert estimate.value == pytest.approx(mean)
    assert estimate.se == pytest.approx(error, abs=1e-9)


@given(DRAWS)
def test_one_stratum_changes_nothing(rows):
    y, pi = [row[1] for row in rows], [row[2] / 4 for row in rows]
    same = ["all"] * len(rows)

    assert hajek_mean(y, pi, strata=same) == hajek_mean(y, pi)
    ratings, items = ratings_of(y), items_of(pi)
    plain = rated_mean(ratings, items=items)
    assert repr(rated_mean(ratings, items=items, strata=same)) == repr(plain)


def test_degrees_of_freedom_are_draws_less_strata():
    from scipy.stats import t as student

    y, strata = [1.0, 2, 4, 5, 3, 2], list("aabbbb")

    estimate = hajek_mean(y, [0.1] * 6, strata=strata)

    assert estimate.high - estimate.value == pytest.approx(student.ppf(0.975, 4) * estimate.se)


def test_a_stratum_with_one_draw_leaves_no_interval():
    estimate = hajek_mean([1, 2, 5], [0.5, 0.5, 0.5], strata=["form", "form", "letter"])

    assert estimate.value == pytest.approx(8 / 3)
    assert math.isnan(estimate.low)
    assert estimate.reason == "fewer_than_two_items"
    assert "Stratum 'letter' has one draw" in estimate.warnings[0]


def test_a_stratum_that_was_drawn_whole_has_no_error():
    y, strata = [1.0, 2, 5], ["form", "form", "letter"]

    estimate = hajek_mean(y, [0.5, 0.5, 1], strata=strata, population={"form": 4, "letter": 1})

    assert estimate.se == pytest.approx(by_hand(y, strata, {"form": 4, "letter": 1})[1])
    assert estimate.warnings == ()
    census = hajek_mean(y, [1, 1, 1], strata=strata)
    assert (census.low, census.se) == pytest.approx((census.value, 0))


def test_equal_outcomes_within_strata_show_no_variation():
    estimate = hajek_mean([1, 1, 5, 5], [0.5] * 4, strata=list("aabb"))

    assert (estimate.value, estimate.reason) == (3, "no_variation")


def test_pages_are_drawn_within_strata():
    y, pages = [1.0, 2, 4, 4, 3, 5, 2, 2], list("ppqqrrss")
    strata = ["form"] * 4 + ["letter"] * 4
    of_pages = hajek_mean([1.5, 4, 4, 2], [0.5] * 4, strata=["form", "form", "letter", "letter"])

    estimate = hajek_mean(y, [0.5] * 8, cluster=pages, strata=strata)

    assert (estimate.value, estimate.se) == pytest.approx((of_pages.value, of_pages.se))


def test_ratings_without_noise_have_the_error_of_the_draw():
    y, pi, strata = counties()

    rated = rated_mean(ratings_of(y), items=items_of(pi), strata=strata, raters="these")

    assert rated.value == pytest.approx(hajek_mean(y, pi).value)
    assert rated.se == pytest.approx(hajek_mean(y, pi, strata=strata).se)


def test_items_that_nobody_rated_were_not_drawn():
    y, strata = [1.0, 2, 4, 5, 3, 2], list("aabbbb")
    items = items_of([0.2] * 6).assign(stratum=strata)
    sizes = {"a": 10, "b": 20}

    rated = rated_mean(
        ratings_of(y[:5]), items=items, strata=strata, population=sizes, raters="these"
    )

    weight = np.array([1, 1, 4 / 3, 4 / 3, 4 / 3]) / 6
    residual = y[:5] - weight @ y[:5]
    terms = weight * residual
    parts = [(terms[:2], 2 / 10), (terms[2:], 3 / 20)]
    expected = sum((1 - f) * len(t) * t.var(ddof=1) for t, f in parts)
    assert rated.se == pytest.approx(math.sqrt(expected))


def test_the_error_is_that_of_repeated_draws_and_without_strata_far_too_large():
    rng = np.random.default_rng(6)
    pool = {"form": rng.normal(2, 0.5, 60), "letter": rng.normal(4, 0.5, 240)}
    sizes = {name: len(values) for name, values in pool.items()}
    strata = np.repeat(["form", "letter"], 20)
    pi = np.repeat([20 / 60, 20 / 240], 20)
    estimates, pooled = [], []
    for _ in range(400):
        y = np.concatenate([rng.choice(values, 20, replace=False) for values in pool.values()])
        estimates.append(hajek_mean(y, pi, strata=strata, population=sizes))
        pooled.append(hajek_mean(y, pi).se)

    # Of 400 draws the standard deviation is known to 3.5 %; coverage of 95 % to 1.1 points.
    spread = np.std([estimate.value for estimate in estimates])
    mean = np.concatenate(list(pool.values())).mean()
    assert np.mean([estimate.se for estimate in estimates]) == pytest.approx(spread, rel=0.12)
    assert np.mean(pooled) > 1.3 * spread
    held = np.mean([estimate.low <= mean <= estimate.high for estimate in estimates])
    assert 0.91 <= held <= 0.985


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strata": ["a"]}, "one name or number for each of the 3 documents; found 1"),
        ({"strata": ["a", None, "b"]}, "found 3, of which 1 are missing"),
        ({"population": 2}, "3 were drawn, from only 2"),
        ({"population": 0}, "population must be a whole number from 1; found 0"),
        ({"population": 9.5}, "population must be a whole number from 1; found 9.5"),
        ({"population": {"a": 5}}, "population by stratum needs strata"),
        ({"strata": list("aab"), "population": 9}, "the number of documents of each stratum"),
        ({"strata": list("aab"), "population": {"a": 5}}, "no number for stratum 'b'"),
        (
            {"strata": list("aab"), "population": {"a": 1, "b": 5}},
            "2 were drawn in stratum 'a', from only 1",
        ),
        ({"strata": list("aab"), "cluster": [1, 2, 2]}, "of a cluster lie in different strata"),
    ],
)
def test_what_cannot_be_a_design_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        hajek_mean([1, 2, 3], [0.5] * 3, **options)
    if "cluster" not in options:
        with pytest.raises(InputError, match=message):
            rated_mean(ratings_of([1, 2, 3]), items=items_of([0.5] * 3), **options)


def test_without_auxiliaries_greg_has_the_error_of_the_textbook():
    y, pi, strata = counties()
    constant = {"auxiliary": np.ones((len(y), 1)), "pool_mean": [1.0]}

    greg = greg_mean(y, pi, **constant, strata=strata)
    hajek = hajek_mean(y, pi, strata=strata)

    assert greg.value == pytest.approx(hajek.value)
    # Residuals over 1 - leverage, which weights of several hundred documents leave nearly as is.
    assert greg.se == pytest.approx(hajek.se, rel=0.01)


def stratified_draws(number, *, seed):
    """Yield the rows of a stratified sample; with them the pool."""
    rng = np.random.default_rng(seed)
    stratum = np.repeat(["form", "letter", "note"], [100, 240, 60])
    x = rng.gamma(2.0, 0.1, 400)
    level = np.repeat([2.0, 4.0, 3.0], [100, 240, 60])
    y = level - 2 * x + rng.normal(0, 0.4, 400)
    pool = pd.DataFrame({"y": y, "x": x, "stratum": stratum, "group": rng.integers(0, 2, 400)})
    parts = [np.flatnonzero(stratum == name) for name in ("form", "letter", "note")]
    for _ in range(number):
        rows = np.concatenate([rng.choice(part, 20, replace=False) for part in parts])
        yield pool, pool.iloc[rows], np.repeat([20 / 100, 20 / 240, 20 / 60], 20)


SIZES = {"form": 100, "letter": 240, "note": 60}


def test_greg_in_strata_covers_and_is_as_wide_as_it_must_be():
    found, pooled, values = [], [], []
    for pool, drawn, pi in stratified_draws(200, seed=3):
        options = {"auxiliary": drawn[["x"]], "pool_mean": [pool["x"].mean()]}
        own = {"strata": drawn["stratum"], "population": SIZES}
        estimate = greg_mean(drawn["y"], pi, **options, **own)
        found.append(estimate.low <= pool["y"].mean() <= estimate.high)
        values.append((estimate.value, estimate.se))
        pooled.append(greg_mean(drawn["y"], pi, **options).se)

    spread, error = np.std([value for value, _ in values]), np.mean([se for _, se in values])
    assert error == pytest.approx(spread, rel=0.15)
    assert np.mean(pooled) > 1.5 * spread
    assert 0.91 <= np.mean(found) <= 0.985


def test_a_share_in_strata_has_the_error_of_the_textbook():
    y, strata = [5.0, 4, 2, 5, 1, 3, 5, 4], list("aaabbbbb")
    pi, sizes = [3 / 10] * 3 + [5 / 20] * 5, {"a": 10, "b": 20}

    share = rated_share(
        ratings_of(y),
        items=items_of(pi),
        at_least=4,
        strata=strata,
        population=sizes,
        raters="these",
    )

    mean, error = by_hand([float(value >= 4) for value in y], strata, sizes)
    assert (share.value, share.se) == pytest.approx((mean, error))


def test_a_group_that_is_a_stratum_has_the_error_of_its_own_sample():
    y, strata = [5.0, 4, 2, 5, 1, 3, 5, 4], list("aaabbbbb")
    items = items_of([3 / 10] * 3 + [5 / 20] * 5).assign(group=strata)

    means = means_by_group(ratings_of(y), items=items, group="group", strata=strata, raters="these")

    for name in "ab":
        own = [value for value, of in zip(y, strata, strict=True) if of == name]
        alone = hajek_mean(own, [len(own) / {"a": 10, "b": 20}[name]] * len(own))
        assert means[name].value == pytest.approx(alone.value)
        assert means[name].se == pytest.approx(alone.se)


def test_a_group_across_strata_has_the_error_of_a_domain():
    y = np.array([5.0, 4, 2, 5, 1, 3, 5, 4])
    strata, inside = np.array(list("aaabbbbb")), np.array([1, 1, 0, 1, 0, 1, 1, 0]) == 1
    sizes = {"a": 10, "b": 20}
    pi = np.where(strata == "a", 3 / 10, 5 / 20)
    items = items_of(pi).assign(group=np.where(inside, "in", "out"))

    found = means_by_group(
        ratings_of(y),
        items=items,
        group="group",
        strata=strata,
        population=sizes,
        raters="these",
    )["in"]

    # Sarndal, Swensson and Wretman (1992), equation 10.3.10, stratum by stratum.
    weight = np.where(inside, 1 / pi, 0.0)
    weight /= weight.sum()
    term = weight * (y - weight @ y)
    variance = sum(
        (1 - n / sizes[name]) * n * term[strata == name].var(ddof=1)
        for name, n in {"a": 3, "b": 5}.items()
    )
    assert found.value == pytest.approx(weight @ y)
    assert found.se == pytest.approx(math.sqrt(variance))
    assert found.n_items == 5


def test_intervals_of_groups_cover_in_stratified_samples():
    hits = []
    for pool, drawn, pi in stratified_draws(100, seed=5):
        items = items_of(pi).assign(group=drawn["group"].to_numpy())
        means = means_by_group(
            ratings_of(drawn["y"]),
            items=items,
            group="group",
            strata=drawn["stratum"],
            population=SIZES,
            raters="these",
        )
        true = pool.groupby("group")["y"].mean()
        hits += [one.low <= true[name] <= one.high for name, one in means.items()]

    assert 0.91 <= np.mean(hits) <= 0.985


@pytest.mark.parametrize(("n", "excess"), [(120, 1.0), (60, 1.45)])
def test_where_columns_tell_strata_apart_the_variance_needs_none(n, excess):
    # Half of the draw random, the rest by document type and by error rate, as evaluations draw.
    rng = np.random.default_rng(7)
    types = rng.choice(["bill", "form", "letter", "note"], 2000, p=[0.4, 0.3, 0.2, 0.1])
    level = pd.Series(types).map({"bill": 4.4, "form": 3.8, "letter": 3.2, "note": 2.4})
    cer = np.minimum(rng.gamma(1.0, 0.08, 2000), 1)
    y = level.to_numpy() - 3 * cer + rng.normal(0, 0.5, 2000)
    pool = pd.DataFrame({"doc_id": range(2000), "doc_type": types, "cer": cer})
    columns, _ = auxiliaries(pool, n=n)
    found = []
    for seed in range(100):
        drawn = draw_sample(pool, n=n, stratum="doc_type", risk="cer", seed=seed)
        rows, pi = drawn["doc_id"].to_numpy(dtype=int), drawn["inclusion_probability"]
        known = {"auxiliary": columns[rows], "pool_mean": columns.mean(axis=0)}
        plain = greg_mean(y[rows], pi, **known)
        own = greg_mean(y[rows], pi, **known, strata=types[rows])
        held = [one.low <= y.mean() <= one.high for one in (plain, own)]
        found.append((plain.value, plain.se, own.se, *held))

    value, plain_error, own_error, held, held_in_strata = np.array(found).T
    spread = value.std()
    # With too few items for a column of each type the interval is too long, never too short.
    assert plain_error.mean() == pytest.approx(excess * spread, rel=0.15)
    assert own_error.mean() == pytest.approx(spread, rel=0.15)
    assert held.mean() >= 0.92
    assert held_in_strata.mean() >= 0.92


@pytest.mark.parametrize("estimate", [rated_share, means_by_group])
def test_strata_that_do_not_fit_the_items_are_refused(estimate):
    items = items_of([0.5] * 3).assign(group="g")
    options = {"at_least": 4} if estimate is rated_share else {"group": "group"}

    with pytest.raises(InputError, match="one name or number for each of the 3 documents; found 2"):
        estimate(ratings_of([1, 2, 5]), items=items, strata=["a", "b"], **options)
