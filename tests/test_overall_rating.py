import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.dimensions import composite_score
from ocrjury.overall_rating import fit_overall, regression_weights

# Longley (1967), JASA 62, 819-841: deflator, GNP, unemployed, armed forces, population, year, and
# employment. Coefficients as NIST certifies them (StRD, Longley); VIF of statsmodels 0.15.
LONGLEY = [
    (83.0, 234289, 2356, 1590, 107608, 1947, 60323),
    (88.5, 259426, 2325, 1456, 108632, 1948, 61122),
    (88.2, 258054, 3682, 1616, 109773, 1949, 60171),
    (89.5, 284599, 3351, 1650, 110929, 1950, 61187),
    (96.2, 328975, 2099, 3099, 112075, 1951, 63221),
    (98.1, 346999, 1932, 3594, 113270, 1952, 63639),
    (99.0, 365385, 1870, 3547, 115094, 1953, 64989),
    (100.0, 363112, 3578, 3350, 116219, 1954, 63761),
    (101.2, 397469, 2904, 3048, 117388, 1955, 66019),
    (104.6, 419180, 2822, 2857, 118734, 1956, 67857),
    (108.4, 442769, 2936, 2798, 120445, 1957, 68169),
    (110.8, 444546, 4681, 2637, 121950, 1958, 66513),
    (112.6, 482704, 3813, 2552, 123366, 1959, 68655),
    (114.2, 502601, 3931, 2514, 125368, 1960, 69564),
    (115.7, 518173, 4806, 2572, 127852, 1961, 69331),
    (116.9, 554894, 4007, 2827, 130081, 1962, 70551),
]
CERTIFIED = (15.0618722713733, -0.0358191792925910, -2.02022980381683, -1.03322686717359)
CERTIFIED += (-0.0511041056535807, 1829.15146461355)
INFLATION = (135.53, 1788.51, 33.62, 3.59, 399.15, 758.98)
NAMES = ["deflator", "gnp", "unemployed", "army", "population", "year"]


def fit(rows, names, item=None):
    values = np.array(rows, dtype=float)
    item = np.arange(len(values)) if item is None else item
    return fit_overall(values[:, :-1], values[:, -1], item=item, names=names)


def rated(rng, n=300, each=2, weights=(0.5, 0.3, 0.2)):
    """Ratings of items by several raters, and an overall rating with an error of its own."""
    item = np.repeat(np.arange(n), each)
    x = rng.normal(size=(n * each, len(weights))) + rng.normal(size=n)[item][:, None]
    y = x @ weights + 0.5 * rng.normal(size=n * each) + 0.5 * rng.normal(size=n)[item]
    return np.column_stack([x, y]), item


def test_the_coefficients_are_those_that_nist_certifies():
    found = fit(LONGLEY, NAMES)

    coefficients = [coefficient.value for coefficient in found.coefficients.values()]
    assert coefficients == pytest.approx(CERTIFIED, rel=1e-8)
    assert found.r_squared == pytest.approx(0.995479004577296)
    assert list(found.inflation.values()) == pytest.approx(INFLATION, rel=1e-3)


def test_dimensions_that_repeat_each_other_are_named_and_below_zero_there_is_no_weight():
    found = fit(LONGLEY, NAMES)

    repeated, negative = found.cautions
    assert repeated.startswith("deflator, gnp, unemployed, population, year nearly repeat other")
    assert negative.startswith("The coefficient of gnp, unemployed, army, population is below 0")
    assert {weight.reason for weight in found.weights.values()} == {"negative_weight"}
    assert found.reason == "negative_weight"


@pytest.mark.oracle
def test_errors_are_near_those_that_are_clustered_by_item():
    import statsmodels.api as sm

    rows, item = rated(np.random.default_rng(1))
    found = fit(rows, ["a", "b", "c"], item)

    model = sm.OLS(rows[:, -1], sm.add_constant(rows[:, :-1]))
    clustered = model.fit(cov_type="cluster", cov_kwds={"groups": item})
    estimates = list(found.coefficients.values())
    assert [estimate.value for estimate in estimates] == pytest.approx(clustered.params[1:])
    assert [estimate.se for estimate in estimates] == pytest.approx(clustered.bse[1:], rel=0.05)


