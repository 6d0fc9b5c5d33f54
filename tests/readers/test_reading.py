"""Folders: which files belong together, and what becomes of those that do not."""

import json
import shutil
import warnings
from unicodedata import normalize

import pandas as pd
import pytest

from ocrjury import InputError
from ocrjury.readers import iter_pool, read_pool, read_units
from tests.readers.ocr_files import DATA


@pytest.fixture
def fill(tmp_path):
    def fill(name, files):
        for file, content in files.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                shutil.copy(DATA / file, path)
            else:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / name

    return fill


def pairs(pool):
    return [
        (row.doc_id, row.hypothesis, None if pd.isna(row.reference) else row.reference)
        for row in pool.itertuples()
    ]


def test_files_marked_gt_are_references_of_those_beside_them(fill):
    folder = fill("pool", {"p1.txt": "a", "p1.gt.txt": "A", "p2.txt": "b"})

    pool = read_pool(folder)

    assert pairs(pool) == [("p1", "a", "A"), ("p2", "b", None)]
    assert pool.attrs["unmatched"] == [
        {"path": str(folder / "p2.txt"), "reason": "no reference of this name"}
    ]


def test_folders_are_paired_by_name_up_to_the_first_dot(fill):
    ocr = fill("ocr", {"p1.txt": "a", "p2.ocr.txt": "b", "p3.txt": "c", "x/p4.txt": "d"})
    right = fill("gt", {"p1.gt.txt": "A", "p2.txt": "B", "x/p4.txt": "D", "p5.txt": "E"})

    pool = read_pool(ocr, reference=right)

    assert pairs(pool) == [
        ("p1", "a", "A"),
        ("p2", "b", "B"),
        ("p3", "c", None),
        ("x/p4", "d", "D"),
    ]
    assert [entry["path"] for entry in pool.attrs["unmatched"]] == [
        str(right / "p5.txt"), str(ocr / "p3.txt"),
    ]  # fmt: skip


def test_one_folder_may_be_both(fill):
    folder = fill("pool", {"p1.txt": "a", "p1.gt.txt": "A"})

    assert pairs(read_pool(folder, reference=folder)) == [("p1", "a", "A")]


def test_formats_may_be_mixed_on_both_sides(fill):
    ocr = fill("ocr", {"page-2010.xml": None, "tesseract.hocr": None})
    right = fill("gt", {"page-2010.gt.txt": "Ärztin", "tesseract.txt": "one\n\fsecond page\n\f"})

    pool = read_pool(ocr, reference=right)

    assert pairs(pool) == [
        ("page-2010", "Ärztin", "Ärztin"),
        ("tesseract/1", "Patient's name\nA&B*", "one"),
        ("tesseract/2", "", "second page"),
    ]
    assert pool.attrs["format"] == "mixed"
    assert pool.attrs["formats"] == {"hocr": 1, "page": 1}


def test_one_file_is_paired_with_one_file_whatever_they_are_called(fill):
    ocr, right = fill("ocr", {"a.txt": "x"}) / "a.txt", fill("gt", {"b.txt": "y"}) / "b.txt"

    assert pairs(read_pool(ocr, reference=right)) == [("a", "x", "y")]


def test_one_file_is_paired_with_its_like_in_a_folder(fill):
    ocr = fill("ocr", {"a.txt": "x"}) / "a.txt"
    right = fill("gt", {"a.gt.txt": "y", "b.txt": "z"})

    assert pairs(read_pool(ocr, reference=right)) == [("a", "x", "y")]
    with pytest.raises(InputError, match="holds no reference for the document 'a'"):
        read_pool(ocr, reference=fill("other", {"b.txt": "z"}))


