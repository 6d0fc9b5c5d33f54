import contextlib
import json

import pytest

from ocrjury import InputError
from ocrjury.readers.detection import detect_format
from tests.readers.ocr_files import DATA

EXPECTED = {
    "page-": "page", "alto-": "alto", "tesseract.hocr": "hocr", "lines.hocr": "hocr",
    "english.tsv": "tsv", "korean.tsv": "tsv", "korean.txt": "text", "textract-": "textract",
    "docai.": "docai", "vision.": "vision", "azure-": "azure",
}  # fmt: skip
FILES = sorted(path.name for path in DATA.iterdir() if path.suffix != ".md")


def detected(tmp_path, content, name="file"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return detect_format(path)


@pytest.mark.parametrize("name", FILES)
def test_content_tells_the_format_whatever_the_name(tmp_path, name):
    (form,) = {form for start, form in EXPECTED.items() if name.startswith(start)}
    other = "x.txt" if form == "text" else "x.bin"

    assert detected(tmp_path, (DATA / name).read_bytes(), other) == form


@pytest.mark.parametrize(
    ("content", "form"),
    [
        ("<!-- <alto> --><?x y?><pc:PcGts xmlns:pc='x'>", "page"),
        ("<!DOCTYPE alto [<!ELEMENT a (b)>]>\n<alto>", "alto"),
        ("<!DOCTYPE html><HTML>", "hocr"),
        ("<div class='ocr_page'>", "hocr"),
        ("\ufeff<alto>", "alto"),
        ("<alto>".encode("utf-16"), "alto"),
        ('{"doc_id": "a", "pages": 3, "text": "x"}', "jsonl"),
        ('{"id": "a", "document": "x"}', "jsonl"),
        ('{"a": {"Blocks": 1}}', "jsonl"),
        ("{}", "jsonl"),
        ('{"text": "a", "pages": []}', "docai"),
        ('{"content": "a", "pages": []}', "azure"),
        ('{"status": "running"}', "azure"),
        ('[{"Blocks": []}, {"Blocks": []}]', "textract"),
        ('{"full_text_annotation": {}}', "vision"),
    ],
)
def test_the_beginning_tells_what_it_is(tmp_path, content, form):
    assert detected(tmp_path, content) == form


def test_members_far_behind_a_long_first_one_are_found(tmp_path):
    document = {"pages": [{"image": {"content": "A" * 200_000}}], "text": "x"}

    assert detected(tmp_path, json.dumps(document)) == "docai"
    assert detected(tmp_path, json.dumps({"text": "x" * 90_000, "entities": []})) == "docai"


def test_a_long_first_row_of_a_pool_is_a_row(tmp_path):
    rows = [json.dumps({"text": "x" * 90_000, "doc_id": name}) + "\n" for name in "ab"]

    assert detected(tmp_path, "".join(rows)) == "jsonl"


@pytest.mark.parametrize(
    "content", ["<unknown/>", "<!-- never closed", "[1, 2]", "plain text", '"text"', b"\x89PNG\r\n"]
)
def test_what_no_format_is_names_all_that_are(tmp_path, content):
    with pytest.raises(
        InputError, match=r"determines the format; pass format= one of 'page', .*'azure'"
    ):
        detected(tmp_path, content)


@pytest.mark.parametrize(
    "content",
    [
        "<?" * 30_000,
        "<!--" * 15_000,
        "<!DOCTYPE [" * 6_000,
        '{"' + '\\"' * 30_000,
        '{"a' * 20_000,
        "{" * 60_000,
        '{"pages": ' + "[" * 60_000,
    ],
)
def test_a_hostile_beginning_takes_no_time(tmp_path, content):
    with contextlib.suppress(InputError):
        assert detected(tmp_path, content) in ("jsonl", "azure")


@pytest.mark.parametrize("name", ["p1.json", "p1.hocr", "p1"])
def test_an_empty_file_is_told(tmp_path, name):
    with pytest.raises(InputError, match=r"p1.*: the file is empty\.$"):
        detected(tmp_path, "\n ", name)
