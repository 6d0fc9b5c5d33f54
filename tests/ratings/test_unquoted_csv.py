import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.ratings.unquoted_csv import unquoted_columns

CELLS = st.text(st.sampled_from("ab '한\x0b\x85-.1"), max_size=3)


def both(monkeypatch, text, separator=","):
    """Columns as Python splits them, and as Arrow does."""
    found = []
    for long in (1 << 20, -1):
        monkeypatch.setattr("ocrjury.ratings.unquoted_csv._LONG", long)
        found.append(unquoted_columns(text, separator, source="r.csv"))
    return found


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8))
def test_long_text_is_split_as_short_text_is(separator, rows):
    text = "\n".join(separator.join(row) for row in [("x", "y"), *rows])

    with pytest.MonkeyPatch.context() as monkeypatch:
        short, long = both(monkeypatch, text, separator)

    assert long == short
    assert short == [["x", *(row[0] for row in rows)], ["y", *(row[1] for row in rows)]]


@pytest.mark.parametrize(
    "text", ['a,b\n"1",2', "a,b\n1", "a,b\n1,2,3", "a,b\n\n1,2", ",\n1,2", "a,b\n1\r2,3", ""]
)
def test_other_text_is_left_to_a_slower_parser(monkeypatch, text):
    assert both(monkeypatch, text) == [None, None]


def test_a_cell_that_is_too_long_is_left_to_the_parser_that_says_so(monkeypatch):
    text = f"a,b\n1,{'x' * (csv.field_size_limit() + 1)}"

    assert both(monkeypatch, text) == [None, None]
