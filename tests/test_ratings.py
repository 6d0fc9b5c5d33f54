import copy
import pickle
import warnings
from dataclasses import replace
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha
from ocrjury.ratings import rating_tables
from tests.strategies import rating_matrices

FIVE, BINARY = Scale.likert(1, 5), Scale.binary()
NAMES = Scale.nominal(["title", "body", "도장"])
CONTINUOUS = Scale.interval(0, 1)
NAN = float("nan")


def frame_of(rows, **columns):
    frame = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    return frame.assign(**columns)


def long(rows, scale=FIVE, **options):
    return RatingTable.from_long(frame_of(rows), scale=scale, **options)


def ratings_of(table):
    return {
        (table.items[item], table.raters[rater]): value
        for item, rater, value in zip(table.item, table.rater, table.values, strict=True)
    }


# The constructors


def test_a_matrix_keeps_its_rows_columns_and_gaps():
    table = RatingTable.from_matrix(
        [[1, None], [5, 3]], scale=FIVE, items=["a", "b"], raters=["R01", "R02"]
    )

    assert (table.n_items, table.n_raters, table.n_ratings) == (2, 2, 3)
    assert ratings_of(table) == {("a", "R01"): 1, ("b", "R01"): 5, ("b", "R02"): 3}
    assert table.codes.tolist() == [0, 4, 2]
    assert table.counts().tolist() == [[1, 0, 0, 0, 0], [0, 0, 1, 0, 1]]
    assert np.array_equal(table.matrix(), [[1, NAN], [5, 3]], equal_nan=True)


def test_ids_of_a_matrix_are_its_places_unless_given():
    table = RatingTable.from_matrix([[1, 2], [3, 4]], scale=FIVE)

    assert table.items == (0, 1)
    assert table.raters == (0, 1)


@pytest.mark.parametrize("missing", [None, NAN, np.nan])
def test_none_and_nan_are_no_ratings(missing):
    assert RatingTable.from_matrix([[1, missing]], scale=FIVE).n_ratings == 1
    assert RatingTable.from_matrix([["body", missing]], scale=NAMES).n_ratings == 1
    assert RatingTable.from_matrix([[0.5, missing]], scale=CONTINUOUS).n_ratings == 1
    assert long([("a", "x", 1), ("a", "y", missing)]).n_ratings == 1


def test_an_item_whose_only_rating_is_missing_still_is_an_item():
    table = long([("a", "x", 1), ("b", "y", None), ("a", "z", 2)])

    assert table.items == ("a", "b")
    assert table.raters == ("x", "z")


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int64", "float32", "float64", "object", "bool"]
)
def test_numbers_of_any_type_are_the_same_ratings(dtype):
    table = RatingTable.from_matrix(np.array([[1, 0], [1, 1]]).astype(dtype), scale=BINARY)

    assert table.matrix().tolist() == [[1, 0], [1, 1]]
    assert table.matrix().dtype == float
    assert table.codes.dtype == np.int64


@pytest.mark.parametrize(
    "column",
    [
        pd.array([1, 5, None], dtype="Int64"),
        pd.array([1.0, 5.0, NAN]),
        pd.Series([1, 5, None], dtype=object),
        pd.Categorical([1, 5, None]),
    ],
)
def test_columns_of_any_type_are_the_same_ratings(column):
    frame = pd.DataFrame({"item": list("aab"), "rater": list("xyx"), "rating": column})

    table = RatingTable.from_long(frame, scale=FIVE)

    assert ratings_of(table) == {("a", "x"): 1, ("a", "y"): 5}


def test_ids_stay_as_they_were_given():
    rows = [(("page", 1), 7, 1), ((), 7, 2), (date(2026, 1, 1), "R08", 3), (1.5, 7, 3)]
    table = long(rows)

    assert table.items == (("page", 1), (), date(2026, 1, 1), 1.5)
    assert table.raters == (7, "R08")
    assert type(long([(3, "a", 1)]).items[0]) is int


def test_ids_come_in_order_of_appearance():
    table = long([("z", "R2", 1), ("a", "R1", 2), ("z", "R1", 3)])

    assert (table.items, table.raters) == (("z", "a"), ("R2", "R1"))


def test_names_are_categories_without_numbers():
    table = long([(1, "x", "도장"), (1, "y", "title")], NAMES)

    assert table.codes.tolist() == [2, 0]
    assert table.matrix().tolist() == [[2, 0]]


def test_nominal_numbers_stand_for_their_places():
    table = RatingTable.from_matrix(np.array([[30, 10]]), scale=Scale.nominal([10, 20, 30]))

    assert table.codes.tolist() == [2, 0]
    assert table.categories.tolist() == [0, 1, 2]