def test_the_interval_of_a_weight_holds_the_true_one():
    rng, held = np.random.default_rng(2), 0
    for _ in range(100):
        rows, item = rated(rng, n=60)
        weight = fit(rows, ["a", "b", "c"], item).weights["a"]
        held += weight.low <= 0.5 <= weight.high

    assert 89 <= held <= 100  # 95 of 100, within 2.7 standard errors


@given(st.integers(0, 50), st.floats(0.1, 10), st.floats(-5, 5))
def test_the_unit_of_the_overall_rating_changes_no_weight(seed, length, shift):
    rows, item = rated(np.random.default_rng(seed), n=40)
    changed = rows.copy()
    changed[:, -1] = shift + length * rows[:, -1]

    plain, other = (fit(some, ["a", "b", "c"], item) for some in (rows, changed))
    assert plain.reason == other.reason
    if plain.reason is None:
        for name, weight in plain.weights.items():
            assert other.weights[name].value == pytest.approx(weight.value)
            assert other.weights[name].se == pytest.approx(weight.se)
        assert sum(one.value for one in plain.weights.values()) == pytest.approx(1)


RAMP = np.arange(12.0)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ((RAMP[:9], RAMP[:9] ** 2, RAMP[:9]), "too_few_ratings"),
        ((RAMP, np.ones(12), RAMP), "no_variation"),
        ((RAMP, RAMP**2, np.ones(12)), "no_variation"),
        ((RAMP, 2 * RAMP + 1, RAMP**2), "collinear"),
    ],
)
def test_without_weights_the_reason_is_told(columns, reason):
    found = fit(np.column_stack(columns), ["a", "b"])

    assert found.reason == reason
    assert math.isnan(found.weights["a"].value)
    assert {coefficient.reason for coefficient in found.coefficients.values()} == {reason}


def long(rows, names):
    return pd.DataFrame(
        [
            (f"d{place}", "R01", name, value)
            for place, row in enumerate(rows)
            for name, value in zip(names, row, strict=True)
        ],
        columns=["item", "rater", "dimension", "rating"],
    )


def test_a_composite_weighs_as_the_overall_rating_does_and_leaves_it_out():
    rng = np.random.default_rng(3)
    parts = rng.integers(1, 6, (30, 2))
    rows = np.column_stack([parts, parts @ [0.75, 0.25]])

    found = composite_score(
        long(rows, ["meaning", "layout", "overall"]), method="regression", overall="overall"
    )

    assert found.attrs["weights"] == pytest.approx({"layout": 0.25, "meaning": 0.75})
    assert found.attrs["explained"] == pytest.approx(1)
    assert found.attrs["errors"] == pytest.approx({"layout": 0, "meaning": 0}, abs=1e-9)
    expected = {f"d{place}": value for place, value in enumerate(rows[:, 2])}
    assert dict(zip(found["item"], found["score"], strict=True)) == pytest.approx(expected)


def test_a_composite_without_such_weights_is_the_mean_and_says_so():
    rows = np.column_stack([RAMP, -RAMP + RAMP % 3, RAMP % 5])

    found = composite_score(long(rows[:5], ["a", "b", "y"]), method="regression", overall="y")

    assert found.attrs["method"] == "mean"
    assert found.attrs["note"] == "mean instead of regression weights: too few ratings"
    assert found.attrs["weights"] == {"a": 0.5, "b": 0.5}


def test_incomplete_rows_do_not_enter_the_fit_but_have_a_score():
    rows, _ = rated(np.random.default_rng(4), n=40, each=1)
    frame = long(rows, ["a", "b", "c", "y"])
    whole = regression_weights(frame, overall="y")
    more = pd.concat([frame, pd.DataFrame({**frame.iloc[0], "item": "new"}, index=[0])])

    again = regression_weights(more, overall="y")
    score = composite_score(more, method="regression", overall="y").set_index("item")["score"]

    assert again.weights["a"] == whole.weights["a"]
    assert score["new"] == pytest.approx(frame["rating"].iloc[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "regression"}, "belong together; found 'regression' and None"),
        ({"method": "mean", "overall": "y"}, "belong together; found 'mean' and 'y'"),
        ({"method": "regression", "overall": "z"}, "'z' is one of two or more dimensions; found"),
    ],
)
def test_an_overall_rating_belongs_to_a_regression(options, message):
    with pytest.raises(InputError, match=message):
        composite_score(long([[1, 2, 3]], ["a", "b", "y"]), **options)
