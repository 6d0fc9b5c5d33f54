import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from ocrjury import InputError, RatingTable, Scale
from ocrjury.rater_model import (
    error_variances,
    fit_additive,
    fit_additive_table,
    fit_reliable,
    rater_severities,
)
from ocrjury.rater_model.laplacian import crossed

# Shrout and Fleiss (1979), Psychological Bulletin 86(2), 420-428, table 2: six targets, four judges
JUDGES = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)


def long(matrix):
    item, rater = np.nonzero(np.isfinite(matrix))
    return item, rater, matrix[item, rater]


def panel(seed, *, items=400, spread=(0.3,) * 6, severity=(0.0,) * 6):
    """Ratings of two of six raters per item, on an endless scale."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(3, 1, items)
    rater = np.array([rng.choice(len(spread), 2, replace=False) for _ in range(items)]).ravel()
    item = np.repeat(np.arange(items), 2)
    noise = rng.normal(size=2 * items) * np.array(spread)[rater]
    return item, rater, truth[item] + np.array(severity)[rater] + noise


def test_the_components_of_shrout_and_fleiss():
    fit = fit_additive(*long(JUDGES))

    # their table 3: between targets 11.24, between judges 32.49, residual 1.02 mean square
    assert fit.residual_variance == pytest.approx(1.02, abs=0.005)
    assert fit.rater_variance == pytest.approx((32.49 - 1.02) / 6, abs=0.005)
    assert fit.item_variance == pytest.approx((11.24 - 1.02) / 4, abs=0.005)
    assert fit.df == 15
    assert fit.severity == pytest.approx(JUDGES.mean(axis=0) - JUDGES.mean())


def test_severities_are_recovered_from_an_incomplete_design():
    severity = np.array([-0.4, -0.2, 0.0, 0.1, 0.2, 0.3])

    fit = fit_additive(*panel(1, severity=severity, spread=(0.3,) * 6))

    assert fit.connected
    assert fit.severity == pytest.approx(severity, abs=4 * fit.severity_error.max())
    assert fit.residual_variance == pytest.approx(0.09, rel=0.2)
    assert fit.rater_variance == pytest.approx(severity.var(ddof=1), rel=0.3)


def test_the_rater_variance_is_right_on_average():
    found = []
    for seed in range(150):
        severity = np.random.default_rng(1000 + seed).normal(0, 0.3, 6)
        fit = fit_additive(*panel(seed, items=40, spread=(0.5,) * 6, severity=severity))
        found.append(fit.rater_variance)

    assert np.mean(found) == pytest.approx(0.09, abs=0.012)


def test_groups_that_nothing_joins_are_centred_each():
    fit = fit_additive([0, 0, 1, 1], [0, 1, 2, 3], [1, 3, 4, 4.5])

    assert fit.n_groups == 2
    assert not fit.connected
    assert fit.severity == pytest.approx([-1, 1, -0.25, 0.25])
    assert np.isnan(fit.residual_variance)


def test_one_rating_per_item_tells_items_and_raters_not_apart():
    fit = fit_additive([0, 1, 2], [0, 1, 1], [1.0, 2, 3])

    assert fit.n_groups == 2
    assert fit.severity.tolist() == [0, 0]
    assert np.isnan(fit.rater_variance)
    assert np.isnan(fit.item_variance)


def test_no_ratings_give_an_empty_fit():
    fit = fit_additive([], [], [])

    assert fit.severity.size == 0
    assert fit.connected
    assert np.isnan(fit.residual_variance)


def test_items_and_raters_without_ratings_stay_undefined():
    fit = fit_additive([0, 0], [0, 1], [1.0, 2], n_items=2, n_raters=3)

    assert np.isnan(fit.item_effect[1])
    assert np.isnan(fit.severity[2])
    assert fit.severity[:2] == pytest.approx([-0.5, 0.5])


def test_the_error_of_a_difference_is_that_of_paired_items():
    # two raters on all of n items: the variance of their difference is 2 sigma^2 / n
    item, rater, value = long(np.array([[1.0, 2.0], [2.0, 2.5], [4.0, 4.2], [3.0, 3.9]]))

    fit = fit_additive(item, rater, value)

    assert fit.contrast_variance([1, -1]) == pytest.approx(2 * fit.residual_variance / 4)


def test_weights_centre_severities_at_the_weighted_mean():
    fit = fit_additive(*long(JUDGES), rater_weight=[1, 1, 1, 0.001])
    three = fit_additive(*long(JUDGES[:, :3]))

    assert fit.severity[:3] == pytest.approx(three.severity, abs=0.01)
    assert fit.rater_variance == pytest.approx(three.rater_variance, rel=0.02)


def test_many_raters_take_the_sparse_way(monkeypatch):
    ratings = panel(2, severity=(-0.4, -0.2, 0.0, 0.1, 0.2, 0.3))
    dense = fit_additive(*ratings)
    for module in ("laplacian", "additive_model"):
        monkeypatch.setattr(f"ocrjury.rater_model.{module}.DENSE", 0)

    sparse = fit_additive(*ratings)

    assert sparse.severity == pytest.approx(dense.severity, abs=1e-6)
    assert sparse.rater_variance == pytest.approx(dense.rater_variance, rel=0.1)


def test_a_table_with_repeated_ratings_is_welcome():
    table = RatingTable.from_matrix([[4, 5], [2, 3], [3, 4]], scale=Scale.likert(1, 5))

    assert fit_additive_table(table).severity == pytest.approx([-0.5, 0.5])


@given(
    st.lists(st.lists(st.integers(1, 5), min_size=3, max_size=3), min_size=2, max_size=8),
    st.permutations(range(3)),
)
def test_renaming_raters_renames_their_severities(rows, order):
    matrix = np.array(rows, dtype=float)

    first, second = fit_additive(*long(matrix)), fit_additive(*long(matrix[:, order]))

    assert second.severity == pytest.approx(first.severity[list(order)], abs=1e-9)
    assert second.residual_variance == pytest.approx(first.residual_variance, abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0], [0, 1], [1.0, 2]), "one entry per rating each"),
        (([0, 1], [0, 0], [1.0, np.nan]), "not finite"),
        (([0, -1], [0, 0], [1.0, 2]), "below 0"),
    ],
)
def test_malformed_ratings_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        fit_additive(*arguments)


def test_too_few_places_are_refused():
    with pytest.raises(InputError, match="n_raters is 1, but the places go up to 1"):
        fit_additive([0, 0], [0, 1], [1.0, 2], n_raters=1)


def test_a_weight_of_zero_is_refused():
    with pytest.raises(InputError, match="rater_weight needs 2 finite numbers above 0"):
        fit_additive([0, 0], [0, 1], [1.0, 2], rater_weight=[1, 0])


def test_error_variances_are_recovered():
    ratings = panel(3, items=900, spread=(0.3, 0.3, 0.3, 0.3, 0.3, 1.2))

    found = error_variances(*ratings, fit=fit_additive(*ratings))

    assert found[:5] == pytest.approx([0.09] * 5, rel=0.6)
    assert found[5] == pytest.approx(1.44, rel=0.2)


@pytest.mark.parametrize("wild", [3.0, 12.0])
def test_of_three_raters_the_wild_one_is_found_and_the_others_are_alike(wild):
    rng = np.random.default_rng(1)
    errors = rng.normal(size=(200, 3)) * [1, 1, wild]
    item, rater, value = long(rng.normal(0, 10, 200)[:, None] + errors)

    found = error_variances(item, rater, value, fit=fit_additive(item, rater, value))

    assert found[2] == pytest.approx(wild**2, rel=0.15)
    assert max(found[:2]) < 2 * min(found[:2])
    assert fit_reliable(item, rater, value).weight[:2].tolist() == [1, 1]
    assert fit_reliable(item, rater, value).weight[2] < 0.3


def test_two_raters_alone_are_taken_for_alike():
    item, rater, value = long(np.random.default_rng(1).normal(size=(30, 2)))

    found = error_variances(item, rater, value, fit=fit_additive(item, rater, value))

    assert found[0] == pytest.approx(found[1])


def test_raters_who_never_differ_get_equal_variances():
    item, rater, value = long(np.array([[1.0, 1.0], [2.0, 2.0]]))

    assert error_variances(item, rater, value, fit=fit_additive(item, rater, value)).tolist() == [
        1,
        1,
    ]


def test_a_careless_rater_counts_less_and_the_others_in_full():
    fit = fit_reliable(*panel(4, items=200, spread=(0.35,) * 5 + (1.5,)))

    assert fit.weight[:5].tolist() == [1.0] * 5
    assert fit.weight[5] < 0.15


def test_among_equals_nobody_counts_less():
    lowered = 0
    for seed in range(40):
        lowered += (fit_reliable(*panel(seed, items=200)).weight < 0.9).sum()

    assert lowered <= 5  # of 240 raters


def test_a_few_ratings_condemn_nobody():
    fit = fit_reliable([0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0], [1.0, 5, 3, 3, 4, 4])

    assert (fit.weight > 0.5).all()


def zeros_and_ones(seed, *, items, wrong, careless=0.0):
    """Answers of six raters, two for each item, all wrong alike, the last one at times blindly."""
    rng = np.random.default_rng(seed)
    item = np.arange(items).repeat(2)
    rater = (item + np.tile([0, 1], items) * (1 + item // 6 % 5)) % 6
    right = rng.integers(0, 2, items)[item]
    value = np.where(rng.random(len(item)) < wrong, 1 - right, right)
    blind = (rater == 5) & (rng.random(len(item)) < careless)
    return item, rater, np.where(blind, rng.integers(0, 2, len(item)), value).astype(float)


def test_few_disputed_zeros_and_ones_condemn_nobody():
    for seed in range(20):
        fit = fit_reliable(*zeros_and_ones(seed, items=200, wrong=0.02, careless=0.2))

        assert (fit.weight == 1).all()


def test_many_disputed_zeros_and_ones_show_a_careless_rater():
    found = [
        fit_reliable(*zeros_and_ones(seed, items=385, wrong=0.03, careless=0.45)).weight
        for seed in range(20)
    ]

    assert np.mean(found, axis=0)[5] < 0.4
    assert np.mean(found, axis=0)[:5].min() > 0.9


def test_severities_carry_intervals():
    table = RatingTable.from_matrix(JUDGES.astype(int), scale=Scale.likert(1, 10))

    found = rater_severities(table)

    assert found[1].value == pytest.approx(-2.79, abs=0.01)
    assert found[1].low < found[1].value < found[1].high < 0


def erratic_ratings(rng, *, n=60, n_raters=6):
    """Two of six raters on each item; the last scatters three times as much as the others."""
    item = np.repeat(np.arange(n), 2)
    rater = np.concatenate([rng.choice(n_raters, 2, replace=False) for _ in range(n)])
    severity = rng.normal(0, 0.15, n_raters)
    spread = np.where(rater == n_raters - 1, 1.2, 0.4)
    value = rng.normal(0, 1, n)[item] + severity[rater] + spread * rng.normal(size=2 * n)
    scale = Scale.interval(-20, 20)
    ratings = pd.DataFrame({"item": item, "rater": rater, "rating": value})
    return RatingTable.from_long(ratings, scale=scale), severity - severity.mean()


def test_the_interval_of_an_erratic_rater_covers():
    held = []
    for seed in range(300):
        table, severity = erratic_ratings(np.random.default_rng(seed))
        found = rater_severities(table)
        held.append([found[r].low <= severity[r] <= found[r].high for r in range(6)])

    of_each = np.mean(held, axis=0)
    assert of_each[-1] > 0.92  # standard error .0126; .85 with one variance for all
    assert 0.92 < of_each[:-1].mean() < 0.975


@pytest.mark.oracle
def test_errors_of_severities_equal_clustered_errors_of_statsmodels():
    formula = pytest.importorskip("statsmodels.formula.api")
    table, _ = erratic_ratings(np.random.default_rng(4))
    frame = pd.DataFrame({"item": table.item, "rater": table.rater, "y": list(table.values)})
    fit = formula.ols("y ~ 0 + C(item) + C(rater, Sum)", frame).fit(
        cov_type="cluster", cov_kwds={"groups": frame["item"], "use_correction": False}
    )
    found = rater_severities(table)

    for rater in range(5):
        error = fit.bse[f"C(rater, Sum)[S.{rater}]"] * (60 / 55) ** 0.5
        assert found[table.raters[rater]].se == pytest.approx(error, rel=1e-6)


def test_a_rater_alone_has_no_severity():
    table = RatingTable.from_matrix([[4, None], [None, 3]], scale=Scale.likert(1, 5))

    assert {severity.reason for severity in rater_severities(table).values()} == {
        "no_pairable_items"
    }


@pytest.mark.oracle
def test_components_of_a_complete_table_equal_those_of_statsmodels():
    formula = pytest.importorskip("statsmodels.formula.api")
    anova = pytest.importorskip("statsmodels.stats.anova").anova_lm
    item, rater, value = long(JUDGES)
    frame = pd.DataFrame({"item": item, "rater": rater, "value": value})

    table = anova(formula.ols("value ~ C(item) + C(rater)", frame).fit())
    fit = fit_additive(item, rater, value)

    mean_square = table["mean_sq"]
    assert fit.residual_variance == pytest.approx(mean_square["Residual"])
    assert fit.rater_variance == pytest.approx(
        (mean_square["C(rater)"] - mean_square["Residual"]) / 6
    )


@pytest.mark.parametrize("share", [0.05, 0.5, 1.0])
def test_products_of_raters_are_the_same_sparse_and_dense(monkeypatch, share):
    rng = np.random.default_rng(1)
    values = np.where(rng.random((60, 8)) < share, rng.normal(size=(60, 8)), 0.0)
    cells, weight = sparse.csr_array(values), rng.random(60)
    monkeypatch.setattr("ocrjury.rater_model.laplacian._ITEMS", 16)

    found = []
    for densely in (0.0, 1.1):
        monkeypatch.setattr("ocrjury.rater_model.laplacian._DENSELY", densely)
        found.append(crossed(cells, weight).toarray())

    assert found[0] == pytest.approx(found[1], abs=1e-12)
    assert found[0] == pytest.approx(values.T @ (values * weight[:, None]), abs=1e-12)


def test_a_rater_who_shares_no_item_has_no_error_of_the_severity():
    item, rater = [0, 0, 1, 1, 2, 2, 3, 4], [0, 1, 0, 1, 0, 1, 2, 2]

    fit = fit_additive(item, rater, [1, 2, 3, 3, 2, 4, 5, 4])

    assert fit.severity.tolist() == [-0.5, 0.5, 0]
    assert np.isnan(fit.severity_error).tolist() == [False, False, True]
    assert fit.rater_variance > 0


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [([[5, 5]] * 30, "no_variation"), ([[5, 5], [4, 4], [2, 2]] * 10, "no_disagreement")],
)
def test_raters_who_never_differ_have_severities_without_an_interval(matrix, reason):
    """As coefficients have none: other items may show that they do differ."""
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5))

    for severity in rater_severities(table).values():
        assert (severity.value, severity.reason) == (0.0, reason)
        assert math.isnan(severity.low)
        assert math.isnan(severity.high)