@pytest.mark.parametrize("forms", [("NFC", "NFD"), ("NFD", "NFC")])
def test_names_in_either_form_of_unicode_are_paired(fill, forms):
    read, right = (f"{normalize(form, '영수증')}.txt" for form in forms)

    pool = read_pool(fill("ocr", {read: "x"}), reference=fill("gt", {right: "y"}))

    assert pairs(pool) == [("영수증", "x", "y")]


def test_names_that_differ_after_the_first_dot_are_paired_alike_and_the_others_told(fill):
    ocr = fill("ocr", {"a.02.txt": "two"})
    right = fill("gt", {name: name for name in ("a.01.txt", "a.02.txt")})
    both = fill("both", {"a.02.txt": "two", "a.01.gt.txt": "1", "a.02.gt.txt": "2"})

    pool, beside = read_pool(ocr, reference=right), read_pool(both)

    assert pairs(pool) == [("a", "two", "a.02.txt")]
    assert pairs(read_pool(ocr / "a.02.txt", reference=right)) == [("a", "two", "a.02.txt")]
    assert pairs(beside) == [("a", "two", "2")]
    reason = "a second file of the document 'a'"
    assert pool.attrs["skipped"] == [{"path": str(right / "a.01.txt"), "reason": reason}]
    assert beside.attrs["skipped"] == [{"path": str(both / "a.01.gt.txt"), "reason": reason}]


def test_a_folder_is_not_paired_with_one_file(fill):
    ocr, right = fill("ocr", {"a.txt": "x"}), fill("gt", {"a.txt": "y"}) / "a.txt"

    with pytest.raises(InputError, match="is one file, but the pool is a folder"):
        read_pool(ocr, reference=right)


def test_an_empty_reference_is_not_a_missing_one(fill):
    pool = read_pool(fill("pool", {"a.txt": "x", "a.gt.txt": "", "b.txt": "", "b.gt.txt": "y"}))

    assert pairs(pool) == [("a", "x", ""), ("b", "", "y")]


def test_where_one_side_is_in_one_piece_the_document_is(fill):
    pool = read_pool(fill("pool", {"tesseract.hocr": None, "tesseract.gt.txt": "all of it"}))

    assert pairs(pool) == [("tesseract", "Patient's name\nA&B*", "all of it")]


def test_other_numbers_of_pages_do_not_match(fill):
    folder = fill("pool", {"a.txt": "1\f2", "a.gt.txt": "1\f2\f3"})

    pool = read_pool(folder)

    assert pairs(pool) == [("a/1", "1", None), ("a/2", "2", None)]
    assert pool.attrs["unmatched"][0]["reason"] == "2 pages against 3 of the reference"


def test_one_bad_file_is_quarantined_and_the_rest_read(fill):
    folder = fill(
        "pool",
        {
            "a.txt": "x",
            "b.xml": "<PcGts>\n<Page>",
            "c.json": '{"Blocks": [{"BlockType": "LINE", "Id": "1", "Confidence": NaN}]}',
            "d.txt": b"\xff\x00",
            "e.hocr": "",
        },
    )

    pool = read_pool(folder)

    assert pool["doc_id"].tolist() == ["a"]
    found = {entry["path"].rpartition("/")[2]: entry for entry in pool.attrs["quarantine"]}
    assert found["b.xml"]["position"] == "line 2, column 7"
    assert found["c.json"]["position"] == "Blocks[0].Confidence"
    assert "not a number" in found["c.json"]["reason"]
    assert set(found) == {"b.xml", "c.json", "d.txt", "e.hocr"}
    assert pool.attrs["n_quarantined"] == 4


def test_a_bad_reference_leaves_the_document_without_one(fill):
    folder = fill("pool", {"a.txt": "x", "a.gt.xml": "<PcGts"})

    pool = read_pool(folder)

    assert pairs(pool) == [("a", "x", None)]
    assert pool.attrs["quarantine"][0]["path"] == str(folder / "a.gt.xml")
    assert pool.attrs["unmatched"][0]["reason"] == "a reference that cannot be read"


