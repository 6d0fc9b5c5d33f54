import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ocrjury.report.marked_text import marked_text
from ocrjury.text import TextOptions
from ocrjury.text.grapheme_clusters import split_graphemes

TEXT = st.text(alphabet="가나다 AB12.", max_size=30)


def joined(pieces):
    return "".join(piece.text for piece in pieces)


def marks(pieces):
    return [(piece.mark, len(split_graphemes(piece.text))) for piece in pieces]


@given(TEXT, TEXT)
def test_both_lines_hold_the_texts_as_they_were_compared(reference, hypothesis):
    options = TextOptions(whitespace="keep")

    text = marked_text(reference, hypothesis, options=options)

    assert joined(text.reference) == reference
    assert joined(text.hypothesis) == hypothesis


@given(TEXT, TEXT)
def test_masking_moves_no_mark(reference, hypothesis):
    shown = marked_text(reference, hypothesis)
    hidden = marked_text(reference, hypothesis, masked=True)

    assert marks(shown.reference) == marks(hidden.reference)
    assert marks(shown.hypothesis) == marks(hidden.hypothesis)
    assert not any(unicodedata.category(c)[0] in "LN" for c in joined(hidden.reference))


@given(TEXT)
def test_equal_texts_bear_no_mark(text):
    assert {piece.mark for piece in marked_text(text, text).reference} <= {"equal"}


def test_a_long_page_shows_the_places_that_differ():
    page = "가" * 400
    text = marked_text(page + "원" + page, page + "윈" + page, length=80)

    assert joined(text.reference) == " … " + "가" * 18 + "원" + "가" * 18 + " … "
    assert [p.text for p in text.hypothesis if p.mark == "replace"] == ["윈"]


def test_a_long_line_is_cut_at_its_length():
    text = marked_text("", "x" * 1000, length=50)

    assert joined(text.hypothesis) == "x" * 50 + "…"
    assert text.reference == ()


def test_without_a_reference_nothing_is_marked():
    text = marked_text(None, "총액 1,200")

    assert text.reference is None
    assert [(piece.mark, piece.text) for piece in text.hypothesis] == [("equal", "총액 1,200")]


def test_what_acts_unseen_is_made_visible():
    text = marked_text("12", "1\u202e2", options=TextOptions(whitespace="keep"))

    assert "‹U+202E›" in joined(text.hypothesis)