def test_a_continuous_scale_has_the_values_seen_as_categories():
    table = RatingTable.from_matrix([[0.75, 0.25], [0.25, None]], scale=CONTINUOUS)

    assert table.categories.tolist() == [0.25, 0.75]
    assert table.codes.tolist() == [1, 0, 0]


def test_columns_can_have_other_names():
    frame = pd.DataFrame({"doc": ["a"], "who": ["x"], "score": [3]})

    table = RatingTable.from_long(frame, scale=FIVE, item="doc", rater="who", value="score")

    assert ratings_of(table) == {("a", "x"): 3}


@pytest.mark.parametrize("empty", [[], [[]], np.empty((0, 3))])
def test_nothing_is_a_table_too(empty):
    table = RatingTable.from_matrix(empty, scale=FIVE)

    assert table.n_ratings == 0
    assert table.counts().shape == (table.n_items, 5)


@given(rating_matrices(), st.sampled_from([FIVE, Scale.interval(1, 5), Scale.nominal(range(1, 6))]))
def test_a_frame_and_a_matrix_of_the_same_ratings_are_the_same_table(matrix, scale):
    rows = [
        (item, rater, value)
        for item, row in enumerate(matrix)
        for rater, value in enumerate(row)
        if value is not None
    ]
    from_lists, from_frame = RatingTable.from_matrix(matrix, scale=scale), long(rows, scale)
    from_array = RatingTable.from_matrix(np.array(matrix, dtype=float), scale=scale)

    assert ratings_of(from_lists) == ratings_of(from_frame) == ratings_of(from_array)
    for table in (from_frame, from_array):
        assert table.items == from_lists.items
        assert np.array_equal(table.codes, from_lists.codes)
        assert np.array_equal(table.counts(), from_lists.counts())
        assert table.categories.tolist() == from_lists.categories.tolist()


# What a table from a matrix makes on demand


@given(rating_matrices())
def test_the_grid_holds_the_codes(matrix):
    table = RatingTable.from_matrix(matrix, scale=FIVE)

    assert np.array_equal(table.grid >= 0, ~np.isnan(table.matrix()))
    assert np.array_equal(table.grid[table.item, table.rater], table.codes)


def test_a_changed_table_does_not_keep_the_grid_of_the_old_one():
    table = RatingTable.from_matrix([[1, 2], [3, 4]], scale=FIVE)
    changed = replace(table, codes=table.codes[::-1].copy())

    assert changed.grid is None
    assert changed.counts().tolist() == [[0, 0, 1, 1, 0], [1, 1, 0, 0, 0]]


def test_a_table_can_be_copied_and_sent_to_another_process():
    table = RatingTable.from_matrix([[1, None], [3, 4]], scale=FIVE)

    for other in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table), copy.copy(table)):
        assert ratings_of(other) == ratings_of(table)


def test_a_table_has_no_other_attributes():
    table = RatingTable.from_matrix([[1, 2]], scale=FIVE)

    with pytest.raises(AttributeError, match="'RatingTable' object has no attribute 'ratings'"):
        table.ratings  # noqa: B018
    assert "item=array" in repr(table)


# Repeats


def test_two_ratings_of_one_item_by_one_rater_are_refused():
    rows = [("a", "x", 1), ("b", "x", 2), ("b", "y", 2), ("b", "x", 3)]

    with pytest.raises(InputError) as error:
        long(rows)

    assert str(error.value) == (
        "1 pair(s) of item and rater have more than one rating; the first is item 'b' by rater "
        "'x'. Keep one of them, or pass repeats=\"keep\" where repeated ratings are meant."
    )


@pytest.mark.parametrize(
    ("rows", "column"),
    [([(1, "a", 3), ("1", "b", 4)], "item"), ([("x", 1, 3), ("x", "1", 4)], "rater")],
)
def test_an_id_that_is_a_number_and_a_text_is_refused(rows, column):
    with pytest.raises(InputError, match=rf"column '{column}' has the id 1 as a number .* text"):
        long(rows)


def test_numbers_and_texts_that_differ_are_ids():
    assert long([(1, "a", 3), ("2", "b", 4), ("1.0", "b", 4)]).items == (1, "2", "1.0")


def test_ratings_on_several_dimensions_are_no_repeats():
    frame = pd.DataFrame(
        [("a", "x", "meaning", 1), ("a", "x", "layout", 2)],
        columns=["item", "rater", "dimension", "rating"],
    )

    with pytest.raises(
        InputError,
        match=r"on 2 dimensions \(layout, meaning\): pass the rows of one, or use rating_t",
    ):
        RatingTable.from_long(frame, scale=Scale.likert(1, 5))


