from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ocrjury.text.ngrams import clipped_matches

WORDS = st.lists(st.sampled_from(list("가나다")), max_size=9)
PAIRS = st.lists(st.tuples(WORDS, WORDS), max_size=6)


def counted(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def expected(pairs, order):
    return [
        [(counted(r, n) & counted(h, n)).total() for n in range(1, order + 1)] for r, h in pairs
    ]


def matches(pairs, order):
    return clipped_matches([r for r, _ in pairs], [h for _, h in pairs], order=order).tolist()


def test_matches_are_clipped():
    assert matches([("aab", "aaaab")], order=4) == [[3, 2, 1, 0]]


def test_texts_without_words_match_nothing():
    assert matches([("", "ab"), ("ab", ""), ("", "")], order=2) == [[0, 0]] * 3


def test_no_pairs_have_no_matches():
    assert clipped_matches([], [], order=3).shape == (0, 3)


def test_an_ngram_does_not_reach_into_the_next_text():
    assert matches([("a", "a"), ("b", "b"), ("ab", "ab")], order=2) == [[1, 0], [1, 0], [2, 1]]


@given(PAIRS)
def test_counts_are_those_of_counters(pairs):
    assert matches(pairs, order=4) == expected(pairs, order=4)


@given(PAIRS)
def test_blocks_and_renumbering_change_nothing(pairs):
    import ocrjury.text.ngrams as module

    words, largest = module._BLOCK_WORDS, module._LARGEST
    try:
        module._BLOCK_WORDS, module._LARGEST = 8, 40
        assert matches(pairs, order=4) == expected(pairs, order=4)
    finally:
        module._BLOCK_WORDS, module._LARGEST = words, largest
