import json
import math
from decimal import Decimal

import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.readers import iter_pool, read_pool

CONTRACT = [
    "doc_id", "page_id", "system", "doc_type", "kind", "language", "reference", "hypothesis",
    "confidence", "image", "box",
]  # fmt: skip
FULL = {
    "doc_id": "p1/total",
    "page_id": "p1",
    "system": "tesseract",
    "doc_type": "영수증",
    "kind": "amount",
    "language": "ko",
    "reference": "1,000원",
    "hypothesis": "1,000윈",
    "confidence": 0.5,
    "image": "pages/p1.webp",
    "box": [0.1, 0.2, 0.3, 0.4],
}


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def jsonl(*rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def parquet(path, frame):
    frame.to_parquet(path, index=False)
    return path


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_every_format_gives_the_same_frame(tmp_path, suffix):
    path = tmp_path / f"pool.{suffix}"
    if suffix == "parquet":
        parquet(path, pd.DataFrame([FULL]))
    elif suffix == "csv":
        pd.DataFrame([{**FULL, "box": json.dumps(FULL["box"])}]).to_csv(path, index=False)
    else:
        path.write_text(jsonl(FULL), encoding="utf-8")

    pool = read_pool(path)

    assert list(pool.columns) == CONTRACT
    assert pool.iloc[0].to_dict() == FULL
    assert pool.attrs["format"] == suffix


def test_only_id_and_text_are_needed(write):
    pool = read_pool(write("a.jsonl", jsonl({"doc_id": "a", "hypothesis": "x"})))

    assert list(pool.columns) == CONTRACT
    assert pool.loc[0, ["doc_id", "page_id", "system", "hypothesis"]].tolist() == [
        "a", "a", "default", "x",
    ]  # fmt: skip
    assert pool.drop(columns=["doc_id", "page_id", "system", "hypothesis"]).isna().all(axis=None)


def test_a_missing_reference_is_not_an_empty_one_in_jsonl(write):
    rows = [
        {"doc_id": "absent", "hypothesis": "x"},
        {"doc_id": "null", "hypothesis": "x", "reference": None},
        {"doc_id": "empty", "hypothesis": "x", "reference": ""},
    ]

    pool = read_pool(write("a.jsonl", jsonl(*rows)))

    assert pool["reference"].isna().tolist() == [True, True, False]
    assert pool["reference"].iloc[2] == ""


def test_a_missing_reference_is_not_an_empty_one_in_csv(write):
    pool = read_pool(write("a.csv", 'doc_id,reference,hypothesis\na,,x\nb,"",x\nc,"y",x\n'))

    assert pool["reference"].isna().tolist() == [True, False, False]
    assert pool["reference"].iloc[1] == ""


def test_a_missing_reference_is_not_an_empty_one_in_parquet(tmp_path):
    frame = pd.DataFrame({"doc_id": ["a", "b"], "reference": [None, ""], "hypothesis": ["", "x"]})

    pool = read_pool(parquet(tmp_path / "a.parquet", frame))

    assert pool["reference"].isna().tolist() == [True, False]


def test_an_empty_text_of_the_ocr_is_no_missing_one_in_csv(write):
    pool = read_pool(write("a.csv", 'doc_id,hypothesis,x\na,,1\nb,"",2\n'))

    assert pool["hypothesis"].tolist() == ["", ""]


def test_cells_may_hold_delimiters_quotes_and_line_breaks(write):
    pool = read_pool(write("a.csv", 'doc_id,hypothesis\r\na,"1,000 ""원""\r\n합계"\r\nb,x\r\n'))

    assert pool["hypothesis"].tolist() == ['1,000 "원"\r\n합계', "x"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_found_in_the_first_row(write, delimiter):
    content = "doc_id|reference|hypothesis\na|1,5|x\n".replace("|", delimiter)
    if delimiter == ",":
        content = content.replace("1,5", '"1,5"')

    assert read_pool(write("a.csv", content)).loc[0, "reference"] == "1,5"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_encodings_are_detected(write, encoding, suffix):
    text = jsonl({"doc_id": "가", "hypothesis": "진료비 똠"}) if suffix == "jsonl" else (
        "doc_id,hypothesis\n가,진료비 똠\n"
    )  # fmt: skip

    pool = read_pool(write(f"a.{suffix}", text.encode(encoding)))

    assert pool.loc[0, ["doc_id", "hypothesis"]].tolist() == ["가", "진료비 똠"]
    assert pool.attrs["encoding"] == ("cp949" if encoding == "cp949" else "utf-8-sig")


def test_a_named_encoding_is_used(write):
    path = write("a.csv", "doc_id,hypothesis\na,é\n".encode("latin-1"))

    assert read_pool(path, encoding="latin-1").loc[0, "hypothesis"] == "é"


def test_a_byte_order_mark_is_no_part_of_the_first_name(write):
    path = write("a.csv", "\ufeffdoc_id,hypothesis\na,x\n")

    assert read_pool(path, encoding="utf-8").loc[0, "doc_id"] == "a"


def test_text_in_no_known_encoding_names_the_byte(write):
    path = write("a.csv", b"doc_id,hypothesis\na,\xff\n")

    with pytest.raises(InputError, match=r"neither in utf-8 \(byte 21\) nor in cp949 \(byte 21\)"):
        read_pool(path)


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_chinese_that_is_not_utf_8_is_not_taken_for_korean(write, suffix):
    text = (
        "doc_id,hypothesis\na,数据\n"
        if suffix == "csv"
        else '{"doc_id": "a", "hypothesis": "数据"}'
    )
    path = write(f"a.{suffix}", text.encode("gb18030"))

    with pytest.raises(
        InputError, match=r"it would not be Korean\); save it as UTF-8, or name its encoding: --"
    ):
        read_pool(path)
    assert read_pool(path, encoding="gb18030")["hypothesis"].tolist() == ["数据"]


def test_a_wrong_encoding_is_told(write):
    path = write("a.csv", "doc_id,hypothesis\na,é\n".encode("latin-1"))

    with pytest.raises(InputError, match="is not ascii text"):
        read_pool(path, encoding="ascii")


def test_an_unknown_encoding_is_told(write):
    with pytest.raises(InputError, match="'utf9' is unknown; use a name such as"):
        read_pool(write("a.csv", "doc_id,hypothesis\n"), encoding="utf9")


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("pool.data", '{"doc_id": "a", "hypothesis": "x"}', "jsonl"),
        ("pool", "doc_id,hypothesis\na,x\n", "csv"),
        ("pool.csv", '\ufeff {"doc_id": "a", "hypothesis": "x"}', "jsonl"),
    ],
)
def test_content_tells_the_format_before_the_name_does(*, write, name, content, form):
    assert read_pool(write(name, content)).attrs["format"] == form


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"\x00\x01",
            "determines the format; pass format= one of 'page', 'alto', 'hocr', 'tsv', 'text'",
        ),
        (b'[{"doc_id": 1}]', "one JSON object per line instead"),
    ],
)
def test_an_unknown_format_names_those_that_exist(write, content, message):
    with pytest.raises(InputError, match=message):
        read_pool(write("pool.bin", content))