def test_a_whole_export_says_which_of_its_rows_count():
    frame = pd.DataFrame(
        [("a", "x", 1, "main", 1, 2.0, 0.5), ("a", "y", 2, "adaptive", 0, 2.0, 0.5)],
        columns=["item", "rater", "rating", "kind", "counts", "weight", "inclusion_probability"],
    )

    with pytest.warns(UserWarning, match=r"^1 of the 2 ratings of this export do not count: gate"):
        RatingTable.from_long(frame, scale=Scale.likert(1, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RatingTable.from_long(frame[frame["counts"] == 1], scale=Scale.likert(1, 5))


def test_repeats_are_kept_where_they_are_meant():
    rows = [("a", "x", 1), ("a", "x", 3)]
    table = long(rows, repeats="keep")

    assert table.repeated
    assert table.n_ratings == 2
    with pytest.raises(InputError, match=r'matrix needs at most one.*repeats="keep"'):
        table.matrix()
    assert not long([("a", "x", 1)], repeats="keep").repeated


def test_repeats_are_found_in_a_table_too_wide_for_flags():
    rows = [(place, f"R{place}", 1) for place in range(200)]

    assert not long(rows).repeated
    with pytest.raises(InputError, match="item 7 by rater 'R7'"):
        long([*rows, (7, "R7", 2)])


# Weights


def test_weights_come_by_column_mapping_or_sequence():
    rows = [("a", "x", 1), ("b", "x", 2), ("a", "y", 1)]
    by_column = RatingTable.from_long(
        frame_of(rows, weight=[2.0, 0.5, 2.0]), scale=FIVE, item_weight="weight"
    )
    by_mapping = long(rows, item_weight={"b": 0.5, "a": 2, "z": 9})
    by_place = RatingTable.from_matrix([[1, 2], [2, None]], scale=FIVE, item_weight=[2, 0.5])

    for table in (by_column, by_mapping, by_place):
        assert table.item_weight.tolist() == [2, 0.5]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            [1.0],
            r"item_weight needs 2 finite numbers, none below 0; found shape \(1,\), smallest 1",
        ),
        ([1.0, -1.0], "smallest -1"),
        ([1.0, NAN], "needs 2 finite numbers"),
    ],
)
def test_weights_that_cannot_weigh_are_refused(weights, message):
    for values in ([[1], [2]], [["body"], ["title"]]):
        scale = FIVE if values[0] == [1] else NAMES
        with pytest.raises(InputError, match=message):
            RatingTable.from_matrix(values, scale=scale, item_weight=weights)


def test_a_weight_that_varies_within_an_item_is_refused():
    frame = frame_of([("a", "x", 1), ("a", "y", 2)], weight=[1.0, 2.0])

    with pytest.raises(InputError, match=r"'weight' must be constant.*varies on 1 item.*'a'\."):
        RatingTable.from_long(frame, scale=FIVE, item_weight="weight")


def test_an_item_without_a_weight_is_refused():
    with pytest.raises(InputError, match=r"1 item\(s\) have no weight; the first is 'b'\."):
        long([("a", "x", 1), ("b", "x", 1)], item_weight={"a": 1.0})


# Errors


@pytest.mark.parametrize(
    ("scale", "value", "shown"),
    [
        (FIVE, 7, "7"),
        (FIVE, 0, "0"),
        (FIVE, 1.5, "1.5"),
        (FIVE, "3", "'3'"),
        (FIVE, 1e300, "1e+300"),
        (FIVE, float("inf"), "inf"),
        (BINARY, -1, "-1"),
        (NAMES, "Title", "'Title'"),
        (NAMES, [1], r"\[1\]"),
        (CONTINUOUS, 1.01, "1.01"),
        (CONTINUOUS, "0.5", "'0.5'"),
    ],
)
def test_a_rating_outside_the_scale_is_named(scale, value, shown):
    good = scale.categories[0] if scale.categories else scale.low
    message = rf"^1 rating\(s\) outside the scale \({scale}\); the first is {shown} for item 1"

    with pytest.raises(InputError, match=f"{message} by rater 0".replace("+", r"\+")):
        RatingTable.from_matrix([[good], [value]], scale=scale)
    with pytest.raises(InputError, match=f"{message} by rater 'x'".replace("+", r"\+")):
        long([(0, "x", good), (1, "x", value)], scale)


