import json

import pytest

from ocrjury.errors import InputError
from ocrjury.text_files import CUT_OFF, decode_text, json_fault, unique_keys


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_a_text_is_read_in_the_encoding_that_fits(encoding):
    assert decode_text("항목,rater\n".encode(encoding), source="a.csv") == "항목,rater\n"


@pytest.mark.parametrize(
    "body",
    ["항목\n".encode("utf-16")[:-1], "\ufeff\ud800".encode("utf-16-le", "surrogatepass")],
    ids=["half", "surrogate"],
)
def test_a_damaged_text_in_utf_16_is_refused(body):
    with pytest.raises(InputError, match=r"a\.csv is neither UTF-8 nor CP949 text"):
        decode_text(body, source="a.csv")


def test_half_a_character_is_refused_with_its_line():
    body = "항목\n\ud800\n".encode("utf-8", "surrogatepass")

    with pytest.raises(InputError, match=r"a\.csv, line 2: a lone surrogate \(half a character\)"):
        decode_text(body, source="a.csv")


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(InputError, match=r"a\.csv is neither UTF-8 nor CP949 text"):
        decode_text(b"a\xff\n\xed\xa0\x80", source="a.csv")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("数据 合计 12 元", "gb18030"), ("it’s what the OCR didn’t read", "cp1252")],
)
def test_what_cp949_would_turn_into_another_text_is_refused(text, encoding):
    body = text.encode(encoding)
    body.decode("cp949")  # every byte of it is Korean of a kind

    with pytest.raises(InputError, match=r"a\.csv is neither UTF-8 nor CP949 text"):
        decode_text(body, source="a.csv")


@pytest.mark.parametrize("text", ["똠양", "ㄱ. 똠", "㈜한국", "大韓民國", "금액(金額), 합계(合計)"])
def test_korean_with_rare_syllables_or_ideographs_is_read(text):
    assert decode_text(text.encode("cp949"), source="a.csv") == text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        *((text, CUT_OFF) for text in ('{"a": "b', '{"a": ', '{"a"', '{"a": 1,', "{", '{"a": [1')),
        ("", "it is empty"),
        ("line: 1}", "it does not begin with { or ["),
        ("{a: 1}", "a key in double quotes is missing"),
        ('{"a" 1}', "a colon is missing after a key"),
        ('{"a": 1 "b": 2}', "a comma is missing"),
        ('{"a": b}', "a value is missing, or it is a text without double quotes"),
        ('{"a": 1}}', "something stands behind its end"),
        ('{"a": "b\tc"}', "a text holds a control character, such as a tab"),
        ('{"a": "b\\c"}', "a backslash stands before a character that needs none"),
        ('{"a": "\\u12"}', "\\u stands without four digits behind it"),
        ('{"a": 1, "a": 2}', "the key 'a' comes twice"),
        ("[" * 100_000, "it is nested too deeply"),
    ],
)
def test_what_is_no_json_is_told_in_plain_words(text, fault):
    with pytest.raises((ValueError, RecursionError)) as caught:
        json.loads(text, object_pairs_hook=unique_keys)

    assert json_fault(caught.value) == fault


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"PK\x03\x04\xff\xff", "an archive, such as a workbook; save its sheet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\xff\xff", "an old workbook; save its sheet"),
        (b"PAR1\x15\x04\xff\xff", "a Parquet file; save its table"),
    ],
)
def test_files_that_are_no_text_are_told_what_they_are(body, what):
    with pytest.raises(InputError, match=rf"{what} as CSV in UTF-8\."):
        decode_text(body, source="x")