def test_a_format_that_does_not_exist_names_those_that_do(write):
    with pytest.raises(InputError, match=r"must be one of 'page', .*'azure'; found 'xlsx'"):
        read_pool(write("pool.xlsx", b"x"), format="xlsx")


def test_everything_wrong_is_one_error_with_rows_and_remedies(write):
    good = {"doc_id": "a", "hypothesis": "x"}
    rows = [
        good,
        {**good, "confidence": "high"},
        {"doc_id": "c", "hypothesis": "x", "confidence": 87},
        {"doc_id": "d", "hypothesis": "x", "kind": "money"},
        {"doc_id": "e", "hypothesis": "x", "box": [10, 20, 300, 400]},
        {"doc_id": "f"},
        {"hypothesis": "x"},
        {"doc_id": "h", "hypothesis": 12},
        {"doc_id": "i", "hypothesis": "x", "doc_type": "x" * 1001},
    ]
    path = write("pool.jsonl", jsonl(*rows) + "{broken\n[1]\n")

    with pytest.raises(InputError) as caught:
        read_pool(path)

    message = str(caught.value)
    assert message.startswith(f"{path}: nothing was imported, because of\n")
    for line in [
        "- line 2: a confidence that is not a number (first found: 'high'). Write a number from 0",
        "- line 3: a confidence above 1 (first found: 87). Divide confidences by 100.",
        "- line 4: an unknown kind (first found: 'money'). Write amount, code, date or text.",
        "- line 5: a box in pixels (first found: [10, 20, 300, 400]). Divide by the image's",
        '- line 6: no hypothesis. Write "" where the OCR read nothing.',
        "- line 7: no doc_id. Give each document a name of its own.",
        "- line 8: a text that is not a string (first found: 'int'). Write it in quotes",
        "- line 9: an id or label of more than 1,000 characters (first found: 'xxx",
        "- line 10: not JSON: a key in double quotes is missing (first found: 'column 2'). Write",
        "- line 11: not a JSON object (first found: 'list'). Write one JSON object per line.",
        "- line 2: the doc_id of an earlier row (first found: 'a'). Give each row its own",
    ]:
        assert line in message