def test_numbers_outside_the_scale_are_named_in_an_array_with_gaps_too():
    with pytest.raises(
        InputError, match=r"^2 rating\(s\).*the first is 0\.0 for item 0 by rater 1"
    ):
        RatingTable.from_matrix(np.array([[NAN, 0.0], [9.0, 1.0]]), scale=FIVE)


def test_an_absent_column_is_named():
    with pytest.raises(InputError) as error:
        RatingTable.from_long(pd.DataFrame({"item": [1], "score": [1]}), scale=FIVE)

    assert str(error.value) == (
        "the frame has no column 'rater', 'rating'; found 'item', 'score'. "
        "Name the columns with item=, rater=, value=."
    )


@pytest.mark.parametrize("column", ["item", "rater"])
def test_a_missing_id_is_named(column):
    frame = frame_of([("a", "x", 1), ("b", "y", 2)])
    frame.loc[1, column] = None

    with pytest.raises(InputError, match=rf"1 row\(s\) have no id in column '{column}'.*row 2 of"):
        RatingTable.from_long(frame, scale=FIVE)


@pytest.mark.parametrize("values", [[1, 2, 3], [[[1]]]])
def test_a_matrix_has_two_dimensions(values):
    with pytest.raises(InputError, match="one row per item and one column per rater; found"):
        RatingTable.from_matrix(values, scale=FIVE)


def test_rows_of_unequal_length_are_refused():
    with pytest.raises(InputError, match="rows of unequal length"):
        RatingTable.from_matrix([[1, 2], [3]], scale=FIVE)


@pytest.mark.parametrize(("items", "found"), [(["a"], "1 ids, 1"), (["a", "a"], "2 ids, 1")])
def test_names_of_a_matrix_name_each_row_once(items, found):
    with pytest.raises(
        InputError, match=f"items must hold one id for each of the 2; found {found}"
    ):
        RatingTable.from_matrix([[1], [2]], scale=FIVE, items=items)


def test_an_unknown_treatment_of_repeats_is_refused():
    with pytest.raises(InputError, match='repeats must be "error" or "keep"; found \'last\''):
        long([("a", "x", 1)], repeats="last")


# One table per dimension


def test_every_dimension_has_its_table():
    rows = [("a", "x", 1), ("a", "x", 5), ("b", "x", 2)]
    frame = frame_of(rows, dimension=["meaning", "layout", "meaning"])

    tables = rating_tables(frame, scale=FIVE)

    assert list(tables) == ["meaning", "layout"]
    assert tables["meaning"].items == ("a", "b")
    assert list(rating_tables(frame, scale=FIVE, dimensions=["layout"])) == ["layout"]
    with pytest.raises(InputError, match="no column 'dimension'"):
        rating_tables(frame_of(rows), scale=FIVE)


def test_a_column_that_comes_twice_is_named():
    frame = pd.DataFrame([["a", "R1", 3, 4]], columns=["item", "rater", "rating", "rating"])

    with pytest.raises(InputError, match="more than one column 'rating'"):
        RatingTable.from_long(frame, scale=Scale.likert(1, 5))


def test_ids_that_cannot_be_compared_are_refused():
    frame = pd.DataFrame({"item": [["a"], ["b"]], "rater": ["R1", "R1"], "rating": [3, 4]})

    with pytest.raises(InputError, match="column 'item' has ids that cannot be compared"):
        RatingTable.from_long(frame, scale=Scale.likert(1, 5))


@pytest.mark.parametrize("scale", [Scale.likert(1, 5), Scale.interval(0, 100)])
def test_a_number_beyond_all_floats_is_outside_the_scale(scale):
    with pytest.raises(InputError, match=r"1 rating\(s\) outside the scale"):
        RatingTable.from_matrix([[10**400, 3]], scale=scale)


@given(rating_matrices())
def test_counts_say_the_same_as_the_ratings_they_count(matrix):
    counts = RatingTable.from_matrix(matrix, scale=FIVE).counts()

    table = RatingTable.from_counts(counts, scale=FIVE)

    assert table.counts().tolist() == counts.tolist()
    assert table.n_ratings == counts.sum()
    assert table.n_raters == counts.sum(axis=1).max(initial=0)
    assert not table.repeated


def test_counts_can_have_ids_and_weights():
    table = RatingTable.from_counts(
        [[1, 1], [0, 2]], scale=Scale.binary(), items=["a", "b"], item_weight=[1, 3]
    )

    assert table.items == ("a", "b")
    assert table.item_weight.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, 1, 1]], r"2 columns of numbers.*found shape \(1, 3\)"),
        ([[1, "two"]], "values that are not numbers"),
        ([[1, -1]], "the first is -1 in row 0, column 1"),
        ([[1, 1], [0.5, 1]], "the first is 0.5 in row 1, column 0"),
        ([[1, float("nan")]], "the first is nan in row 0"),
        ([[1, 2e9]], "the first is 2e"),
    ],
)
def test_counts_that_count_no_raters_are_refused(counts, message):
    with pytest.raises(InputError, match=message):
        RatingTable.from_counts(counts, scale=Scale.binary())


