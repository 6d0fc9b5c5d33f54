import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocrjury.estimate import Estimate
from ocrjury.export.cells import csv_of, estimate_cells, fill, parquet_of
from ocrjury.export.columns import Table, flag, integer, number, rating, text
from ocrjury.ratings.csv_tables import unguarded

TABLE = Table(
    name="things",
    row="one thing",
    columns=(
        text("name", "its name"),
        number("size", "how large", unit="points"),
        integer("count", "how many", unit="things"),
        flag("good", "whether"),
        rating("rating", "what was given"),
    ),
    more=(number("x:", "more of it", unit="any"),),
)
LINES = ["name", "size", "count", "good", "rating"]


def parquet(filled):
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pq.read_table(pa.BufferReader(parquet_of(filled)))


def rows_of(filled):
    return list(csv.reader(io.StringIO(csv_of(filled).decode(), newline="")))


def test_a_cell_is_empty_or_what_its_column_says():
    filled = fill(TABLE, [{"name": 7, "size": 1, "count": 2.0, "good": 1, "rating": 4.0, "x:a": 2}])
    empty = fill(TABLE, [{"name": None, "size": float("nan"), "rating": float("inf")}])

    assert filled.to_json() == [
        {"name": "7", "size": 1.0, "count": 2, "good": True, "rating": 4, "x:a": 2.0}
    ]
    assert rows_of(filled) == [[*LINES, "x:a"], ["7", "1.0", "2", "true", "4", "2.0"]]
    assert set(empty.rows[0]) == {None}
    assert rows_of(empty)[1] == [""] * 5
    assert parquet(empty).to_pylist() == [dict.fromkeys(LINES)]


def test_a_table_without_rows_has_its_columns_and_their_types():
    found = parquet(fill(TABLE, []))

    assert dict(zip(found.column_names, map(str, found.schema.types), strict=True)) == {
        "name": "string",
        "size": "double",
        "count": "int64",
        "good": "bool",
        "rating": "double",
    }
    assert found.schema.field("size").metadata[b"unit"] == b"points"
    assert rows_of(fill(TABLE, [])) == [LINES]


def test_names_make_a_column_of_ratings_text():
    found = parquet(fill(TABLE, [{"rating": "none"}, {"rating": 4.0}, {"rating": None}]))

    assert found.column("rating").to_pylist() == ["none", "4", None]


def test_a_column_that_no_table_knows_is_a_mistake():
    with pytest.raises(KeyError, match="things has no column 'y:a'"):
        fill(TABLE, [{"y:a": 1}])


@given(st.text(st.characters(exclude_categories=["Cs"])), st.floats(allow_nan=False, width=64))
@example("=1+1", 0.1)
@example("\u202e\x00\r\n@x", 1e308)
def test_any_text_is_whole_in_parquet_and_inert_in_csv(text, size):
    filled = fill(TABLE, [{"name": text, "size": size}])

    assert parquet(filled).column("name").to_pylist() == [text]
    cells = rows_of(filled)[1]
    assert len(cells) == 5
    assert cells[0][:1] not in tuple("=+-@\t\r＝＋－＠")
    assert not set(cells[0]) & {"\x00", "\u202e", "\u2066", "\x9b"}
    if text.isalnum():
        assert unguarded(cells[0]) == text
    if filled.rows[0][1] is not None:
        assert float(cells[1]) == size


@pytest.mark.parametrize(
    ("estimate", "reason"),
    [
        (Estimate(0.5, 0.4, 0.6), None),
        (Estimate(0.5), "no_interval"),
        (Estimate(float("nan")), "not_computed"),
        (Estimate(float("nan"), reason="no_items"), "no_items"),
    ],
)
def test_what_an_estimate_lacks_has_a_reason(estimate, reason):
    assert estimate_cells(estimate)["reason"] == reason
