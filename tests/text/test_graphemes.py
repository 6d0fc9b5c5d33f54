import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.text.grapheme_clusters import between_flags, split_graphemes
from ocrjury.text.graphemes import fold_graphemes

WORD_BOUNDARY = regex.compile(r"\b", regex.WORD | regex.V1)


def test_texts_without_clusters_come_back_as_they_are():
    references, hypotheses = ["한글", "漢字 abc"], ["한굴", ""]

    assert fold_graphemes(references, hypotheses) == (references, hypotheses)


def test_the_same_cluster_has_the_same_name_on_both_sides():
    (left,), (right,) = fold_graphemes(["m\u0303a"], ["am\u0303"])

    assert len(left) == len(right) == 2
    assert left == right[::-1]


def test_old_hangul_of_three_jamo_is_one_character():
    (folded,), _ = fold_graphemes(["\u1112\u119e\u11ab글"], [""])

    assert len(folded) == 2


def test_carriage_return_and_line_feed_are_one_character():
    (folded,), _ = fold_graphemes(["a\r\nb"], [""])

    assert len(folded) == 3


def test_more_clusters_than_free_code_points_are_refused(monkeypatch):
    monkeypatch.setattr("ocrjury.text.graphemes._free_characters", lambda _: iter("x"))

    with pytest.raises(InputError, match="smaller batches"):
        fold_graphemes(["a\u0301b\u0301"], [""])


@given(st.lists(st.text(max_size=8), max_size=4))
def test_every_cluster_becomes_one_code_point(texts):
    folded, _ = fold_graphemes(texts, texts)

    assert [len(text) for text in folded] == [len(regex.findall(r"\X", text)) for text in texts]


@given(st.text(max_size=12))
def test_clusters_put_together_are_the_text(text):
    assert "".join(split_graphemes(text)) == text


@given(st.text(max_size=8), st.text(max_size=8))
def test_folding_keeps_equal_texts_equal_and_others_apart(a, b):
    (left,), (right,) = fold_graphemes([a], [b])

    assert (left == right) == (a == b)


def test_a_run_of_flags_is_cut_between_two_of_them():
    flags = "🇰🇷🇯🇵" * 120

    for text in (flags, f"a{flags}b", f"{flags}🇰", f"{flags}\u0301{flags}", flags[:201]):
        words = [piece for part in between_flags(text) for piece in WORD_BOUNDARY.split(part)]
        assert split_graphemes(text) == regex.findall(r"\X", text)
        assert list(filter(None, words)) == list(filter(None, WORD_BOUNDARY.split(text)))
