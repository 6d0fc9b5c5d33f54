"""Files made to harm: each is refused in a sentence, quickly, in little memory."""

import gzip
import io
import json
import re
import zipfile

import pandas as pd
import pytest

from ocrjury import InputError
from ocrjury.readers import iter_pool, read_pool, read_units
from tests.readers.measuring import measured
from tests.readers.ocr_files import DATA

PAGE = (
    '<PcGts><Page imageWidth="9" imageHeight="9"><TextRegion id="r">{}</TextRegion></Page></PcGts>'
)
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMB = f'<!DOCTYPE PcGts [<!ENTITY l0 "lol">{LAUGHS}]>'


@pytest.fixture
def refuse(tmp_path):
    """A function that reads a file alone, and in a folder beside a good one.

    It returns the sentence of the refusal.
    """

    def refuse(name, content):
        (tmp_path / "pool").mkdir(exist_ok=True)
        path = tmp_path / "pool" / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (tmp_path / "pool" / "good.txt").write_text("x", encoding="utf-8")

        with pytest.raises(InputError) as caught:
            read_pool(path)
        pool = read_pool(tmp_path / "pool")

        assert str(path) in str(caught.value)
        assert len(str(caught.value)) < 600
        assert pool["doc_id"].tolist() == ["good"]
        assert pool.attrs["quarantine"][0]["path"] == str(path)
        return str(caught.value)

    return refuse


@pytest.mark.parametrize(
    "content",
    [
        BOMB + PAGE.format("<TextEquiv><Unicode>&l9;</Unicode></TextEquiv>"),
        BOMB + PAGE.format('<TextEquiv conf="&l9;"/>'),
        (BOMB + PAGE.format("&l2;")).encode("utf-16"),
        '<!DOCTYPE PcGts [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + PAGE.format("&x;"),
        '<!DOCTYPE PcGts [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]>' + PAGE.format("&x;"),
        '<!DOCTYPE PcGts [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]>' + PAGE.format(""),
        '<!DOCTYPE PcGts SYSTEM "http://127.0.0.1:9/x.dtd">'
        + PAGE.format("<TextEquiv><Unicode>a&nbsp;b</Unicode></TextEquiv>"),
    ],
)
def test_entities_are_refused(refuse, content):
    assert "entity declarations or references" in refuse("a.xml", content)


def test_a_document_type_alone_is_no_reason(tmp_path):
    path = tmp_path / "a.xml"
    text = "<TextEquiv><Unicode>x</Unicode></TextEquiv>"
    path.write_text('<!DOCTYPE PcGts SYSTEM "http://127.0.0.1:9/x.dtd">' + PAGE.format(text))

    assert read_pool(path)["hypothesis"].tolist() == ["x"]


def test_entities_of_html_are_no_declarations(refuse):
    sentence = refuse("a.hocr", f"{BOMB}<html><body>&l9;</body></html>")

    assert "entity declarations" in sentence


