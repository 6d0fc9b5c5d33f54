import pytest

from ocrjury.errors import InputError
from ocrjury.text_files import decode_text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
def test_a_text_is_read_in_the_encoding_that_fits(encoding):
    assert decode_text("항목,rater\n".encode(encoding), source="a.csv") == "항목,rater\n"


def test_half_a_character_is_refused_with_its_line():
    body = "항목\n\ud800\n".encode("utf-8", "surrogatepass")

    with pytest.raises(InputError, match=r"a\.csv, line 2: a lone surrogate \(half a character\)"):
        decode_text(body, source="a.csv")


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(InputError, match=r"a\.csv is neither UTF-8 nor CP949 text"):
        decode_text(b"a\xff\n\xed\xa0\x80", source="a.csv")