def test_one_bad_file_alone_is_an_error_that_names_file_and_place(fill):
    path = fill("pool", {"b.xml": "<PcGts>\n<Page>"}) / "b.xml"

    with pytest.raises(InputError) as caught:
        read_pool(path)

    assert str(caught.value).startswith(f"{path}, line 2, column 7: Premature end")


def test_a_pool_of_bad_files_only_tells_the_first(fill):
    with pytest.raises(InputError, match=r"can be read; 2 cannot, the first is .*a\.xml, line 1"):
        read_pool(fill("pool", {"a.xml": "<PcGts>", "b.xml": "<alto>"}))


def test_no_text_of_a_document_stands_in_a_reason(fill):
    folder = fill(
        "pool",
        {
            "a.txt": "x",
            "b.xml": "<PcGts><Page><SECRET></Page></PcGts>",
            "c.json": '{"Blocks": "SECRET"}',
            "d.json": '{"responses": [{"fullTextAnnotation": ["SECRET"]}]}',
            "e.tsv": (DATA / "english.tsv").read_text().replace("91.5", "SECRET"),
        },
    )

    pool = read_pool(folder)

    told = [entry for entry in pool.attrs["quarantine"] if "b.xml" not in entry["path"]]
    assert len(told) == 3
    assert "SECRET" not in str(told)


def test_of_several_files_of_a_document_one_is_read(fill):
    folder = fill(
        "pool", {"a.hocr": (DATA / "lines.hocr").read_bytes(), "a.json": "{}", "a.png": ""}
    )

    pool = read_pool(folder)

    assert pool["hypothesis"].tolist() == ["다음 줄 끝\ntwo parts"]
    assert pool["image"].tolist() == ["a.png"]
    assert pool.attrs["skipped"] == [
        {"path": str(folder / "a.json"), "reason": "a second file of the document 'a'"}
    ]


def test_a_format_picks_files_of_its_suffixes(fill):
    folder = fill("pool", {"a.hocr": (DATA / "lines.hocr").read_bytes(), "a.txt": "as text"})

    assert read_pool(folder)["hypothesis"].tolist() == ["다음 줄 끝\ntwo parts"]
    assert read_pool(folder, format="text")["hypothesis"].tolist() == ["as text"]


def test_a_format_is_taken_at_its_word(fill):
    path = fill("pool", {"a.xml": "<alto/>"}) / "a.xml"

    assert read_pool(path, format="text")["hypothesis"].tolist() == ["<alto/>"]
    with pytest.raises(InputError, match="not PAGE-XML"):
        read_pool(path, format="page")


def test_white_space_of_a_table_comes_from_the_text_beside_it(fill):
    folder = fill("pool", {"korean.tsv": None, "korean.txt": None})

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pool = read_pool(folder)

    assert pool["hypothesis"].tolist() == ["진료비 영수증\n합계 3,000원"]
    assert pool.attrs["format"] == "tsv"
    assert pool.attrs["warnings"] == []


def test_white_space_of_one_table_comes_from_the_text_beside_it(fill):
    path = (
        fill("pool", {"korean.tsv": None, "korean.txt": "진료비영수증합계3,000원"}) / "korean.tsv"
    )

    assert read_pool(path)["hypothesis"].tolist() == ["진료비영수증\n합계3,000원"]


@pytest.mark.parametrize("beside", [{}, {"korean.txt": "another text"}, {"korean.txt": b"\xff\0"}])
def test_without_a_text_white_space_is_guessed_with_a_warning(fill, beside):
    path = fill("pool", {"korean.tsv": None, **beside}) / "korean.tsv"

    with pytest.warns(UserWarning, match="guessed from the gaps between words in .*korean.tsv"):
        pool = read_pool(path)

    assert pool["hypothesis"].tolist() == ["진료비 영수증\n합계 3,000원"]
    assert "rely on cer_nospace" in pool.attrs["warnings"][0]