def test_a_row_that_is_cut_off_is_told_by_its_line(write):
    path = write("pool.jsonl", jsonl({"doc_id": "a", "hypothesis": "x"}) + '{"doc_id": "b", "hyp')

    with pytest.raises(InputError) as caught:
        read_pool(path)

    assert str(caught.value) == (
        f"{path}: nothing was imported, because of\n"
        "- line 2: not JSON: it breaks off before it is complete. Write one whole JSON object per "
        "line; if it is the last line, copy the file again."
    )


def test_many_bad_rows_show_the_first_ten_and_their_number(write):
    rows = [{"doc_id": str(i), "hypothesis": "x", "confidence": -1} for i in range(25)]

    with pytest.raises(InputError, match=r"lines 1, 2, .* 9, 10 and 15 more \(25 in all\): a conf"):
        read_pool(write("a.jsonl", jsonl(*rows)))


def test_rows_of_csv_are_numbered_by_the_line_they_begin_in(write):
    content = 'doc_id,hypothesis,confidence\n\na,"two\nlines",\nb,x,high\nc,x\nd,x"y,\ne,""",1\n'

    with pytest.raises(InputError) as caught:
        read_pool(write("a.csv", content))

    message = str(caught.value)
    assert "line 5: a confidence that is not a number" in message
    assert "line 6: not 3 cells as in the first row (first found: 2)" in message
    assert "line 7: a quote" in message


def test_rows_that_begin_with_their_number_are_refused_with_what_to_do(write):
    told = "If every row begins with its number, name that column too."

    with pytest.raises(
        InputError, match=rf"lines 2, 3: not 2 cells .* \(first found: 3\).* {told}"
    ):
        read_pool(write("a.csv", "doc_id,hypothesis\n0,a,x\n1,b,y\n"))
    named = read_pool(write("b.csv", ",doc_id,hypothesis\n0,a,x\n1,b,y\n"))
    assert named["doc_id"].tolist() == ["a", "b"]


def test_a_quote_that_is_never_closed_does_not_swallow_the_file(write):
    with pytest.raises(InputError, match="line 3: a quote that is never closed"):
        read_pool(write("a.csv", 'doc_id,hypothesis\na,x\nb,"x\nc,y\n'))


def test_a_record_of_many_megabytes_is_a_quote_that_is_never_closed(write, monkeypatch):
    monkeypatch.setattr("ocrjury.readers.csv_rows.MAX_LINE", 100)

    with pytest.raises(InputError, match="lines 2, 43: a quote that is never closed"):
        read_pool(write("a.csv", 'doc_id,hypothesis\na,"x\n' + "b,y\n" * 40 + '"\n'))


