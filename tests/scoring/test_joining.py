import pandas as pd
import pytest

from ocrjury.readers import read_pool
from ocrjury.scoring.batch_files import write_frame
from ocrjury.scoring.joining import join_batches


def joined(folder, *frames):
    parts = []
    for number, frame in enumerate(frames):
        parts.append(folder / f"{number}.parquet")
        write_frame(frame, parts[-1])
    assert join_batches(parts, folder / "all.parquet") == sum(map(len, frames))
    return pd.read_parquet(folder / "all.parquet")


def column(*values, **options):
    return pd.DataFrame({"x": pd.Series(values, **options)})


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (column(1, 2), column(3), [1, 2, 3]),
        (column(1), column(0.5), [1.0, 0.5]),
        (column(1), column("a"), ["1", "a"]),
        (column(2**53 + 1), column(0.5), [str(2**53 + 1), "0.5"]),
        (column(-(2**53) - 1), column(2), [-(2**53) - 1, 2]),
        (column(*[True]), column("a"), ["true", "a"]),
        (column(202611290001, None), column("a"), ["202611290001", None, "a"]),
        (column(1e-7, 2.0, 1e20), column("a"), ["1e-07", "2", "1e+20", "a"]),
        (column(None, dtype="object"), column(2), [None, 2]),
        (column([0.0, 0.1, 1.0, 1.0]), column(None, dtype="object"), [[0.0, 0.1, 1.0, 1.0], None]),
    ],
)
def test_two_batches_agree_on_a_type_that_holds_both(tmp_path, first, second, expected):
    frame = joined(tmp_path, first, second)

    values = [one.tolist() if hasattr(one, "tolist") else one for one in frame["x"]]
    assert [
        value if isinstance(value, list) or pd.notna(value) else None for value in values
    ] == expected


def test_a_column_that_only_some_batches_have_is_null_elsewhere(tmp_path):
    frame = joined(tmp_path, pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2], "b": ["x"]}))

    assert frame["a"].tolist() == [1, 2]
    assert frame["b"].isna().tolist() == [True, False]


def test_long_whole_numbers_that_only_some_batches_have_lose_no_digit(tmp_path):
    frame = joined(tmp_path, column(12345678901234567), pd.DataFrame({"y": ["a"]}))

    assert frame["x"].tolist()[0] == "12345678901234567"


def test_a_column_without_any_value_keeps_its_type(tmp_path):
    frame = joined(tmp_path, column(None, dtype="float64"), column(None, dtype="float64"))

    assert frame["x"].dtype == "float64"


def test_batches_give_the_types_of_the_pool_at_once(tmp_path):
    rows = [
        '{"doc_id": "a", "hypothesis": "x", "n": 1, "flag": true, "s": "u", "confidence": null}',
        '{"doc_id": "b", "hypothesis": "y", "n": 2.5, "flag": false, "box": [0, 0, 1, 1]}',
        '{"doc_id": "c", "hypothesis": "z", "n": null, "flag": true, "s": "v"}',
    ]
    (tmp_path / "pool.jsonl").write_text("\n".join(rows), encoding="utf-8")
    pool = read_pool(tmp_path / "pool.jsonl")
    parts = []
    for line in rows:
        (tmp_path / "one.jsonl").write_text(line, encoding="utf-8")
        parts.append(read_pool(tmp_path / "one.jsonl"))

    frame = joined(tmp_path, *parts)

    assert frame["n"].tolist()[:2] == pool["n"].tolist()[:2]
    assert frame["flag"].tolist() == pool["flag"].tolist()
    for name in ("doc_id", "reference", "doc_type", "s", "confidence"):
        pd.testing.assert_series_equal(frame[name], pool[name])