# Fleiss (1981), Statistical Methods for Rates and Proportions, table 13.1: kappa .68
DIAGNOSES = Scale.nominal(["psychotic", "neurotic", "organic"])
TWO_RATERS = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]


def test_a_cross_table_has_two_raters():
    table = RatingTable.from_crosstab(TWO_RATERS, scale=DIAGNOSES, raters=["first", "second"])

    assert (table.n_items, table.raters) == (100, ("first", "second"))
    assert cohen_kappa(table).value == pytest.approx(0.6765, abs=5e-5)
    pairs = table.matrix().astype(int)
    counted = np.bincount(3 * pairs[:, 0] + pairs[:, 1], minlength=9)
    assert counted.reshape(3, 3).tolist() == TWO_RATERS


@given(st.lists(st.lists(st.integers(0, 4), min_size=5, max_size=5), min_size=5, max_size=5))
def test_a_cross_table_counts_the_pairs_of_its_ratings(cells):
    matrix = RatingTable.from_crosstab(cells, scale=FIVE).matrix()

    found = np.zeros((5, 5), int)
    np.add.at(found, (matrix[:, 0].astype(int) - 1, matrix[:, 1].astype(int) - 1), 1)
    assert found.tolist() == cells


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([[1, 2]], r"from_crosstab needs 2 rows and 2 columns of numbers.*found shape \(1, 2\)"),
        ([[1, 2], [3, -1]], "invalid count.*in from_crosstab; the first is -1 in row 1, column 1"),
    ],
)
def test_a_cross_table_of_another_form_is_refused(cells, message):
    with pytest.raises(InputError, match=message):
        RatingTable.from_crosstab(cells, scale=Scale.binary())


def test_counts_that_look_like_a_cross_table_are_pointed_out():
    with pytest.warns(UserWarning, match="read 3 items rated 10 to 80 times.*use from_crosstab"):
        RatingTable.from_counts(TWO_RATERS, scale=DIAGNOSES)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("counts", [[[3, 0], [0, 3]], [[3, 1], [4, 1]], [[3, 0], [0, 3], [1, 1]]])
def test_counts_of_raters_are_no_cross_table(counts):
    table = RatingTable.from_counts(counts, scale=Scale.binary())

    assert table.counts().tolist() == counts


def test_a_continuous_scale_has_no_counts():
    with pytest.raises(InputError, match="needs a scale with categories"):
        RatingTable.from_counts([[1]], scale=Scale.interval(0, 1))


def test_no_counts_are_a_table_too():
    assert RatingTable.from_counts([], scale=Scale.binary()).n_items == 0


def test_counts_have_no_matrix_of_raters():
    with pytest.raises(InputError, match="do not say who rated"):
        RatingTable.from_counts([[1, 1]], scale=Scale.binary()).matrix()


def test_counts_without_a_pair_do_not_say_that_one_rater_rated_all():
    one_each = RatingTable.from_counts([[1, 0], [0, 1]], scale=Scale.binary())

    assert fleiss_kappa(one_each).reason == "no_pairable_items"
    assert krippendorff_alpha(one_each).reason == "no_pairable_items"


@pytest.mark.parametrize("weight", ["heavy", None, [1]])
def test_a_weight_that_is_no_number_is_refused(weight):
    frame = pd.DataFrame({"item": ["a"], "rater": ["R"], "rating": [1]})

    with pytest.raises(InputError, match=r"item_weight needs numbers; found .* for item 'a'"):
        RatingTable.from_long(frame, scale=Scale.binary(), item_weight={"a": weight})
    with pytest.raises(InputError, match="item_weight needs a number for every item"):
        RatingTable.from_matrix([[1, 1]], scale=Scale.binary(), item_weight=[{"a": weight}])


def test_names_of_a_matrix_that_cannot_be_compared_are_refused():
    with pytest.raises(InputError, match="items have ids that cannot be compared: unhashable"):
        RatingTable.from_matrix([[1, 1]], scale=Scale.binary(), items=[["a"]])


def test_numbers_of_a_database_are_numbers_on_a_continuous_scale():
    table = RatingTable.from_matrix([[Decimal("1.5"), 2]], scale=Scale.interval(0, 5))

    assert table.matrix().tolist() == [[1.5, 2.0]]
