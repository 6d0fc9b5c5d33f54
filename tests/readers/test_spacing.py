import pytest

from ocrjury.readers.ocr_pages import Page, Word, line_of_words
from ocrjury.readers.spacing import spaced_as, spaced_by_gaps
from ocrjury.readers.tesseract_tsv import read_tesseract_tsv
from tests.readers.ocr_files import DATA

KOREAN = (DATA / "korean.tsv").read_bytes()


def korean():
    (page,) = read_tesseract_tsv(KOREAN)
    return page


def line_at(*words, step, height=0.1):
    """A line of words of width .05 at steps of some width."""
    placed = [
        Word(text, box=(n * step, 0.1, n * step + 0.05, 0.1 + height))
        for n, text in enumerate(words)
    ]
    return line_of_words(placed)


def test_white_space_is_that_of_the_text():
    page = spaced_as(korean(), (DATA / "korean.txt").read_text(encoding="utf-8"))

    assert page.text == "진료비 영수증\n합계 3,000원"
    assert page.spacing_known


def test_a_text_of_other_characters_tells_nothing():
    assert spaced_as(korean(), "진료비 영수중\n합계 3,000원") is None
    assert spaced_as(korean(), "") is None


def test_without_a_text_gaps_tell_where_white_space_is():
    assert korean().text == "진 료 비 영수증\n합계 3,000 원"
    assert spaced_by_gaps(korean()).text == "진료비 영수증\n합계 3,000원"


def test_alphabets_keep_their_white_space():
    (page, _) = read_tesseract_tsv((DATA / "english.tsv").read_bytes())

    assert spaced_by_gaps(page) is None


@pytest.mark.parametrize(
    "script", ["진료비영수증합계금액", "诊断证明书费用合计表", "カタカナのぶんしょう"]
)
def test_a_file_that_puts_white_space_between_all_characters_is_contradicted(script):
    page = Page([line_at(*script, step=0.051)], aspect=1.0)

    assert spaced_by_gaps(page).text == script


def test_a_file_whose_white_space_agrees_with_the_gaps_stays():
    page = Page([line_at(*"진료비영수증합계금액", step=0.1)], aspect=1.0)

    assert spaced_by_gaps(page) is None


def test_a_file_with_few_such_places_stays():
    assert spaced_by_gaps(Page([line_at(*"진료비", step=0.051)], aspect=1.0)) is None


def test_a_file_that_tells_some_places_apart_stays():
    line = line_at(*"진료비영수증합계금액", step=0.051)
    words = [line.words[0]._replace(spaced=False), *line.words[1:]]

    assert spaced_by_gaps(Page([line_of_words(words)], aspect=1.0)) is None


def test_without_boxes_two_such_characters_belong_together():
    words = [Word("진"), Word("료비"), Word("3,000"), Word("원")]

    page = spaced_by_gaps(Page([line_of_words(words)], spacing_known=False))

    assert page.text == "진료비 3,000 원"


def test_gaps_count_in_both_directions_and_downwards():
    left = Page([line_at("ב", "진", "료", step=-0.051)], aspect=1.0, spacing_known=False)
    down = [
        Word(text, box=(0.1, n * 0.051, 0.15, n * 0.051 + 0.05)) for n, text in enumerate("縦書き")
    ]

    assert spaced_by_gaps(left).text == "ב진료"
    assert (
        spaced_by_gaps(Page([line_of_words(down)], aspect=1.0, spacing_known=False)).text
        == "縦書き"
    )
