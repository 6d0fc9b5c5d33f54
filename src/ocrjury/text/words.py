"""Words of a text, and words as single code points so that word sequences are strings."""

import itertools
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence

import regex

from ocrjury.text.grapheme_clusters import split_graphemes
from ocrjury.text.options import Words

_SPACE_RUN = re.compile(r"\s\s+")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_WORD_BOUNDARY = regex.compile(r"\b", regex.WORD | regex.V1)


def split_words(text: str, words: Words) -> list[str]:
    r"""Return the words of a text.

    >>> split_words("수술\n후 4일째.", "whitespace")
    ['수술', '후', '4일째.']
    >>> split_words("a - b", "uax29")
    ['a', 'b']
    """
    return _SPLIT[words](text)


def encode_words(reference: Sequence[str], hypothesis: Sequence[str]) -> tuple[str, str]:
    """Return both word lists as strings in which equal words are equal code points."""
    distinct = dict.fromkeys(itertools.chain(reference, hypothesis))
    names = dict(zip(distinct, map(chr, _code_points()), strict=False))
    name = names.__getitem__
    return "".join(map(name, reference)), "".join(map(name, hypothesis))


def _code_points() -> Iterator[int]:
    """Yield code points that stand for characters, that is all but the surrogates."""
    return itertools.chain(range(0xD800), range(0xE000, sys.maxunicode + 1))


def _between_spaces(text: str) -> list[str]:
    """Return the parts between spaces; only a run of white space turns a line break into one."""
    return [word for word in _SPACE_RUN.sub(" ", text).strip().split(" ") if word]


def _annex_29(text: str) -> list[str]:
    """Return the words of Unicode Annex 29 that hold a letter or a digit.

    Private characters, which old prints need for their ligatures, are letters.
    """
    pieces: list[str] = _WORD_BOUNDARY.split(_PRIVATE.sub("a", text))
    ends = list(itertools.accumulate(map(len, pieces)))
    words = (text[end - len(piece) : end] for piece, end in zip(pieces, ends, strict=True))
    return [word for word in words if not all(map(_is_no_word, word))]


def _is_no_word(character: str) -> bool:
    """Return whether a character is a mark, punctuation, space, symbol, control or unassigned."""
    category = unicodedata.category(character)
    return category[0] in "MPZS" or category in ("Cc", "Cf")


def _characters(text: str) -> list[str]:
    """Return the graphemes that are no white space."""
    return [character for character in split_graphemes(text) if not character.isspace()]


_SPLIT: dict[Words, Callable[[str], list[str]]] = {
    "whitespace": str.split,
    "space": _between_spaces,
    "uax29": _annex_29,
    "character": _characters,
}