def test_an_inclusion_is_not_followed(tmp_path):
    include = (
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd" parse="text"/>'
    )
    path = tmp_path / "a.xml"
    path.write_text(PAGE.format(f"<TextEquiv><Unicode>{include}</Unicode></TextEquiv>"))

    assert read_pool(path)["hypothesis"].tolist() == [""]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.xml", "<PcGts>" + "<a>" * 300 + "</a>" * 300 + "</PcGts>", "line 1.*Excessive depth"),
        ("a.xml", "<PcGts>" + "<a/>" * 2_000_001 + "</PcGts>", "more than 2,000,000 tags"),
        ("a.xml", "<PcGts a='" + "x" * 10_100_000 + "'/>", "Resource limit exceeded"),
        ("a.xml", "<PcGts>" + "x" * 10_100_000 + "</PcGts>", "Resource limit exceeded"),
        ("a.xml", '<?xml version="1.0" encoding="utf-9"?><PcGts/>', "Unsupported encoding"),
        ("a.xml", "<PcGts>가</PcGts>".encode("cp949"), "line 1, column 8: Invalid bytes"),
        ("a.xml", "<PcGts>\0</PcGts>", "Invalid character"),
        ("a.xml", b"<PcGts>" + b"\xff" * 9, "Invalid bytes"),
        ("a.hocr", "<html>" + "<div>" * 400 + "x" + "</div>" * 400 + "</html>", "Excessive depth"),
        (
            "a.hocr",
            "<html><p " + " ".join(f"a{n}" for n in range(50_000)) + "></p></html>",
            "line 1: a tag or text of more than 100,000 bytes",
        ),
        ("a.hocr", "<html><body>" + "<p></p>" * 1_100_000 + "</body></html>", "2,000,000 tags"),
        ("a.hocr", "<html>" + "가" * 9, "truncated"),
        ("a.hocr", "<html>\0</html>", "a NUL"),
        ("a.hocr", b'<html><meta charset="hex"></html>\xff', "unknown encoding|text neither"),
        ("a.json", '{"Blocks": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ("a.json", '{"Blocks": [' + "{}," * 1_600_000 + "{}]}", "more than 3,000,000 values"),
        ("a.json", '{"Blocks": [1' + "0" * 5000 + "]}", "not JSON|not an object"),
        (
            "a.json",
            '{"Blocks": [{"BlockType": "\\ud800"}]}',
            r"Blocks\[0\].BlockType: a lone surrogate",
        ),
        ("a.txt", "a\n" * 500_001, "more than 500,000 lines"),
        ("a.txt", "\f" * 500_001, "more than 500,000 lines"),
        ("a.tsv", (DATA / "english.tsv").read_text() + "\n" * 500_001, "more than 500,000 lines"),
        ("a.json", '{"entities": 1, "text": "' + "\\n" * 3_000_001 + '"}', "more than 3,000,000"),
        (
            "a.json",
            '{"modelId": 1, "pages": [{}], "documents": [{"fields": {"a": '
            + '{"type": "object", "valueObject": {"a": ' * 490
            + '{"confidence": 7}'
            + "}}" * 490
            + "}}]}",
            r"confidence: a confidence outside|nested too deeply",
        ),
        ("a.json", '{"Blocks": [', "line 1, column 13: not JSON"),
        ("a.json", b'{"Blocks": "\xff"}', r"text neither in utf-8 \(byte 13\)"),
    ],
)
def test_huge_deep_broken_and_wrongly_encoded_files_are_refused(*, refuse, name, content, reason):
    assert re.search(reason, refuse(name, content))


def test_a_file_larger_than_any_page_is_refused(refuse, monkeypatch):
    monkeypatch.setattr("ocrjury.readers.sources.MAX_BYTES", 1 << 20)

    assert "more than 64 MB, too large for a page of text" in refuse("a.txt", "x" * ((1 << 20) + 1))


def test_a_packed_file_is_read(tmp_path):
    path = tmp_path / "page.xml.gz"
    path.write_bytes(gzip.compress((DATA / "page-2010.xml").read_bytes()))
    pool = tmp_path / "pool.jsonl.gz"
    pool.write_bytes(gzip.compress(b'{"doc_id": "a", "hypothesis": "x"}\n'))

    assert read_pool(path)["doc_id"].tolist() == ["page"]
    assert read_pool(pool)["hypothesis"].tolist() == ["x"]


def test_a_packed_file_that_breaks_off_is_refused(refuse):
    packed = gzip.compress((DATA / "page-2010.xml").read_bytes())

    assert "is damaged or cannot be unpacked" in refuse("a.xml.gz", packed[:-20])


def test_a_packed_bomb_is_refused(refuse):
    sentence = refuse("a.txt.gz", gzip.compress(b"\n" * (70 << 20)))

    assert "unpacks to more than 200 times its size" in sentence


def test_a_packed_pool_that_is_a_bomb_is_refused(tmp_path):
    path = tmp_path / "pool.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n" * (70 << 20)))

    with pytest.raises(InputError, match=r"pool.jsonl.gz unpacks to more than 200 times its size"):
        read_pool(path)


