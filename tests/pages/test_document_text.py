import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ocrjury.pages.document_text import HARMFUL, cut, harmless, mask, visible
from ocrjury.text.grapheme_clusters import split_graphemes

TEXT = st.text(max_size=40)


@given(TEXT)
def test_nothing_acts_unseen(text):
    shown = visible(text)

    kinds = {unicodedata.category(c) for c in shown if c not in "\u200c\u200d"}
    assert not kinds & {"Cc", "Cf", "Co", "Cs", "Cn"}


def test_direction_overrides_and_zero_width_signs_become_code_points():
    assert visible("a\u202eb\u2066c\u200bd\ufeff") == "a‹U+202E›b‹U+2066›c‹U+200B›d‹U+FEFF›"


@given(st.text(st.characters() | st.sampled_from("a\n\x00\x7f\u202e\u2066\u061c"), max_size=9))
def test_of_any_text_what_is_harmful_becomes_code_points(text):
    shown = "".join(f"‹U+{ord(c):04X}›" if HARMFUL.match(c) else c for c in text)

    assert harmless(text) == shown


def test_line_ends_are_shown_and_other_spaces_are_spaces():
    assert visible("a\r\nb\u3000c\u00a0d\te") == "a⏎b c d e"


@given(TEXT)
def test_masking_keeps_places_and_leaves_no_letter_or_digit(text):
    hidden = mask(text)

    assert len(split_graphemes(hidden)) == len(split_graphemes(text))
    assert not any(unicodedata.category(c)[0] in "LN" for c in hidden)


def test_masking_keeps_spaces_and_punctuation():
    assert mask("₩1,284,500 (비급여)") == "₩□,□□□,□□□ (○○○)"
    assert mask("e\u0301①Ⅳ五") == "○□□○"


@given(TEXT, st.integers(1, 30))
def test_cutting_counts_characters_as_people_do(text, length):
    assert len(split_graphemes(cut(text, length))) <= length


def test_decomposed_korean_is_cut_between_syllables():
    text = unicodedata.normalize("NFD", "한글문서")

    assert unicodedata.normalize("NFC", cut(text, 3)) == "한글…"