def test_the_reference_never_tells_where_the_white_space_of_the_ocr_is(fill):
    path = (
        fill("pool", {"korean.tsv": None, "korean.gt.txt": "진료비영수증합계3,000원"})
        / "korean.tsv"
    )

    with pytest.warns(UserWarning, match="guessed"):
        pool = read_pool(path)

    assert pairs(pool) == [("korean", "진료비 영수증\n합계 3,000원", "진료비영수증합계3,000원")]


def test_white_space_may_come_from_hocr(fill):
    words = "".join(f'<span class="ocrx_word">{text}</span>' for text in ("진", "료", "비"))
    line = f'<span class="ocr_line">{words} <span class="ocrx_word">영수증</span></span>'
    second = '<span class="ocr_line"><span class="ocrx_word">합계3,000원</span></span>'
    html = f'<html><body><div class="ocr_page">{line}{second}</div></body></html>'
    path = fill("pool", {"korean.tsv": None, "korean.hocr": html}) / "korean.tsv"

    assert read_pool(path)["hypothesis"].tolist() == ["진료비 영수증\n합계3,000원"]


def test_an_image_beside_a_file_is_its_image(fill):
    path = fill("pool", {"korean.txt": None, "korean.png": ""}) / "korean.txt"

    assert read_pool(path)["image"].tolist() == ["korean.png"]


def test_tables_in_a_folder_are_parts_of_one_pool(fill):
    folder = fill(
        "pool",
        {
            "part-1.jsonl": '{"doc_id": "a", "hypothesis": "x", "gt": "y"}\n{"doc_id": "b"}\n',
            "part-2.csv": "doc_id,hypothesis\nc,z\na,again\n",
            "part-3.csv": "name\nx\n",
        },
    )

    pool = read_pool(folder)

    assert pairs(pool) == [("a", "x", "y"), ("c", "z", None)]
    found = pool.attrs["quarantine"]
    assert {(entry["path"].rpartition("/")[2], entry["position"]) for entry in found} == {
        ("part-3.csv", None), ("part-1.jsonl", "line 2"), ("part-2.csv", "line 3"),
    }  # fmt: skip


def test_documents_of_one_name_are_told(fill):
    folder = fill("pool", {"a.txt": "1\f2", "a/1.txt": "x"})

    pool = read_pool(folder)

    assert sorted(pool["doc_id"]) == ["a/1", "a/2"]
    assert "an earlier row" in pool.attrs["quarantine"][0]["reason"]


def test_where_confidences_come_from_is_kept():
    pool = read_pool(DATA / "tesseract.hocr")

    assert pool.attrs["confidence_source"] == {
        "hocr": "x_wconf, else the mean of x_confs or x_conf, 0 to 100"
    }


def test_lines_are_paired_by_their_names_where_both_have_them(fill):
    page = (
        '<PcGts xmlns="x"><Page imageWidth="9" imageHeight="9"><TextRegion id="r">{}</TextRegion>'
        "</Page></PcGts>"
    )
    line = '<TextLine id="{}"><TextEquiv><Unicode>{}</Unicode></TextEquiv></TextLine>'
    ocr = page.format(line.format("l2", "b") + line.format("l1", "a"))
    right = page.format(line.format("l1", "A") + line.format("l2", "B") + line.format("l3", "C"))
    folder = fill("pool", {"p.xml": ocr, "p.gt.xml": right})

    assert pairs(read_units(folder, unit="line")) == [
        ("p/l2", "b", "B"),
        ("p/l1", "a", "A"),
        ("p/missed-l3", "", "C"),
    ]


def test_lines_without_names_are_paired_by_their_texts(fill):
    folder = fill("pool", {"p.txt": "a\nb", "p.gt.txt": "A\nB", "q.txt": "a", "q.gt.txt": "A\nB"})

    pool = read_units(folder, unit="line")

    assert pairs(pool) == [
        ("p/line-1", "a", "A"),
        ("p/line-2", "b", "B"),
        ("q/line-1", "a", "A"),
        ("q/missed-line-2", "", "B"),
    ]
    assert pool.attrs["unmatched"] == []