def archive(*members):
    """A zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members:
            packed.writestr(name, content)
    return file.getvalue()


def test_a_bomb_in_an_archive_leaves_the_rest_unharmed(tmp_path):
    path = tmp_path / "pool.zip"
    path.write_bytes(archive(("bomb.txt", b"\n" * (70 << 20)), ("good.txt", b"x")))

    pool = read_pool(path)

    assert pool["doc_id"].tolist() == ["good"]
    assert "200 times its size" in pool.attrs["quarantine"][0]["reason"]


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda data: data[:-30], "its end is missing|cannot be opened"),
        (lambda data: data.replace(b"PK\x01\x02", b"PK\x09\x09"), "cannot be opened"),
        (lambda data: b"PK\x03\x04", "its end is missing"),
    ],
)
def test_a_damaged_archive_is_refused(*, tmp_path, harm, reason):
    path = tmp_path / "pool.zip"
    path.write_bytes(harm(archive(("a.txt", b"x"))))

    with pytest.raises(InputError, match=reason):
        read_pool(path)


def test_a_damaged_member_leaves_the_rest_unharmed(tmp_path):
    path = tmp_path / "pool.zip"
    content = b"some text that is packed, and packed, and packed"
    data = archive(("a.txt", content), ("b.txt", b"x"))
    place = data.index(b"a.txt") + 10
    path.write_bytes(data[:place] + b"\xff\xff\xff" + data[place + 3 :])

    pool = read_pool(path)

    assert pool["doc_id"].tolist() == ["b"]
    assert "pool.zip/a.txt" in pool.attrs["quarantine"][0]["path"]


def test_an_archive_that_lists_too_many_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("ocrjury.readers.file_sets._MAX_DIRECTORY", 100)
    path = tmp_path / "pool.zip"
    path.write_bytes(archive(*((f"{n}.txt", b"x") for n in range(10))))

    with pytest.raises(InputError, match="lists too many files"):
        read_pool(path)
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)  # the size is told elsewhere then
    path.write_bytes(archive(*((f"{n}.txt", b"x") for n in range(10))))
    with pytest.raises(InputError, match="lists too many files"):
        read_pool(path)
    monkeypatch.undo()
    assert len(read_pool(path)) == 10


def refused_in(path, limit=1500):
    """The MB that refusing a file took."""
    return measured(
        f"""
        try:
            read_pool({str(path)!r})
        except InputError as error:
            assert {str(path)!r} in str(error), error
        else:
            raise SystemExit("it was read")
        """,
        limit,
    )


def test_a_line_of_hundreds_of_megabytes_is_refused_in_little_memory(tmp_path):
    path = tmp_path / "pool.jsonl"
    with path.open("wb") as file:
        file.write(b'{"doc_id": "a", "hypothesis": "x"}\n{"doc_id": "b", "hypothesis": "')
        file.truncate(300 << 20)  # a hole of NULs, which takes no place on the disk

    assert refused_in(path) < 250


def test_a_csv_cell_of_hundreds_of_megabytes_is_refused_in_little_memory(tmp_path):
    path = tmp_path / "pool.csv"
    with path.open("wb") as file:
        file.write(b'doc_id,hypothesis\na,"')
        file.truncate(300 << 20)

    assert refused_in(path) < 250


def test_the_largest_tree_that_is_read_fits(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(PAGE.format("<a/>" * 1_990_000))

    assert measured(f"assert len(read_pool({str(path)!r})) == 1") < 450


def test_the_largest_json_that_is_read_fits(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"Blocks": [], "x": [' + '{"a":{}},' * 740_000 + "0]}")

    assert measured(f"assert len(read_pool({str(path)!r})) == 1") < 600


def test_more_words_than_any_document_has_are_refused(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("a " * 500_001)

    with pytest.raises(InputError, match="more than 500,000 words"):
        read_units(path, unit="word")


def test_a_long_table_of_words_takes_a_kilobyte_for_each(tmp_path):
    path = tmp_path / "a.tsv"
    head = (DATA / "english.tsv").read_text().split("\n")[0]
    path.write_text(head + "\n" + "5\t1\t1\t1\t1\t1\t0\t0\t1\t1\t9\tx\n" * 100_000)

    assert measured(f"assert len(read_pool({str(path)!r})) == 1") < 120


def test_a_column_that_unpacks_to_gigabytes_is_refused(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "pool.parquet"
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 5000), pa.array(["x" * 1_500_000]))
    ids = [str(n) for n in range(5000)]
    pq.write_table(pa.table({"doc_id": ids, "hypothesis": texts}), path, compression="none")

    took = measured(
        f"""
        rows = 0
        for frame in iter_pool({str(path)!r}):
            rows += len(frame)
            if rows > 50:
                break
        """
    )
    assert took < 600


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "csv"])
def test_a_row_with_more_text_than_a_pool_takes_is_left_out_by_its_line(tmp_path, suffix):
    # In two columns, of which each would do; in Parquet the last one is refused unread.
    halves = {"hypothesis": ["a", "b" * 1_999_990, "c"], "reference": ["a", "b" * 20, "c" * 10**7]}
    table = pd.DataFrame({"doc_id": ["1", "2", "3"], **halves})
    path = tmp_path / f"pool.{suffix}"
    {
        "parquet": lambda: table.to_parquet(path),
        "jsonl": lambda: table.to_json(path, orient="records", lines=True),
        "csv": lambda: table.to_csv(path, index=False),
    }[suffix]()
    first = 2 if suffix == "csv" else 1
    word = "row" if suffix == "parquet" else "line"

    batches = iter_pool(tmp_path)
    assert [frame["doc_id"].tolist() for frame in batches] == [["1"]]
    assert sorted((entry["position"], entry["reason"]) for entry in batches.quarantine) == [
        (
            f"{word} {number + first}",
            "more than 2,000,000 characters in a row. Split the document, such as page by page",
        )
        for number in (1, 2)
    ]
    with pytest.raises(InputError, match=r"more than 2,000,000 characters in a row\. Split"):
        read_pool(path)


def test_columns_beyond_those_of_a_pool_are_left_out_by_their_line(tmp_path):
    path = tmp_path / "pool.jsonl"
    rows = [{"doc_id": "1", "hypothesis": "a", "page": 1}]
    rows += [{"doc_id": f"w{n}", "hypothesis": "a", f"x{n}": 1} for n in range(500)]
    rows += [{"doc_id": "2", "hypothesis": "a", "page": 2}]
    path.write_text("\n".join(map(json.dumps, rows)))

    batches = iter_pool(tmp_path)
    (frame,) = batches

    # The eleven columns of every pool, and page.
    assert len(frame) == 1 + 488 + 1
    assert frame.shape[1] == 500
    assert frame["page"].dropna().tolist() == [1, 2]
    assert batches.quarantine[0] == {
        "path": str(path),
        "position": "line 490",
        "reason": "more than 500 columns with those of earlier rows. Put further values into one "
        "column, as an object",
    }
    assert len(batches.quarantine) == 12


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_table_of_more_columns_than_a_pool_takes_is_refused(tmp_path, suffix):
    path = tmp_path / f"pool.{suffix}"
    table = pd.DataFrame(
        {"doc_id": ["1"], "hypothesis": ["a"]} | {f"x{n}": [1] for n in range(499)}
    )
    table.to_csv(path) if suffix == "csv" else table.to_parquet(path)

    with pytest.raises(InputError, match=r"has 50[12] columns; a pool has at most 500"):
        read_pool(path)


def test_rows_after_a_bad_line_are_read_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr("ocrjury.readers.sources.MAX_LINE", 100)
    path = tmp_path / "pool.jsonl"
    rows = [{"doc_id": str(n), "hypothesis": "x" * (200 if n == 1 else 1)} for n in range(4)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    batches = iter_pool(path, batch=2)

    assert [frame["doc_id"].tolist() for frame in batches] == [["0", "2"], ["3"]]
    assert batches.quarantine == [
        {
            "path": str(path),
            "reason": "a line of more than 20,000,000 characters. Write one JSON object per line",
            "position": "line 2",
        }
    ]
