import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign.flags import FLAGS
from ocrjury.frontends.sheets.answers import (
    CellProblem,
    read_comment,
    read_confidence,
    read_flag,
    read_level,
)
from ocrjury.frontends.sheets.returned_workbook import FoundCell
from ocrjury.frontends.sheets.words import every_language, flag_words, words_of
from ocrjury.scales import Scale

A_DAY = dt.datetime(2026, 1, 5)  # noqa: DTZ001  # as openpyxl gives it
FIVE = Scale.likert(1, 5)


def text(value):
    return FoundCell(value, "s")


def number(value):
    return FoundCell(value, "n")


@pytest.mark.parametrize(
    "cell",
    [
        *(number(value) for value in (4, 4.0)),
        *(text(value) for value in ("4", " 4 ", "４", "4.0", "４．０", "④", "'4", "4\u200b")),
        *(text(value) for value in ("四", "사", "肆", "4점", "4 점", "４分", "사점", "四分")),
    ],
)
def test_whatever_means_four_is_four(cell):
    assert read_level(cell, FIVE) == 4.0


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (number(6), r'"6" is not on the scale \(likert 1 to 5\)'),
        (number(3.5), r'"3\.5" is not on'),
        (number(3.9999999), r'"3\.9999999" is not on'),
        (number(-1), r'"-1" is not on'),
        (number(10**400), "is not on"),
        (text("1/5"), '"1/5" is not on'),
        (text("4,0"), '"4,0" is not on'),
        (text("4-5"), '"4-5" is not on'),
        (text("4?"), r'"4\?" is not on'),
        (text("44"), '"44" is not on'),
        (text("+4"), r'"\+4" is not on'),
        (text("1e0"), '"1e0" is not on'),
        (text("1_0"), '"1_0" is not on'),
        (text("nan"), '"nan" is not on'),
        (text("٤"), "is not on"),
        (text("사사"), "is not on"),
        (text("점"), "is not on"),
        (text("good\nor bad"), '"good or bad" is not on'),
        (text("x" * 90), "x…"),
        (FoundCell("=4", "f"), "holds a formula; formulas are never run"),
        (FoundCell("=4", "s"), '"=4" is not on'),
        (FoundCell(object(), "f"), "holds a formula"),
        (FoundCell(value=True, kind="b"), "holds TRUE, which is no value here"),
        (FoundCell("#N/A", "e"), "holds the error #N/A"),
        (FoundCell(A_DAY, "d"), r"a date or time \(2026-01-05 .*such as 1/5"),
        (FoundCell(dt.time(4, 0), "d"), "a date or time"),
        (FoundCell(dt.timedelta(days=4), "d"), "a date or time"),
    ],
)
def test_anything_else_is_refused_and_never_guessed(cell, said):
    with pytest.raises(CellProblem, match=said):
        read_level(cell, FIVE)


@given(
    st.text(max_size=6)
    | st.integers()
    | st.floats(allow_nan=False)
    | st.booleans()
    | st.integers(-1, 7)
    | st.sampled_from("0123456")
)
def test_a_cell_is_a_level_or_refused(value):
    cell = text(value) if isinstance(value, str) else number(value)

    try:
        level = read_level(cell, FIVE)
    except CellProblem:
        return
    assert level in {1.0, 2.0, 3.0, 4.0, 5.0}


@given(st.integers(1, 5))
def test_every_level_comes_back_in_every_form(level):
    wide = str(level).translate({48 + n: 0xFF10 + n for n in range(10)})

    for cell in (number(level), number(float(level)), text(str(level)), text(wide)):
        assert read_level(cell, FIVE) == level


def test_categories_are_named_as_they_are_or_nearly():
    scale = Scale.nominal(["Good", "bad", "BAD", "맞음 ", 7])

    assert read_level(text(" good "), scale) == 0.0
    assert read_level(text("bad"), scale) == 1.0
    assert read_level(text("BAD"), scale) == 2.0
    assert read_level(text("맞음"), scale) == 3.0
    assert read_level(number(7), scale) == read_level(number(7.0), scale) == 4.0
    with pytest.raises(CellProblem, match='"Bad" is not on the scale'):
        read_level(text("Bad"), scale)  # of two that differ by capitals, neither


def test_a_continuous_scale_takes_fractions_within_its_ends():
    scale = Scale.interval(0, 100)

    assert read_level(number(37.5), scale) == read_level(text("３７．５"), scale) == 37.5
    with pytest.raises(CellProblem, match=r'"100\.5" is not on the scale \(interval 0 to 100\)'):
        read_level(number(100.5), scale)


@pytest.mark.parametrize(("said", "stored"), [(1, 0.0), ("２", 0.5), ("삼", 1.0)])
def test_confidence_is_stored_from_0_to_1(said, stored):
    assert read_confidence(text(said) if isinstance(said, str) else number(said)) == stored


def test_another_confidence_is_refused():
    with pytest.raises(CellProblem, match='"4" is none of 1, 2, 3'):
        read_confidence(number(4))


@pytest.mark.parametrize("say", every_language(), ids=lambda say: say("guide"))
def test_reasons_are_read_in_every_language(say):
    assert [read_flag(text(f" {word}"), say) for word in flag_words(say)] == list(FLAGS)
    assert [read_flag(text(flag), say) for flag in FLAGS] == list(FLAGS)


def test_another_reason_is_refused():
    with pytest.raises(CellProblem, match='"too hard" is no reason of the list'):
        read_flag(text("too hard"), words_of("en"))


def test_a_comment_is_kept_as_it_was_written():
    assert read_comment(text(" =looks like\r\na formula_x0041_ ")) == "=looks like\na formulaA"
    assert read_comment(number(42)) == "42"


def test_a_comment_that_is_no_text_or_too_long_is_refused():
    with pytest.raises(CellProblem, match="a date or time"):
        read_comment(FoundCell(dt.date(2026, 1, 5), "d"))
    with pytest.raises(CellProblem, match="a formula"):
        read_comment(FoundCell("=1+1", "f"))
    with pytest.raises(CellProblem, match=r"has 2,001 characters; at most 2,000 are kept"):
        read_comment(text("가" * 2001))
    with pytest.raises(CellProblem, match="the comment has a lone surrogate"):
        read_comment(text("half _xD800_"))