def test_fields_are_paired_by_their_key(fill):
    form = '{"analyzeResult": {"pages": [{"pageNumber": 1}], "keyValuePairs": [%s]}}'
    pair = '{"key": {"content": "%s"}, "value": {"content": "%s"}}'
    ocr = form % ",".join([pair % ("합계:", "3,000"), pair % ("용 도", "회사")])
    right = form % ",".join([pair % ("용도", "학교"), pair % ("합계", "3,000원")])
    folder = fill("pool", {"p.json": ocr, "p.gt.json": right})

    pool = read_units(folder, unit="field")

    assert pairs(pool) == [("p/pair-1", "3,000", "3,000원"), ("p/pair-2", "회사", "학교")]
    assert pool["field"].tolist() == ["합계:", "용 도"]


def form_of(*fields):
    form = '{"analyzeResult": {"pages": [{"pageNumber": 1}], "keyValuePairs": [%s]}}'
    pair = '{"key": {"content": "%s"}, "value": {"content": "%s"}}'
    return form % ",".join(pair % each for each in fields)


def test_fields_of_the_same_key_are_paired_in_turn(fill):
    read = [("금액", "1,000"), ("금액:", "2,000"), ("Price", "30")]
    right = [("금액", "1,000"), ("금액", "2,000"), ("price", "10"), ("Price", "30")]
    folder = fill("pool", {"p.json": form_of(*read), "p.gt.json": form_of(*right)})

    pool = read_units(folder, unit="field")

    assert pairs(pool) == [
        ("p/pair-1", "1,000", "1,000"),
        ("p/pair-2", "2,000", "2,000"),
        ("p/pair-3", "30", "30"),
        ("p/missed-pair-3", "", "10"),
    ]


def test_a_missed_field_has_no_hypothesis_and_an_unknown_one_no_reference(fill):
    right = form_of(("이름", "홍길동"), ("합계", "3,000"), ("비고", ""))
    others = {"q.json": form_of(("Total", "3,000")), "r.json": form_of()}
    files = {"p.json": form_of(("합계", "3,000"), ("서명", "x")), **others}
    folder = fill("pool", {**files, **{f"{name}.gt.json": right for name in "pqr"}})

    pool = read_units(folder, unit="field")

    assert pool[["doc_id", "field", "hypothesis"]].to_numpy().tolist() == [
        ["p/pair-1", "합계", "3,000"],
        ["p/pair-2", "서명", "x"],
        ["p/missed-pair-1", "이름", ""],
        ["q/pair-1", "Total", "3,000"],
        ["r/missed-pair-1", "이름", ""],
        ["r/missed-pair-2", "합계", ""],
    ]
    assert pool["reference"].isna().tolist() == [False, True, False, True, False, False]
    assert pool.attrs["pairing"] == {"paired": 1, "joined": 0, "missed": 3, "invented": 0}


@pytest.mark.parametrize("unit", ["page", "line", "word", "field"])
def test_units_have_unique_ids_the_page_and_boxes_within_it(unit):
    pool = read_units(DATA / "azure-layout.json", unit=unit)

    assert pool["doc_id"].is_unique
    assert set(pool["page_id"]) == {"azure-layout/1", "azure-layout/2"}
    assert pool["confidence"].between(0, 1).all()
    assert all(0 <= side <= 1 for box in pool["box"].dropna() for side in box)


def test_names_that_come_twice_are_numbered(fill):
    line = '<TextLine id="l"><TextEquiv><Unicode>x</Unicode></TextEquiv></TextLine>'
    page = f'<PcGts><Page><TextRegion id="r">{line * 3}</TextRegion></Page></PcGts>'
    path = fill("pool", {"p.xml": page}) / "p.xml"

    assert read_units(path, unit="line")["doc_id"].tolist() == ["p/l", "p/l~2", "p/l~3"]


