"""Word n-grams common to two texts, counted for many pairs of texts at once.

An n-gram is encoded as one number whose digits are the pair and the words. Sorting the numbers of a
side puts equal n-grams next to each other, pair after pair.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ocrjury.arrays import Integers
from ocrjury.text.edit_counts import lengths
from ocrjury.text.graphemes import code_points
from ocrjury.text.words import encode_words

_BLOCK_WORDS = 500_000
_LARGEST = 2**63 - 1

Pair = tuple[str, str]  # reference and hypothesis, one code point a word


def clipped_matches(
    references: Sequence[Sequence[str]], hypotheses: Sequence[Sequence[str]], *, order: int
) -> Integers:
    """Number of n-grams that each hypothesis has in common with its reference, shape (n, order).

    An n-gram matches at most as often as it occurs in the reference. Column 0 counts single words.
    """
    n_words = lengths(hypotheses)
    matches: Integers = np.maximum(
        n_words[:, None] - np.arange(order), 0
    )  # equal texts share every n-gram
    for rows, pairs in _blocks(references, hypotheses):
        sides = tuple(_Side(texts) for texts in zip(*pairs, strict=True))
        base = 1 + max(side.largest_word for side in sides)
        for n in range(order):
            _make_room(sides, base)
            for side in sides:
                side.lengthen(base)
            matches[rows, n] = _matches(*sides, n_pairs=len(pairs))
    return matches


class _Side:
    """The n-grams of one side of some pairs, n growing from 0.

    Attributes
    ----------
    words
        Words of all texts, one after the other.
    left
        Number of words from each position to the end of its text.
    pair
        Pair that each word belongs to.
    place
        Position at which each n-gram begins.
    number
        Code of each n-gram; n-grams of a later pair have larger codes.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        n_words = lengths(texts)
        self.words = code_points(texts).astype(np.int64)
        self.largest_word = int(self.words.max(initial=0))
        self.left = np.repeat(np.cumsum(n_words), n_words) - np.arange(len(self.words))
        self.pair = np.repeat(np.arange(len(texts)), n_words)
        self.place = np.arange(len(self.words))
        self.n = 0
        self.number = self.pair

    def lengthen(self, base: int) -> None:
        """Extend the n-grams by one word."""
        longer = self.left[self.place] > self.n
        self.place, self.number = self.place[longer], self.number[longer]
        self.number = self.number * base + self.words[self.place + self.n]
        self.n += 1

    def counts(self) -> tuple[Integers, Integers, Integers]:
        """Distinct n-grams in order, their frequencies and their pairs."""
        number = np.sort(self.number)
        begin = np.flatnonzero(np.diff(number, prepend=-1))
        # Sorting moves n-grams only within their pair.
        pair = self.pair[self.place][begin]
        return number[begin], np.diff(begin, append=len(number)), pair


def _matches(reference: _Side, hypothesis: _Side, *, n_pairs: int) -> Integers:
    """Clipped matches of each pair, shape (n_pairs,)."""
    ref_number, ref_count, _ = reference.counts()
    hyp_number, hyp_count, pair = hypothesis.counts()
    if not len(ref_number):
        return np.zeros(n_pairs, dtype=np.int64)
    place = np.minimum(np.searchsorted(ref_number, hyp_number), len(ref_number) - 1)
    matched = np.where(ref_number[place] == hyp_number, np.minimum(ref_count[place], hyp_count), 0)
    return np.bincount(pair, weights=matched, minlength=n_pairs).astype(np.int64)


def _make_room(sides: Sequence[_Side], base: int) -> None:
    """Replace codes by ranks if those of n-grams of one word more would not fit into 64 bits."""
    largest = max(int(side.number.max(initial=0)) for side in sides)
    if (largest + 1) * base > _LARGEST:
        both = np.concatenate([side.number for side in sides])
        ranks = np.unique(both, return_inverse=True)[1].astype(np.int64)
        sides[0].number, sides[1].number = np.split(ranks, [len(sides[0].number)])


def _blocks(
    references: Sequence[Sequence[str]], hypotheses: Sequence[Sequence[str]]
) -> Iterator[tuple[list[int], list[Pair]]]:
    """Yield rows and words of pairs that differ, in blocks of about `_BLOCK_WORDS` words."""
    rows: list[int] = []
    pairs: list[Pair] = []
    size = 0
    for row, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        if reference == hypothesis:
            continue
        rows.append(row)
        pairs.append(encode_words(reference, hypothesis))
        size += len(reference) + len(hypothesis)
        if size >= _BLOCK_WORDS:
            yield rows, pairs
            rows, pairs, size = [], [], 0
    if pairs:
        yield rows, pairs
