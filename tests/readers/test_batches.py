import json
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.readers import iter_pool, read_pool
from ocrjury.readers.pool_frame import SeenIds
from tests.readers.ocr_files import DATA


def ids(batches):
    return [frame["doc_id"].tolist() for frame in batches]


def rows(*names):
    return "".join(json.dumps({"doc_id": name, "hypothesis": "x"}) + "\n" for name in names)


@pytest.fixture
def pool(tmp_path):
    path = tmp_path / "pool.jsonl"
    path.write_text(rows(*"abcde"), encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_batches_are_the_pool_in_parts(tmp_path, suffix):
    frame = pd.DataFrame({"doc_id": list("abcde"), "hypothesis": list("vwxyz"), "own": range(5)})
    path = tmp_path / f"pool.{suffix}"
    if suffix == "parquet":
        frame.to_parquet(path)
    elif suffix == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_json(path, orient="records", lines=True)

    batches = list(iter_pool(path, batch=2))

    assert [len(part) for part in batches] == [2, 2, 1]
    pd.testing.assert_frame_equal(pd.concat(batches, ignore_index=True), read_pool(path))


def test_a_pool_can_be_read_again(pool):
    batches = iter_pool(pool, batch=3)

    assert ids(batches) == ids(batches) == [["a", "b", "c"], ["d", "e"]]


def test_bad_rows_are_left_out_and_noted_with_their_line(pool):
    pool.write_text(
        rows("a") + "{broken\n" + '{"doc_id": "b"}\n' + rows("c", "a") + "[1]\n", encoding="utf-8"
    )

    batches = iter_pool(pool, batch=1)

    assert ids(batches) == [["a"], ["c"]]
    assert [(entry["position"], entry["reason"].split(".")[0]) for entry in batches.quarantine] == [
        ("line 2", "not JSON: a key in double quotes is missing"),
        ("line 3", "no hypothesis"),
        ("line 5", "the doc_id of an earlier row"),
        ("line 6", "not a JSON object"),
    ]


def test_a_row_with_several_problems_is_noted_once(pool):
    pool.write_text(rows("a") + '{"confidence": 7, "box": 1}\n', encoding="utf-8")

    batches = iter_pool(pool)

    assert ids(batches) == [["a"]]
    assert len(batches.quarantine) == 1


def test_files_of_a_folder_come_in_batches(tmp_path):
    for n in range(5):
        (tmp_path / f"p{n}.txt").write_text("x", encoding="utf-8")
    (tmp_path / "bad.xml").write_text("<a", encoding="utf-8")

    batches = iter_pool(tmp_path, batch=2)

    assert ids(batches) == [["p0", "p1"], ["p2", "p3"], ["p4"]]
    assert batches.quarantine[0]["path"].endswith("bad.xml")
    assert batches.attrs["formats"] == {"text": 5}


def test_units_come_in_batches():
    batches = iter_pool(DATA / "azure-layout.json", batch=3, unit="word")

    assert [len(frame) for frame in batches] == [3, 1]


def test_a_batch_ends_where_texts_are_long(pool, monkeypatch):
    monkeypatch.setattr("ocrjury.readers.batches._BATCH_CHARACTERS", 3)

    assert [len(frame) for frame in iter_pool(pool)] == [2, 2, 1]


def test_pairs_that_do_not_match_are_told(tmp_path):
    for name in ("a.txt", "a.gt.txt", "b.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")

    batches = iter_pool(tmp_path)

    assert ids(batches) == [["a", "b"]]
    assert [entry["path"].endswith("b.txt") for entry in batches.unmatched] == [True]


def test_a_guess_is_warned_of_at_the_end(tmp_path):
    (tmp_path / "korean.tsv").write_bytes((DATA / "korean.tsv").read_bytes())

    with pytest.warns(UserWarning, match="guessed"):
        assert ids(iter_pool(tmp_path)) == [["korean"]]


def test_the_quarantine_keeps_its_first_entries_and_counts_the_rest(pool, monkeypatch):
    monkeypatch.setattr("ocrjury.readers.problems.LIMIT", 2)
    pool.write_text(rows("a") + "{\n" * 9, encoding="utf-8")

    batches = iter_pool(pool)

    assert ids(batches) == [["a"]]
    assert len(batches.quarantine) == 2
    assert batches.attrs["n_quarantined"] == 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch": 0}, "batch must be at least 1; found 0"),
        ({"unit": "letter"}, "unit must be one of 'page', 'line', 'word', 'field'"),
        ({"format": "xls"}, "format must be one of"),
        ({"encoding": "utf9"}, "encoding 'utf9' is unknown"),
    ],
)
def test_wrong_options_are_told_before_anything_is_read(options, message):
    with pytest.raises(InputError, match=message):
        iter_pool("no/such/file", **options)


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "holds no document"), ("{\n", "can be read; 1 cannot, the first is .*line 1: not JSON")],
)
def test_a_pool_without_any_row_is_an_error(pool, content, message):
    pool.write_text(content, encoding="utf-8")

    with pytest.raises(InputError, match=message):
        ids(iter_pool(pool))


def test_an_absent_pool_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be opened"):
        ids(iter_pool(tmp_path / "absent.jsonl"))


@given(st.lists(st.lists(st.text(max_size=2), max_size=20), max_size=20))
def test_ids_of_earlier_batches_are_known(batches):
    seen, before = SeenIds(), set()

    for batch in batches:
        assert seen.add(batch).tolist() == [name in before for name in batch]
        before |= set(batch)


def test_ids_take_eight_bytes():
    seen = SeenIds()

    for start in range(0, 100_000, 1000):
        seen.add([str(n) for n in range(start, start + 1000)])

    levels = [len(level) for level in seen._levels]
    assert sum(levels) == 100_000
    assert len(levels) < 10
    assert all(level.dtype == np.int64 for level in seen._levels)


def test_reading_warns_of_nothing_else(pool):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(iter_pool(pool, batch=2))) == 3
