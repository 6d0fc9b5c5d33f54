import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.text import TextOptions
from ocrjury.text.normalization import normalize_text, space_text


@pytest.mark.parametrize(
    ("whitespace", "expected"),
    [("collapse", "가 나"), ("strip", "가\n\t나"), ("remove", "가나"), ("keep", " 가\n\t나 ")],
)
def test_white_space(whitespace, expected):
    assert space_text(" 가\n\t나 ", whitespace) == expected


def test_case_is_folded_and_composed_again():
    assert normalize_text("ÉTÉ Straße", TextOptions(case="fold")) == "été strasse"


def test_punctuation_of_every_script_is_dropped():
    assert normalize_text("a,b、c。「d」1+1", TextOptions(punctuation="remove")) == "abcd1+1"


def test_none_leaves_the_text_alone():
    assert normalize_text("e\u0301Ｋ", TextOptions(normalization=None)) == "e\u0301Ｋ"


@given(st.text(), st.sampled_from(["NFC", "NFKC"]), st.sampled_from(["keep", "fold"]))
def test_normalising_twice_changes_nothing(text, normalization, case):
    options = TextOptions(normalization=normalization)
    once = normalize_text(text, options)

    assert normalize_text(once, options) == once
