import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from ocrjury.frontends.sheets.texts import (
    LONGEST,
    escaped,
    looks_like_formula,
    matched,
    plain,
    same_text,
    shown_text,
    unescaped,
)

# With surrogates, controls and what XML forbids.
ANY = st.text(st.characters(), max_size=60)
TRICKY = st.text(st.sampled_from("_xX0041dDfF\r\n\t=+-@'a금\x00\x0b\ufffe😀"), max_size=30)


@given(ANY | TRICKY)
def test_whatever_is_shown_can_be_written_into_xml(text):
    element = etree.Element("t")
    element.text = escaped(shown_text(text))

    again = etree.fromstring(etree.tostring(element)).text or ""
    assert unescaped(again) == shown_text(text)


@given(ANY | TRICKY)
def test_a_text_is_shown_as_it_is_where_a_cell_can_hold_it(text):
    shown = shown_text(text)

    assert shown == shown_text(shown)
    assert same_text(shown, shown_text(text))
    ordinary = text.replace("\r\n", "\n").replace("\r", "\n")
    assert len(shown) == len(ordinary)
    assert all(a in {b, "\ufffd"} for a, b in zip(shown, ordinary, strict=True))


@pytest.mark.parametrize("sign", ["가", "😀"])
def test_a_text_that_is_too_long_is_cut_visibly(sign):
    shown = shown_text(sign * 40_000, cut=" [cut]")

    assert len(shown.encode("utf-16-le")) // 2 <= LONGEST
    assert shown.endswith(f"{sign} [cut]")


@pytest.mark.parametrize("text", ["=1+1", "+82", "-500", "@sum", "\tx", " =1", "＝1", "'tis"])
def test_what_a_program_might_run_is_noticed(text):
    assert looks_like_formula(text)


@pytest.mark.parametrize("text", ["보험금 1,000원", "2026-03-05", "0012", "", "a=b"])
def test_ordinary_text_is_not(text):
    assert not looks_like_formula(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("４", "4"), (" 4\u3000", "4"), ("4\u200b", "4"), ("\ufeff4", "4"), ("４．０", "4.0")],
)
def test_wide_letters_and_what_acts_unseen_are_understood(text, meant):
    assert plain(text) == meant


def test_names_are_compared_without_spaces_and_capitals():
    assert matched(" Cannot  be Rated\n") == matched("cannot be rated")


def test_a_program_may_change_spaces_and_escapes_and_nothing_else():
    assert same_text("금액\n 1,000 원", "금액 1,000 원\r\n")
    assert same_text(escaped(escaped("_x0041_")), "_x0041_")
    assert not same_text("금액 1,000", "금액 1,001")