@pytest.mark.parametrize("cell", ['5" pipe', 'the "old" bill"', '"old" bill"', '"a "b", c" d"'])
def test_a_quote_within_a_cell_takes_in_no_other_row(write, cell):
    pool = write("a.csv", f'doc_id,hypothesis\na,{cell}\nb,"x\n""y"""\nc,{cell}\nd,z\n')

    batches = iter_pool(pool)

    assert [frame["hypothesis"].tolist() for frame in batches] == [['x\n"y"', "z"]]
    assert [entry["position"] for entry in batches.quarantine] == ["line 2", "line 5"]


def test_rows_that_a_quote_takes_in_are_told_by_their_lines(write):
    batches = iter_pool(write("a.csv", 'doc_id,hypothesis\na,x\nb,"y\nc,z\nd,"z"\ne,"z\nf,z\n'))

    assert [frame["doc_id"].tolist() for frame in batches] == [["a"]]
    assert [entry["position"] for entry in batches.quarantine] == ["lines 3 to 5", "lines 6 to 7"]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_missing_column_names_those_that_are_there(tmp_path, suffix):
    frame = pd.DataFrame({"doc_id": ["a"], "reference": ["x"]})
    path = tmp_path / f"a.{suffix}"
    frame.to_csv(path, index=False) if suffix == "csv" else parquet(path, frame)

    with pytest.raises(InputError, match="no column 'hypothesis'; found 'doc_id', 'reference'"):
        read_pool(path)


def test_a_column_that_comes_twice_is_refused(write):
    with pytest.raises(InputError, match="column 'hypothesis' comes more than once"):
        read_pool(write("a.csv", "doc_id,hypothesis,hypothesis\n"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b"", "holds no document"),
        ("a.jsonl", b"\n\n", "holds no document"),
        ("a.csv", b"", "is empty; its first row must name the columns"),
        ("a.csv", b"doc_id,hypothesis\n", "holds no document"),
        ("a.parquet", b"PAR1 no more", "not a readable Parquet file"),
    ],
)
def test_files_without_documents(*, write, name, content, message):
    with pytest.raises(InputError, match=message):
        read_pool(write(name, content))


def test_absent_files_and_folders_are_told(tmp_path):
    with pytest.raises(InputError, match="cannot be opened: No such file"):
        read_pool(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="holds no document; a pool needs at least one"):
        read_pool(tmp_path)


def test_addresses_are_opened_by_fsspec(write):
    path = write("a.csv", "doc_id,hypothesis\na,x\n")

    assert len(read_pool(f"file://{path}")) == 1
    with pytest.raises(InputError, match=r"cannot be opened"):
        read_pool("file:///no/such/file.csv")
    with pytest.raises(InputError, match=r"cannot be opened"):
        read_pool("nonsense://x/y.csv")


def test_references_elsewhere_are_not_for_tables(write):
    with pytest.raises(InputError, match="a csv pool holds its references in the column"):
        read_pool(write("a.csv", "doc_id,hypothesis\na,x\n"), reference="gt/")


def test_numbers_are_ids_as_they_are_written(write):
    assert read_pool(write("a.csv", "doc_id,hypothesis\n007,x\n")).loc[0, "doc_id"] == "007"
    assert read_pool(write("b.jsonl", '{"doc_id": 7, "hypothesis": "x"}')).loc[0, "doc_id"] == "7"


@pytest.mark.parametrize("bad", [1.5, True, [], "", " "])
def test_other_ids_are_refused(write, bad):
    with pytest.raises(InputError, match=r"line 1: an? .*id"):
        read_pool(write("a.jsonl", jsonl({"doc_id": bad, "hypothesis": "x"})))


