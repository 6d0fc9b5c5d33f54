import pytest

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.tesseract_tsv import read_tesseract_tsv
from tests.readers.ocr_files import DATA, TSV_HEAD

HEAD = "\t".join(TSV_HEAD.split())


def table(*rows):
    return "\n".join([HEAD, *("\t".join(row.split(" ", 11)) for row in rows)]).encode()


def test_words_of_a_line_have_a_space_between_and_a_quote_is_a_character():
    first, second = read_tesseract_tsv((DATA / "english.tsv").read_bytes())

    assert first.text == 'Total: "3,000\nwon'
    assert second.text == ""


def test_places_without_text_and_words_without_confidence_do_not_count():
    first, _ = read_tesseract_tsv((DATA / "english.tsv").read_bytes())

    assert first.mean_confidence == pytest.approx((0.965 + 0.915) / 2)


def test_boxes_are_shares_of_the_pages_row():
    first, _ = read_tesseract_tsv((DATA / "english.tsv").read_bytes())

    assert first.lines[0].words[0].box == pytest.approx((0.1, 0.1, 0.3, 0.3))


def test_a_table_does_not_say_where_white_space_is():
    assert not read_tesseract_tsv((DATA / "korean.tsv").read_bytes())[0].spacing_known


def test_characters_that_look_like_line_ends_are_characters():
    (page,) = read_tesseract_tsv(table("5 1 1 1 1 1 0 0 1 1 50 a\u2028b\x85c"))

    assert page.lines[0].words[0].text == "a\u2028b\x85c"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("5 1 1 1 1 1 0 0 1 1", "not 12 cells, but 10"),
        ("5 1 1 1 1 1 a 0 1 1 50 x", "not a number"),
        ("5 1 1 1 1 1 0 0 1 1 nan x", "a confidence that is not a number"),
        ("5 1 1 1 1 1 0 0 1 1 -7 x", "a confidence outside 0 to 100"),
        ("5 1 1 1 1 1 0 0 -1 1 50 x", "a box of negative width"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(row, reason):
    with pytest.raises(BadContentError, match=reason) as caught:
        read_tesseract_tsv(table("1 1 0 0 0 0 0 0 9 9 -1 ", row))

    assert caught.value.position == "line 3"


def test_another_table_is_refused():
    with pytest.raises(BadContentError, match="the first row must be level page_num"):
        read_tesseract_tsv(b"a\tb\n1\t2\n")
