from typing import get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.cli.agreement_questions import COMPOSITES
from ocrjury.dimensions import Method, composite_score, dimension_correlation

# the default weights of the reference text's five dimensions
WEIGHTS = {
    "fluency": 0.25,
    "coherence": 0.25,
    "relevance": 0.25,
    "informativeness": 0.15,
    "creativity": 0.10,
}


def long(matrix, names=None):
    """Rows are submissions, each of its own item."""
    names = names or [f"q{d}" for d in range(len(matrix[0]))]
    rows = [
        (f"d{i:03d}", f"R{i % 3}", name, value)
        for i, row in enumerate(matrix)
        for name, value in zip(names, row, strict=True)
        if value is not None
    ]
    return pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])


def test_the_weights_of_the_reference_text():
    ratings = long([[5, 4, 3, 2, 1]], list(WEIGHTS))

    score = composite_score(ratings, method="weighted", weights=WEIGHTS)["score"]

    assert score.tolist() == pytest.approx([0.25 * (5 + 4 + 3) + 0.15 * 2 + 0.10 * 1])


def test_the_mean_is_the_default_and_names_rows():
    found = composite_score(long([[5, 2], [1, 2]]))

    assert found.columns.tolist() == ["item", "rater", "score"]
    assert found["score"].tolist() == [3.5, 1.5]
    assert found.attrs == {"method": "mean", "weights": {"q0": 0.5, "q1": 0.5}}


def test_without_weights_all_weigh_alike():
    ratings = long([[5, 2], [1, 2]])

    assert composite_score(ratings, method="weighted")["score"].tolist() == [3.5, 1.5]


def test_a_missing_dimension_leaves_its_weight_to_the_others():
    ratings = long([[5, None], [1, 2]])

    found = composite_score(ratings, method="weighted", weights={"q0": 3, "q1": 1})

    assert found["score"].tolist() == [5, 1.25]


def test_a_row_with_nothing_that_weighs_has_no_score():
    found = composite_score(
        long([[None, 2], [1, 2]]), method="weighted", weights={"q0": 1, "q1": 0}
    )

    assert np.isnan(found["score"][0])
    assert found["score"][1] == 1


def test_inferred_labels_need_no_rater():
    found = composite_score(long([[5, 2]]).drop(columns="rater"))

    assert found.columns.tolist() == ["item", "score"]


def test_two_dimensions_load_alike_on_their_first_component():
    rng = np.random.default_rng(1)
    quality = rng.integers(1, 6, 30)
    other = np.clip(quality + rng.integers(-1, 2, 30), 1, 5)

    found = composite_score(long(np.stack([quality, other], axis=1).tolist()), method="pca")

    assert found.attrs["loadings"] == pytest.approx({"q0": 0.5**0.5, "q1": 0.5**0.5})
    correlation = np.corrcoef(quality, other)[0, 1]
    assert found.attrs["explained"] == pytest.approx((1 + correlation) / 2)
    assert found["score"].tolist() == pytest.approx(((quality + other) / 2).tolist())


def test_a_dimension_that_never_varies_does_not_weigh():
    rng = np.random.default_rng(2)
    matrix = [[q, q, 3] for q in rng.integers(1, 6, 20).tolist()]

    found = composite_score(long(matrix), method="pca")

    assert found.attrs["loadings"]["q2"] == 0
    assert found["score"].tolist() == pytest.approx([row[0] for row in matrix])


def test_under_ten_ratings_the_mean_stands_in():
    found = composite_score(long([[1, 2], [3, 5], [5, 4]] * 3), method="pca")

    assert found.attrs["method"] == "mean"
    assert found.attrs["note"] == (
        "mean instead of the first principal component: only 9 complete rows, fewer than 10"
    )
    assert "loadings" not in found.attrs
    assert found["score"].tolist()[:3] == [1.5, 4, 4.5]


def test_ten_ratings_are_enough():
    found = composite_score(long([[1, 2], [3, 5], [5, 4], [2, 2], [4, 4]] * 2), method="pca")

    assert found.attrs["method"] == "pca"


def test_one_varying_dimension_has_no_component():
    found = composite_score(long([[i % 5 + 1, 3] for i in range(12)]), method="pca")

    assert "fewer than two dimensions vary" in found.attrs["note"]


def test_no_ratings_have_no_score():
    empty = long([[None]])

    assert composite_score(empty).empty
    assert composite_score(empty, method="pca").empty
    assert dimension_correlation(empty).empty


@pytest.mark.oracle
def test_loadings_equal_those_of_scikit_learn():
    decomposition = pytest.importorskip("sklearn.decomposition")
    scaler = pytest.importorskip("sklearn.preprocessing").StandardScaler()
    rng = np.random.default_rng(3)
    matrix = np.clip(np.round(3 + rng.normal(size=(40, 1)) + rng.normal(size=(40, 4))), 1, 5)
    component = decomposition.PCA(1).fit(scaler.fit_transform(matrix)).components_[0]

    found = composite_score(long(matrix.tolist()), method="pca")

    assert np.abs(list(found.attrs["loadings"].values())) == pytest.approx(np.abs(component))
    weights = np.abs(component) / np.abs(component).sum()
    assert found["score"].to_numpy() == pytest.approx(matrix @ weights)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "median"}, 'must be "mean", "weighted", "pca" or "regression"'),
        ({"weights": {"q0": 1}}, 'weights are used with method="weighted" only'),
        ({"method": "weighted", "weights": {"q0": 1}}, "no weight for 'q1'"),
        ({"method": "weighted", "weights": {"q0": 1, "q1": -1}}, "not below 0"),
        ({"method": "weighted", "weights": {"q0": 0, "q1": 0}}, "at least one above 0"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        composite_score(long([[1, 2]]), **options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rating": "good"}, "must be numbers"),
        ({"item": "same", "rater": "R0"}, "occur twice"),
        ({"item": None}, "needs an item"),
    ],
)
def test_malformed_ratings_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        composite_score(long([[1, 2], [3, 4]]).assign(**change))


