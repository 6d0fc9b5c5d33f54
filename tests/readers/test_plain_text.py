import pytest

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.plain_text import read_plain_text


def texts(data, encoding=None):
    return [page.text for page in read_plain_text(data, encoding)]


@pytest.mark.parametrize(
    ("data", "pages"),
    [
        (b"", [""]),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n\n b \n\n", ["a\n\n b "]),
        (b"a\r\nb\rc", ["a\nb\nc"]),
        (b"one\n\fsecond\n\f", ["one", "second"]),
        (b"one\f\fthree", ["one", "", "three"]),
    ],
)
def test_pages_are_parted_by_form_feeds_and_kept_as_they_are(data, pages):
    assert texts(data) == pages


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "utf-16"])
def test_encodings_are_detected(encoding):
    assert texts("진료비 똠".encode(encoding)) == ["진료비 똠"]


def test_a_named_encoding_is_used():
    assert texts("é".encode("latin-1"), "latin-1") == ["é"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a\nb\0c", "a NUL character, which text never contains"),
        (b"\xff\x80\x80", r"text neither in utf-8 \(byte 1\) nor in cp949 \(byte 1\)"),
        (
            "数据".encode("gb18030"),
            r"it would not be Korean\); save it as UTF-8, or name its encoding: --enc",
        ),
        (b"\xff\xfea", r"utf-16 \(byte 3\)"),
    ],
)
def test_what_is_no_text_is_told(data, reason):
    with pytest.raises(BadContentError, match=reason):
        read_plain_text(data)