@pytest.mark.parametrize(
    ("cell", "confidence"), [("0", 0.0), ("1", 1.0), ("0.87", 0.87), ("1e-1", 0.1), ("", math.nan)]
)
def test_confidences_in_csv(write, cell, confidence):
    pool = read_pool(write("a.csv", f"doc_id,hypothesis,confidence\na,x,{cell}\n"))

    assert pool.loc[0, "confidence"] == pytest.approx(confidence, nan_ok=True)


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ('"nan"', "is not a number"),
        ('"1_0"', "is not a number"),
        ("true", "is not a number"),
        ("[]", "is not a number"),
        ("NaN", "not JSON"),
        ('0.5, "confidence": 0.6', "the key 'confidence' comes twice"),
        ("87.5", "above 1"),
        ("-0.1", "outside 0 to 1"),
        ("1e999", "outside 0 to 1"),
        ("1" + "0" * 400, "outside 0 to 1"),
    ],
)
def test_bad_confidences_are_told_apart(write, bad, what):
    row = f'{{"doc_id": "a", "hypothesis": "x", "confidence": {bad}}}'

    with pytest.raises(InputError, match=what):
        read_pool(write("a.jsonl", row))


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ([0.1, 0.2, 0.3], "not four numbers"),
        ([0.1, 0.2, 0.3, None], "not four numbers"),
        (["a", 0, 1, 1], "not four numbers"),
        ([0.5, 0.2, 0.3, 0.4], "an empty box"),
        ([-0.1, 0.2, 0.3, 0.4], "an empty box"),
        ("somewhere", "is not a list"),
        ({"left": 0}, "not four numbers"),
    ],
)
def test_bad_boxes_are_told_apart(write, bad, what):
    with pytest.raises(InputError, match=what):
        read_pool(write("a.jsonl", jsonl({"doc_id": "a", "hypothesis": "x", "box": bad})))


def test_names_of_other_tools_are_understood(write):
    row = {"id": "a", "gt": "x", "prediction": "y", "conf": 0.5, "lang": "ko", "engine": "e"}

    pool = read_pool(write("a.jsonl", jsonl(row)))

    assert list(pool.columns) == CONTRACT
    assert pool.loc[0, ["doc_id", "reference", "hypothesis", "language", "system"]].tolist() == [
        "a", "x", "y", "ko", "e",
    ]  # fmt: skip


def test_our_own_name_wins_over_that_of_another_tool(write):
    pool = read_pool(write("a.csv", "id,doc_id,hypothesis,text\nx,a,1,2\n"))

    assert pool.loc[0, ["doc_id", "id", "hypothesis", "text"]].tolist() == ["a", "x", "1", "2"]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_two_names_of_other_tools_for_one_column_are_refused(tmp_path, suffix):
    row = {"id": "a", "gt": "x", "text": "y", "prediction": "z"}
    path = tmp_path / f"pool.{suffix}"
    if suffix == "parquet":
        parquet(path, pd.DataFrame([row]))
    elif suffix == "csv":
        pd.DataFrame([row]).to_csv(path, index=False)
    else:
        path.write_text(jsonl(row), encoding="utf-8")

    with pytest.raises(InputError, match="'text' and 'prediction', either of which"):
        read_pool(path)


def test_columns_of_the_files_own_are_kept_as_plain_values(write):
    rows = [
        {"doc_id": "a", "hypothesis": "x", "n": 1, "f": 1, "b": True, "s": "t", "deep": {"가": 1}},
        {"doc_id": "b", "hypothesis": "x", "n": 2, "f": 1.5, "s": 3, "late": 2**70},
    ]

    pool = read_pool(write("a.jsonl", jsonl(*rows)))

    assert pool["n"].tolist() == [1, 2]
    assert pool["f"].tolist() == [1.0, 1.5]
    assert pool["b"].tolist() == [True, pd.NA]
    assert pool["s"].tolist() == ["t", "3"]
    assert pool["deep"].iloc[0] == '{"가": 1}'
    assert pool["late"].iloc[1] == float(2**70)