def test_a_missing_column_is_named():
    with pytest.raises(InputError, match="no column 'dimension'"):
        composite_score(long([[1, 2]]).drop(columns="dimension"))


def test_correlations_count_the_rows_with_both():
    found = dimension_correlation(long([[1, 1, 5], [2, 2, 4], [4, 3, None]]))

    assert found[["dimension_a", "dimension_b"]].to_numpy().tolist() == [
        ["q0", "q1"],
        ["q0", "q2"],
        ["q1", "q2"],
    ]
    assert found["n"].tolist() == [3, 2, 2]
    # sums of squares 14 / 3 and 2, of products 3
    assert found["value"].tolist() == pytest.approx([3 / np.sqrt(14 / 3 * 2), -1, -1])


def test_ranks_correlate_where_numbers_bend():
    ratings = long([[1, 1], [2, 4], [3, 9], [4, 100]])

    assert dimension_correlation(ratings, method="spearman")["value"].tolist() == pytest.approx([1])


def test_a_dimension_that_never_varies_does_not_correlate():
    found = dimension_correlation(long([[1, 3], [2, 3]]))

    assert found["value"].isna().all()
    assert found["n"].tolist() == [2]


def test_the_interval_counts_items_and_not_ratings():
    rng = np.random.default_rng(4)
    matrix = np.clip(np.round(3 + rng.normal(size=(60, 1)) + rng.normal(size=(60, 2))), 1, 5)
    once = long(matrix.tolist())
    thrice = pd.concat([once.assign(rater=f"R{r}") for r in range(3)])

    one, three = dimension_correlation(once), dimension_correlation(thrice)

    assert three["n"].tolist() == [180]
    assert three["n_items"].tolist() == [60]
    assert three[["value", "low", "high"]].to_numpy() == pytest.approx(
        one[["value", "low", "high"]].to_numpy()
    )
    assert one["low"][0] < one["value"][0] < one["high"][0]


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_a_weighted_correlation_is_that_of_items_drawn_as_often(method):
    rng = np.random.default_rng(4)
    level = rng.integers(1, 6, 40)
    matrix = np.column_stack([level, np.clip(level + rng.integers(-2, 3, 40), 1, 5)])
    weight = rng.integers(1, 4, 40)
    once = long(matrix.tolist())
    once["item_weight"] = once["item"].map({f"d{n:03d}": w for n, w in enumerate(weight)})

    often = long(np.repeat(matrix, weight, axis=0).tolist())
    weighted, repeated = (
        dimension_correlation(frame, method=method).iloc[0] for frame in (once, often)
    )

    assert weighted["value"] == pytest.approx(repeated["value"])
    assert weighted["n"] == 40
    assert weighted["low"] < weighted["value"] < weighted["high"]
    assert weighted["low"] < repeated["low"]  # forty items, not as many as they stand for


@pytest.mark.parametrize(
    ("options", "message"), [({"method": "kendall"}, "pearson"), ({"confidence": 1}, "between")]
)
def test_unknown_correlations_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        dimension_correlation(long([[1, 2]]), **options)


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(1, 5), min_size=3, max_size=3), min_size=1, max_size=20))
def test_scores_lie_between_the_ratings_whatever_the_order_of_rows(matrix):
    ratings = long(matrix)

    for method in ("mean", "weighted", "pca"):
        forth = composite_score(ratings, method=method)
        back = composite_score(ratings[::-1], method=method)
        assert forth["score"].to_numpy() == pytest.approx(back["score"].to_numpy())
        assert (forth["score"] >= np.min(matrix, axis=1) - 1e-9).all()
        assert (forth["score"] <= np.max(matrix, axis=1) + 1e-9).all()


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(1, 5), min_size=2, max_size=2), min_size=1, max_size=20))
def test_correlations_lie_within_one_and_in_their_interval(matrix):
    found = dimension_correlation(long(matrix)).iloc[0]

    assert not abs(found["value"]) > 1
    assert not found["low"] > found["value"] + 1e-9
    assert not found["high"] < found["value"] - 1e-9


@pytest.mark.parametrize("weight", ["heavy", None])
def test_a_weight_that_is_no_number_is_refused(weight):
    rows = [("a", "R1", "meaning", 3), ("a", "R1", "layout", 4)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])

    with pytest.raises(InputError, match="weights must be numbers; found"):
        composite_score(frame, method="weighted", weights={"meaning": 1, "layout": weight})


def test_the_command_line_offers_every_way_to_join_dimensions():
    """It names them itself, because the parser of every command loads no pandas."""
    assert get_args(Method) == COMPOSITES
