import math

import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import find_disagreements, find_problem_patterns, mean_distribution

FIVE, BINARY = Scale.likert(1, 5), Scale.binary()


def likert(matrix, **options):
    return RatingTable.from_matrix(matrix, scale=FIVE, **options)


def test_items_two_points_apart_are_listed_the_widest_first():
    table = likert([[4, 5], [2, 4], [1, 5], [3, None]], items=["a", "b", "c", "d"])

    frame = find_disagreements(table)

    assert frame["item"].tolist() == ["c", "b"]
    assert frame.iloc[0].tolist() == ["c", 2, 1.0, 5.0, 4.0, 3.0]
    assert frame.attrs == {"threshold": 2.0, "n_items": 3, "rate": pytest.approx(2 / 3)}


@pytest.mark.parametrize(
    ("scale", "matrix", "expected"),
    [
        (BINARY, [[0, 1], [1, 1]], [0]),
        (Scale.nominal(["a", "b", "c"]), [["a", "a"], ["a", "c"]], [1]),
        (Scale.interval(0, 100), [[10, 50], [10, 60]], [1]),
    ],
)
def test_every_scale_has_a_threshold_of_its_own(scale, matrix, expected):
    frame = find_disagreements(RatingTable.from_matrix(matrix, scale=scale))

    assert frame["item"].tolist() == expected


def test_a_threshold_can_be_chosen():
    assert len(find_disagreements(likert([[4, 5], [2, 4]]), threshold=1)) == 2
    with pytest.raises(InputError, match="found 0"):
        find_disagreements(likert([[4, 5]]), threshold=0)


def test_without_pairs_there_is_no_rate():
    frame = find_disagreements(likert([[4, None]]))

    assert frame.empty
    assert math.isnan(frame.attrs["rate"])
    assert find_disagreements(likert([])).empty


def test_half_points_are_rounded_up():
    # Means 1.5, 2.5, 3.5 and 4.5; rounding to even would give 2, 2, 4, 4.
    frame = mean_distribution(likert([[1, 2], [2, 3], [3, 4], [4, 5]]))

    assert frame["category"].tolist() == [1, 2, 3, 4, 5]
    assert frame["n_items"].tolist() == [0, 1, 1, 1, 1]
    assert frame["share"].sum() == pytest.approx(1)


def test_items_of_weight_zero_are_in_no_list():
    table = likert([[1, 5], [4, 4]], item_weight=[0, 1])

    assert find_disagreements(table).empty
    assert mean_distribution(table)["n_items"].tolist() == [0, 0, 0, 1, 0]
    assert find_problem_patterns(table) == []


def test_means_of_names_are_refused():
    with pytest.raises(InputError, match="needs ordered categories"):
        mean_distribution(RatingTable.from_matrix([["a"]], scale=Scale.nominal(["a", "b"])))


def test_good_ratings_have_no_problem():
    assert find_problem_patterns(likert([[1, 1], [2, 3], [5, 5]])) == []
    assert find_problem_patterns(likert([])) == []


def test_the_problems_of_a_likert_scale_are_named():
    table = likert([[1, 5], [4, 5], [2, 5]], items=["a", "b", "c"], raters=["R01", "R02"])

    wide, means, single = find_problem_patterns(table)

    assert (wide.kind, wide.subjects) == ("wide_range", ("a",))
    assert wide.sentence == "The ratings of 1 of 3 items are 4 or more points apart."
    assert (means.kind, means.subjects) == ("rater_means", ("R01", "R02"))
    assert "R01 (2.33) and R02 (5.00) are 2.67 points apart" in means.sentence
    assert (single.kind, single.subjects) == ("single_value", ("R02",))


def test_binary_raters_are_split_or_not():
    table = RatingTable.from_matrix([[0, 1], [1, 1], [0, 0]], scale=BINARY)

    (split,) = find_problem_patterns(table)
    assert (split.kind, split.subjects) == ("split", (0,))


def test_names_can_only_be_monotonous():
    names = Scale.nominal(["a", "b"])
    table = RatingTable.from_matrix([["a", "b"], ["a", "a"], ["a", "b"]], scale=names)

    assert [pattern.kind for pattern in find_problem_patterns(table)] == ["single_value"]
