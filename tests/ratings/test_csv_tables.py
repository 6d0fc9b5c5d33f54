import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.errors import InputError
from ocrjury.ratings.csv_tables import read_table, unguarded, write_table

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.builds(
    str.__add__,
    st.sampled_from(["", "=", "+", "-", "@", " =", "'=", "a;="]),
    st.text(CHARACTERS, min_size=1).filter(str.strip),
)


def rows_of(file):
    return list(csv.reader(io.StringIO(file.getvalue(), newline="")))[1:]


def table(text):
    return read_table(text, source="x.csv").stripped()


def test_rows_keep_their_numbers_and_short_ones_are_filled():
    found = table("a,b\n\n1\n , \n2,3\n")

    assert [(line.number, line.cells) for line in found.lines] == [
        (3, {"a": "1", "b": ""}),
        (5, {"a": "2", "b": "3"}),
    ]


def test_the_separator_of_a_header_with_a_line_break_is_seen():
    found = table('"item\nby name";rater;rating\nd1;R01;4\n')

    assert [line.cells for line in found.lines] == [
        {"item\nby name": "d1", "rater": "R01", "rating": "4"}
    ]


def test_rows_are_chosen_by_their_cells():
    found = table("kind,repeat,a\nmain,0,1\nmain,1,2\npilot,0,3\n")

    chosen = found.chosen({"kind": "main", "repeat": "0"})

    assert [line.cells["a"] for line in chosen.lines] == ["1"]
    assert found.chosen({}).lines == found.lines


def test_a_choice_of_nothing_is_refused():
    with pytest.raises(InputError, match=r"no row with kind=adaptive and a=1\."):
        table("kind,a\nmain,1\n").chosen({"kind": "adaptive", "a": "1"})
    with pytest.raises(InputError, match="has no column 'round'; found 'kind', 'a'"):
        table("kind,a\nmain,1\n").chosen({"round": "1"})


def test_an_empty_cell_is_named_by_its_row():
    with pytest.raises(InputError, match=r"row 3: column 'b' is empty\."):
        table("a,b\n1,2\n3,\n").check_filled("a", "b")


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_every_text_that_is_written_comes_back_and_none_is_a_formula(texts):
    file = io.StringIO(newline="")

    count = write_table(file, ["a", "b"], [[text, 1] for text in texts])

    assert count == len(texts)
    assert [line.cells["a"] for line in read_table(file.getvalue(), source="x").lines] == texts
    assert not any(row[0].lstrip(" ").startswith(("=", "+", "-", "@")) for row in rows_of(file))


def test_rows_that_are_too_long_are_named_together():
    text = "a,b\n1,2,3\n4,5,\n" + "6,7,8\n" * 10

    with pytest.raises(
        InputError, match=r"x\.csv, row 2: it has 3 cells; .*row 12: .*; and 1 more"
    ):
        table(text)


CELLS = st.text(st.sampled_from("ab' =\t,;é가\"\n"), max_size=3)


@given(
    st.lists(st.lists(CELLS, min_size=1, max_size=3), max_size=6), st.sampled_from(["\n", "\r\n"])
)
def test_a_table_without_quotes_reads_as_one_with_quotes(rows, end):
    """The fast way, for tables that quote nothing, is that of every table."""
    plain = end.join(",".join(cells) for cells in [["a", "b", "c"], *rows]) + end
    strict = list(csv.reader(io.StringIO(plain, newline=""), delimiter=","))
    if '"' in plain or "\t" in plain or ";" in plain or any(len(row) > 3 for row in strict):
        return

    lines = read_table(plain, source="x").lines

    filled = [(n, row) for n, row in enumerate(strict, 1) if any(map(str.strip, row))][1:]
    padded = [(n, [unguarded(cell) for cell in row + [""] * (3 - len(row))]) for n, row in filled]
    assert [(line.number, list(line.cells.values())) for line in lines] == padded


@pytest.mark.parametrize("text", ["a,b,,\n1,2,,\n3,4, ,\n,,,\n", ",a,b\n,1,2\n,3,4\n"])
def test_columns_without_name_and_cells_are_left_out(text):
    found = table(text)

    assert found.columns == {"a": ["1", "3"], "b": ["2", "4"]}
    assert found.header == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "columns"),
    [("Ratings,,\nitem,R1,R2\na,1,2\n", "2 columns have"), ("item,R1,\na,1,ok\n", "a column has")],
)
def test_a_column_with_cells_needs_a_name(text, columns):
    with pytest.raises(InputError, match=rf"x\.csv: {columns} cells, but no name.* remove it\."):
        table(text).check_named()


def test_a_title_of_one_cell_above_the_names_is_told():
    with pytest.raises(InputError, match=r"file has 1 columns\. The first row .* remove it\."):
        table("# exported\na,b,c\n1,2,3\n4,5,6\n")
