import pytest

from ocrjury.cli.csv_tables import read_table
from ocrjury.errors import InputError


@pytest.fixture
def table(tmp_path):
    def call(text):
        path = tmp_path / "x.csv"
        path.write_text(text, encoding="utf-8")
        return read_table(path)

    return call


def test_rows_keep_their_numbers_and_short_ones_are_filled(table):
    found = table("a,b\n\n1\n , \n2,3\n")

    assert [(line.number, line.cells) for line in found.lines] == [
        (3, {"a": "1", "b": ""}),
        (5, {"a": "2", "b": "3"}),
    ]


def test_rows_are_chosen_by_their_cells(table):
    found = table("kind,repeat,a\nmain,0,1\nmain,1,2\npilot,0,3\n")

    chosen = found.chosen({"kind": "main", "repeat": "0"})

    assert [line.cells["a"] for line in chosen.lines] == ["1"]
    assert found.chosen({}).lines == found.lines


def test_a_choice_of_nothing_is_refused(table):
    with pytest.raises(InputError, match=r"no row with kind=adaptive and a=1\."):
        table("kind,a\nmain,1\n").chosen({"kind": "adaptive", "a": "1"})
    with pytest.raises(InputError, match="has no column 'round'; found kind, a"):
        table("kind,a\nmain,1\n").chosen({"round": "1"})


def test_an_empty_cell_is_named_by_its_row(table):
    with pytest.raises(InputError, match=r"row 3: column 'b' is empty\."):
        table("a,b\n1,2\n3,\n").check_filled("a", "b")