@pytest.mark.parametrize(
    "values", [[12345678901234567, None], [10**20 + 1, 1], [2**53 + 1, 0.5], [10**400, 1]]
)
def test_whole_numbers_of_many_digits_lose_none(write, values):
    rows = [{"doc_id": str(i), "hypothesis": "x", "id no": n} for i, n in enumerate(values)]

    pool = read_pool(write("a.jsonl", jsonl(*rows)))

    assert pool["id no"].iloc[0] == str(values[0])


def test_times_and_decimals_of_parquet_are_as_they_print(tmp_path):
    frame = pd.DataFrame({"doc_id": ["a"], "hypothesis": ["x"], "score": [Decimal("1.50")]})
    frame["at"] = pd.Timestamp("2026-11-20 09:30")

    pool = read_pool(parquet(tmp_path / "a.parquet", frame))

    assert pool.loc[0, ["score", "at"]].tolist() == ["1.50", "2026-11-20 09:30:00"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_first_line_of_excel_and_empty_rows_are_passed_over(write, delimiter):
    content = "sep=,\r\ndoc_id,hypothesis,confidence\r\na,x,0.5\r\n,,\r\nb,,\r\n,,\r\n"

    pool = read_pool(write("a.csv", content.replace(",", delimiter)))

    assert pool[["doc_id", "hypothesis"]].to_numpy().tolist() == [["a", "x"], ["b", ""]]


def test_a_column_without_a_name_is_left_out(write):
    path = write("a.csv", ",doc_id,hypothesis\n0,a,x\n1,b,y\n")

    assert list(read_pool(path).columns) == CONTRACT


def test_half_a_character_is_told_by_line(write):
    with pytest.raises(InputError, match="line 1: a lone surrogate"):
        read_pool(write("a.jsonl", '{"doc_id": "a", "hypothesis": "\\ud800"}'))


def test_whole_characters_written_as_escapes_are_read(write):
    pool = read_pool(write("a.jsonl", '{"doc_id": "a", "hypothesis": "\\ud83d\\ude00\\uac00"}'))

    assert pool.loc[0, "hypothesis"] == "😀가"


def test_a_pool_of_several_blocks_is_one_frame(write, monkeypatch):
    monkeypatch.setattr("ocrjury.readers.pool_frame._BLOCK_ROWS", 2)
    rows = [{"doc_id": str(i), "hypothesis": "x", f"own{i // 2}": i} for i in range(6)]

    pool = read_pool(write("a.jsonl", jsonl(*rows)))

    assert pool["doc_id"].tolist() == [str(i) for i in range(6)]
    assert pool["own2"].dropna().tolist() == [4, 5]
    assert pool.index.tolist() == list(range(6))


def test_duplicates_are_found_across_blocks(write, monkeypatch):
    monkeypatch.setattr("ocrjury.readers.pool_frame._BLOCK_ROWS", 2)
    rows = [{"doc_id": i, "hypothesis": "x"} for i in ["a", "b", "c", "a"]]

    with pytest.raises(InputError, match="line 4: the doc_id of an earlier row"):
        read_pool(write("a.jsonl", jsonl(*rows)))


def test_rows_of_parquet_are_counted_from_one(tmp_path):
    frame = pd.DataFrame({"doc_id": ["a", "a"], "hypothesis": ["x", "y"]})

    with pytest.raises(InputError, match="row 2: the doc_id"):
        read_pool(parquet(tmp_path / "a.parquet", frame))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.text(
    st.sampled_from("\r\n\"',;\\ a금"), max_size=12
)
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=6)
ROWS = st.lists(
    st.fixed_dictionaries(
        {"doc_id": NAMES, "hypothesis": TEXT, "reference": st.none() | TEXT},
        optional={"confidence": st.none() | st.floats(0, 1)},
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda row: row["doc_id"],
)
FUZZ = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def same(pool, rows):
    """Whether the frame holds what was written."""
    return [
        (r.doc_id, r.hypothesis, None if pd.isna(r.reference) else r.reference)
        for r in pool.itertuples()
    ] == [(row["doc_id"], row["hypothesis"], row["reference"]) for row in rows]


@FUZZ
@given(rows=ROWS, ascii_only=st.booleans())
def test_what_was_written_as_jsonl_is_read(tmp_path, rows, ascii_only):
    path = tmp_path / "a.jsonl"
    lines = [json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows]
    path.write_text("".join(lines), encoding="utf-8", newline="")

    assert same(read_pool(path), rows)


def cell(text):
    """A cell in quotes, an empty one if there is no text."""
    return "" if text is None else '"{}"'.format(text.replace('"', '""'))


@FUZZ
@given(rows=ROWS, end=st.sampled_from(["\n", "\r\n"]))
def test_what_was_written_as_csv_is_read(tmp_path, rows, end):
    path = tmp_path / "a.csv"
    names = ["doc_id", "hypothesis", "reference"]
    lines = [",".join(names), *(",".join(cell(row[name]) for name in names) for row in rows)]
    path.write_text(end.join(lines), encoding="utf-8", newline="")

    assert same(read_pool(path), rows)


@FUZZ
@given(rows=ROWS)
def test_what_was_written_as_parquet_is_read(tmp_path, rows):
    columns = ["doc_id", "hypothesis", "reference"]
    frame = pd.DataFrame(rows, columns=columns, dtype="str")

    assert same(read_pool(parquet(tmp_path / "a.parquet", frame)), rows)


def read_or_refuse(path, form):
    """The pool, None if it was refused in a sentence that names the file."""
    try:
        return read_pool(path, format=form)
    except InputError as refused:
        error = refused
    assert str(path) in str(error)
    return None


@FUZZ
@example(content="a,x\nb,y\n", form="csv", head=b"doc_id,hypothesis\n")
@example(content="a,x\na,y\n", form="csv", head=b"doc_id,hypothesis\n")
@given(
    content=st.binary(max_size=60) | st.text('{}[]",:\\u0d8 \n\rdoc_ihypthes', max_size=60),
    form=st.sampled_from([None, "jsonl", "csv", "parquet"]),
    head=st.sampled_from([b"", b"doc_id,hypothesis\n", b"PAR1", b'{"doc_id":"a","hypothesis":']),
)
def test_any_bytes_are_a_pool_or_an_input_error(*, tmp_path, content, form, head):
    path = tmp_path / "a"
    path.write_bytes(head + (content if isinstance(content, bytes) else content.encode()))

    pool = read_or_refuse(path, form)

    if pool is not None:
        assert list(pool.columns[:11]) == CONTRACT
        assert pool["doc_id"].is_unique


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@FUZZ
@example(rows=[{"doc_id": "a", "hypothesis": "x", "confidence": 1}])
@example(rows=[{"doc_id": "a", "hypothesis": "x", "confidence": 1.5}])
@given(
    rows=st.lists(
        st.dictionaries(st.sampled_from([*CONTRACT, "own"]), JSON_VALUES, max_size=6), max_size=4
    )
    | st.lists(
        st.fixed_dictionaries(
            {"doc_id": st.text("ab", min_size=1), "hypothesis": st.text(max_size=4)},
            optional={"confidence": st.none() | st.floats(-0.1, 1.1), "own": JSON_VALUES},
        ),
        min_size=1,
        max_size=2,
    )
)
def test_any_objects_are_a_pool_or_an_input_error(tmp_path, rows):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    pool = read_or_refuse(path, "jsonl")

    if pool is not None:
        assert pool["confidence"].dropna().between(0, 1).all()
        parquet(tmp_path / "again.parquet", pool)


def test_no_text_of_a_document_stands_in_a_problem(tmp_path):
    path = tmp_path / "pool.jsonl"
    path.write_text('{"doc_id": "a", "hypothesis": ["SECRET"], "reference": 4711}\n', "utf-8")

    with pytest.raises(InputError) as error:
        read_pool(path)

    assert "SECRET" not in str(error.value)
    assert "4711" not in str(error.value)
