import pytest

from ocrjury.errors import InputError
from ocrjury.ratings.sheets import RatingCell, read_sheet


def read(text, *dimensions):
    return read_sheet(text, source="r.csv", dimensions=dimensions)


def test_a_long_table_gives_a_cell_per_row():
    cells = read("rater,item,rating,dimension,round\nR1,a,4,layout,1\nR2,a,,layout,1\n", "layout")

    assert cells == [RatingCell("a", "R1", "layout", "4", 2)]


def test_a_wide_table_gives_a_cell_per_dimension():
    cells = read("item,rater,layout,meaning\na,R1,4,5\nb,R1,,2\n", "meaning", "layout")

    assert cells == [
        RatingCell("a", "R1", "meaning", "5", 2),
        RatingCell("a", "R1", "layout", "4", 2),
        RatingCell("b", "R1", "meaning", "2", 3),
    ]


def test_rows_are_counted_as_a_spreadsheet_counts_them():
    cells = read('item,rater,meaning\n\n"a\nb",R1,4\nc,R1,5\n', "meaning")

    assert [(cell.row, cell.item) for cell in cells] == [(3, "a\nb"), (4, "c")]


def test_an_item_keeps_its_spaces_and_a_rater_does_not():
    (cell,) = read("item;rater;meaning\n a ; R1 ; 4 \n", "meaning")

    assert cell == RatingCell(" a ", "R1", "meaning", "4", 2)


def test_a_long_table_needs_no_dimension_that_is_known():
    assert read("item,rater,dimension,rating\na,R1,mood,4\n", "meaning")[0].dimension == "mood"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"r\.csv is empty"),
        ("item,meaning\n", "needs the columns item and rater"),
        ("item,rater,meaning,Meaning\n", "column 'meaning' stands there twice"),
        ("item,rater,mood\na,R1,4\n", "there is no dimension 'mood'; there are meaning"),
        ("item,rater,a,b\nx,R1,4,4\n", "there is no dimension 'a', 'b'; there are meaning"),
        ("item,rater,mood\na,R1,4\n", "No column is called meaning: was it renamed"),
        ('item,rater,meaning\n"a"b,R1,4\n', "line 2: this is not CSV"),
    ],
)
def test_another_table_is_refused(text, sentence):
    with pytest.raises(InputError, match=sentence):
        read(text, "meaning")


def test_what_a_spreadsheet_adds_is_taken_off_again():
    (cell,) = read("sep=;\nitem;rater;dimension;rating;\n'-7;R1;meaning;4;\n", "meaning")

    assert cell == RatingCell("-7", "R1", "meaning", "4", 3)
