import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.text import score_texts
from ocrjury.text.words import MOST_WORDS, encode_words, split_words

WORDS = st.lists(st.text(max_size=3), max_size=10)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("whitespace", ["수술", "후", "4.5일째,", "-", "a's"]),
        ("space", ["수술\n후", "4.5일째,", "-", "a's"]),
        ("uax29", ["수술", "후", "4.5일째", "a's"]),
        ("character", list("수술후4.5일째,-a's")),
    ],
)
def test_each_way_of_finding_words(words, expected):
    assert split_words("수술\n후 4.5일째,  - a's", words) == expected


def test_chinese_characters_are_words_of_annex_29():
    assert split_words("漢字、한글", "uax29") == ["漢", "字", "한글"]


def test_a_run_of_white_space_parts_words_even_between_spaces():
    assert split_words(" a\n\nb ", "space") == ["a", "b"]


@given(WORDS, WORDS)
def test_equal_words_and_only_they_have_equal_code_points(reference, hypothesis):
    both = reference + hypothesis
    codes = "".join(encode_words(reference, hypothesis))

    assert len(codes) == len(both)
    assert all(
        (codes[i] == codes[j]) == (both[i] == both[j]) for i in range(len(both)) for j in range(i)
    )


def test_more_words_than_code_points_below_the_surrogates_are_told_apart():
    words = [str(number) for number in range(0xD800 + 3)]

    code, _ = encode_words(words, [])

    assert len(set(code)) == len(words)
    assert code.encode("utf-8")


def test_more_words_than_code_points_are_refused(monkeypatch):
    assert MOST_WORDS == 0x110000 - 0x800

    monkeypatch.setattr("ocrjury.text.words.MOST_WORDS", 4)
    words = list("abcd")

    assert encode_words(words, words[:2]) == ("\0\1\2\3", "\0\1")
    with pytest.raises(
        InputError, match=r"5 different words together; .* at most 4 apart\. Compare"
    ):
        encode_words(words, ["one more"])


def test_too_many_words_for_bleu_are_not_too_many_for_error_rates(monkeypatch):
    monkeypatch.setattr("ocrjury.text.words.MOST_WORDS", 4)
    texts = ["a b c d"], ["a b c d e"]

    scores = score_texts(*texts, metrics=["wer", "mer"])

    assert scores.iloc[0].tolist() == pytest.approx([1 / 4, 1 / 5])
    for metric in ("bleu", "wer_bag"):
        with pytest.raises(
            InputError, match="page by page, or without the two metrics, as metrics="
        ):
            score_texts(*texts, metrics=[metric])
