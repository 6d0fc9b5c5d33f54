"""Files of ratings, raters, gold items and masks are read within limits, told in a sentence."""

import pytest

from ocrjury.campaign.gold_file import read_gold
from ocrjury.campaign.registry import read_raters
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_CELL, MAX_CELLS, MAX_COLUMNS, MAX_SHEET, MAX_SHEET_ROWS
from ocrjury.ratings import csv_rows
from ocrjury.ratings.csv_rows import each_row
from ocrjury.ratings.csv_tables import read_table
from ocrjury.ratings.files import read_ratings
from ocrjury.ratings.published_counts import read_counts, read_crosstab
from ocrjury.ratings.sheets import read_sheet
from ocrjury.readers.masks import read_masks
from ocrjury.text_files import read_text

RUBRIC = Rubric.model_validate(
    {
        "purpose": {"en": "Judge."},
        "scale": {"kind": "likert", "low": 1, "high": 5},
        "dimensions": [{"name": "meaning", "title": "Meaning", "description": "What it says."}],
    }
)
READERS = {
    "item,rater,rating": read_ratings,
    "item,a": read_counts,
    "x,a": read_crosstab,
    "doc_id,dimension,value": lambda path: read_gold(path, RUBRIC),
    "pseudonym": read_raters,
    "page_id,x0,y0,x1,y1": read_masks,
    "item,rater,meaning": lambda path: read_sheet(
        read_text(path), source=str(path), dimensions=["meaning"]
    ),
}
EVERY = pytest.mark.parametrize("header", READERS)


@pytest.fixture
def refused(tmp_path):
    """Write a text to a file that a reader of this header refuses, and return the reason."""

    def read(header, text):
        path = tmp_path / "r.csv"
        path.write_text(text, "utf-8")
        with pytest.raises(InputError) as error:
            READERS[header](path)
        return str(error.value)

    return read


@EVERY
def test_more_columns_than_a_table_has_are_refused_in_a_sentence(header, refused):
    names = ",".join(f"k{number}" for number in range(20_000))

    reason = refused(header, f"{header},{names}\n")

    n_cells = 20_001 + header.count(",")
    assert f"r.csv, row 1: it has {n_cells:,} cells, but a table has at most 500 columns" in reason
    assert len(reason) < 400


@EVERY
def test_a_longer_cell_than_is_read_is_refused_by_its_line(header, refused):
    reason = refused(header, f'{header}\n"{"x" * (MAX_CELL + 1)}"\n')

    assert "r.csv, line 2: a cell has more than 131,072 characters; shorten it" in reason


@EVERY
def test_a_header_of_long_names_makes_a_short_error(header, refused):
    names = ",".join(f"k{number}-{'x' * 5000}" for number in range(100))

    reason = refused(header, f"{names},{names}\na\n")

    assert len(reason) < 4000


@pytest.mark.parametrize("header", ["doc_id,dimension,value", "pseudonym", "page_id,x0,y0,x1,y1"])
def test_more_rows_than_such_a_file_has_are_refused(header, refused):
    reason = refused(header, header + "\n" * (MAX_SHEET_ROWS + 1))

    assert reason.endswith("r.csv has more than 100,000 rows; leave out what is not needed.")


@pytest.mark.parametrize("header", ["doc_id,dimension,value", "pseudonym", "page_id,x0,y0,x1,y1"])
def test_a_larger_file_is_not_read(header, refused):
    assert "r.csv is larger than 20 MB; split it" in refused(header, "x" * (MAX_SHEET + 1))


def test_a_sheet_has_as_many_rows_as_a_workbook():
    text = "item,rater,meaning\n" + "a,R1,4\n" * (MAX_SHEET_ROWS + 1)

    with pytest.raises(InputError, match=r"r\.csv has more than 100,000 rows; split it"):
        read_sheet(text, source="r.csv", dimensions=["meaning"])


def test_a_line_of_gold_in_json_has_an_end(refused):
    text = '{"doc_id": "' + "x" * 1_000_000 + '"}'

    assert "line 1: it has more than 1,000,000 characters." in refused(
        "doc_id,dimension,value", text
    )


def test_a_table_has_no_more_cells_than_are_read():
    with pytest.raises(InputError, match=r"r\.csv has more than 3,000,000 cells; leave out"):
        next(each_row("," * (MAX_CELLS + 1), ",", source="r.csv"))

    rows = each_row("a,b\n1,2", ",", source="r.csv", cells=3)
    assert list(rows) == [(1, ["a", "b"]), (2, ["1", "2"])]


@pytest.mark.parametrize("read", [read_counts, read_crosstab])
def test_a_table_of_counts_has_fewer_cells_than_one_of_ratings(tmp_path, read):
    path = tmp_path / "r.csv"
    path.write_text("item,a,b\n" + "x,0,1\n" * (MAX_CELLS // 3 + 1), "utf-8")

    with pytest.raises(InputError, match="more than 3,000,000 cells; leave out"):
        read(path)


@pytest.mark.parametrize("last", ["", '"a",R2,4,1,2,3,4\n'])
def test_ratings_whose_cells_repeat_others_may_have_many_more(tmp_path, last):
    path = tmp_path / "r.csv"
    rows = "".join(f"{place % 1_000},R{place // 1_000},4,1,2,3,4\n" for place in range(430_000))
    path.write_text(f"item,rater,rating,a,b,c,d\n{rows}{last}", "utf-8")

    ratings = read_ratings(path)

    assert len(ratings.rating) == 430_000 + bool(last)
    assert 7 * len(ratings.rating) > MAX_CELLS
    assert set(ratings.aside["d"]) == {"4"}


@pytest.mark.parametrize("end", ["", '"x","4"\n'])
def test_cells_that_repeat_no_other_are_bounded(monkeypatch, end):
    monkeypatch.setattr(csv_rows, "MAX_CELLS", 5)
    monkeypatch.setattr("ocrjury.ratings.unquoted_csv._LONG", 0)
    text = "item,rating\n1,4\n2,4\n"

    assert read_table(text, source="r.csv").columns["item"] == ["1", "2"]
    with pytest.raises(InputError, match="more than 5 cells that no other of their column repeats"):
        read_table(f"{text}3,4\n4,4\n{end}", source="r.csv")


def test_a_table_has_no_more_ratings_than_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("ocrjury.ratings.files.MAX_RATINGS", 3)
    path = tmp_path / "r.csv"

    path.write_text("item,kim\na,1\nb,2\nc,3\n", "utf-8")
    assert len(read_ratings(path).rating) == 3
    path.write_text("item,kim,lee\na,1,1\nb,2,2\n", "utf-8")
    with pytest.raises(InputError, match="more than 3 cells of ratings; measure a part"):
        read_ratings(path)


def test_empty_columns_of_a_spreadsheet_beyond_the_last_are_none():
    text = f"a{',' * 16_000}\n1{',' * 16_000}\n"

    assert [len(row) for _, row in each_row(text, ",", source="r.csv")] == [MAX_COLUMNS] * 2


@pytest.mark.parametrize(("header", "first"), [("pseudonym", "row 2"), ("x,a", "row 2")])
def test_many_bad_rows_are_told_by_the_first_ones(header, first, refused):
    reason = refused(header, f"{header}\n" + "1,2,3\n" * 50)

    assert first in reason
    assert reason.count("row ") == 10
    assert "and 90 more" in reason or "and 40 more" in reason


def test_a_count_of_many_digits_is_no_count(refused):
    assert "'999999" in refused("x,a", f"x,a\nb,{'9' * 5000}\n")
