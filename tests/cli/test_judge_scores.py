import pytest

from ocrjury import Scale
from ocrjury.cli.judge_scores import split_judges
from ocrjury.errors import InputError
from ocrjury.ratings.files import RatingFile

FIVE = Scale.likert(1, 5)


def a_file(rows, **aside):
    return RatingFile(
        *map(list, zip(*rows, strict=True)), [*range(2, len(rows) + 2)], "long", aside
    )


ROWS = [
    ("a", "R1", "meaning", "4"),
    ("a", "R2", "meaning", "5"),
    ("a", "model", "meaning", "4.5"),
    ("a", "model", "layout", "2"),
    ("b", "R1", "layout", "1"),
]


def test_a_judge_may_be_one_of_the_raters():
    people, judges = split_judges(a_file(ROWS), ["model"], FIVE)

    assert people.raters == ["R1", "R2"]
    assert judges == {"model": {"meaning": {"a": 4.5}, "layout": {"a": 2}}}


def test_a_judge_may_be_a_column():
    file = a_file(ROWS[:2] + ROWS[4:], model=["4.5", "4.5", "NA"], session=["1", "1", "2"])

    people, judges = split_judges(file, ["model"], FIVE)

    assert people == file
    assert people.aside["session"] == ["1", "1", "2"]
    assert judges == {"model": {"meaning": {"a": 4.5}}}


def test_without_judges_everybody_is_a_person():
    file = a_file(ROWS)

    assert split_judges(file, [], FIVE) == (file, {})


def test_two_scores_of_one_item_are_refused():
    with pytest.raises(InputError, match=r"scores item 'a' on meaning twice: 4 and 5\."):
        split_judges(a_file(ROWS[:2], model=["4", "5"]), ["model"], FIVE)


def test_an_unknown_judge_names_columns_and_raters():
    with pytest.raises(InputError, match=r"columns are none.*the raters R1, R2"):
        split_judges(a_file(ROWS[:2]), ["gpt"], FIVE)
    with pytest.raises(InputError, match="columns are llm; the raters R1, R2"):
        split_judges(a_file(ROWS[:2], llm=["", ""]), ["gpt"], FIVE)


def test_judges_alone_are_no_panel():
    with pytest.raises(InputError, match="every rating is a judge's"):
        split_judges(a_file(ROWS[2:4]), ["model"], FIVE)