@pytest.mark.parametrize(
    ("name", "unit", "message"),
    [
        ("english.tsv", "field", "holds no typed field; answers of textract, docai and azure may"),
        ("textract-id.json", "page", "only typed fields, no text of a page"),
        ("english.tsv", "paragraph", "unit must be one of 'page', 'line', 'word', 'field'"),
    ],
)
def test_units_that_a_file_does_not_have_are_told(name, unit, message):
    with pytest.raises(InputError, match=message):
        read_units(DATA / name, unit=unit)


def test_rows_of_a_table_are_its_units(fill):
    path = fill("pool", {"a.csv": "doc_id,hypothesis\na,x\n"}) / "a.csv"

    with pytest.raises(InputError, match=r"its rows are the units\. Use read_pool"):
        read_units(path, unit="line")


def test_json_that_no_service_writes_is_told(fill):
    pool = read_pool(fill("pool", {"a.txt": "x", "b.json": '{"name": 1}'}))

    assert "JSON of no known service" in pool.attrs["quarantine"][0]["reason"]


def test_tables_are_picked_by_format_and_have_their_own_references(fill):
    folder = fill("pool", {"a.csv": "doc_id,hypothesis\na,x\n", "b.jsonl": "", "c.png": ""})

    assert read_pool(folder, format="csv")["doc_id"].tolist() == ["a"]
    with pytest.raises(InputError, match="holds its references in the column 'reference'"):
        read_pool(folder, format="csv", reference=folder)
    with pytest.raises(InputError, match="holds its references in the column 'reference'"):
        list(iter_pool(folder / "a.csv", reference=folder))
    with pytest.raises(InputError, match="its rows are the units"):
        list(iter_pool(folder / "a.csv", unit="word"))


def test_an_encoding_that_is_named_holds_for_xml_too(fill):
    text = "<TextRegion><TextEquiv><Unicode>진료비</Unicode></TextEquiv></TextRegion>"
    page = f'<?xml version="1.0" encoding="utf-8"?><PcGts><Page>{text}</Page></PcGts>'
    path = fill("pool", {"p.xml": page.encode("cp949")}) / "p.xml"

    assert read_pool(path, encoding="cp949")["hypothesis"].tolist() == ["진료비"]
    with pytest.raises(InputError, match="Invalid bytes"):
        read_pool(path)
    path.write_text(page, encoding="utf-8")
    for encoding in ("utf-8", "cp949"):
        assert read_pool(path, encoding=encoding)["hypothesis"].tolist() == ["진료비"]
    path.write_bytes(page.encode("utf-16-le"))
    assert read_pool(path, encoding="utf-16-le", format="page")["hypothesis"].tolist() == ["진료비"]


@pytest.mark.parametrize("encoding", ["gb18030", "cp949"])
def test_an_encoding_of_the_texts_is_not_that_of_utf_8_beside_them(fill, encoding):
    text = "上海医院" if encoding == "gb18030" else "진료비"
    region = f"<TextRegion><TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextRegion>"
    word = f'<span class="ocrx_word">{text}</span>'
    right = fill(
        "gt",
        {
            "a.xml": f'<?xml version="1.0" encoding="utf-8"?><PcGts><Page>{region}</Page></PcGts>',
            "b.hocr": f'<html><body><div class="ocr_page">{word}</div></body></html>',
            "c.json": json.dumps({"textAnnotations": [{"description": text}]}, ensure_ascii=False),
        },
    )
    ocr = fill("ocr", {f"{name}.txt": text.encode(encoding) for name in "abc"})

    pool = read_pool(ocr, reference=right, encoding=encoding)

    assert pairs(pool) == [(name, text, text) for name in "abc"]
