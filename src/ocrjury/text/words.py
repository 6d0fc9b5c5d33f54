"""Words of a text, and word lists encoded as strings of one code point per word."""

import itertools
import re
import sys
import unicodedata
from collections.abc import Callable, Sequence

import regex

from ocrjury.errors import InputError
from ocrjury.text.grapheme_clusters import between_flags, split_graphemes
from ocrjury.text.options import Words

_SCALARS = (range(0xD800), range(0xE000, sys.maxunicode + 1))  # no surrogates
MOST_WORDS = sum(map(len, _SCALARS))
"""Number of code points that can stand for a word."""
_SPACE_RUN = re.compile(r"\s\s+")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_WORD_BOUNDARY = regex.compile(r"\b", regex.WORD | regex.V1)


def split_words(text: str, words: Words) -> list[str]:
    r"""Words of a text.

    >>> split_words("수술\n후 4일째.", "whitespace")
    ['수술', '후', '4일째.']
    >>> split_words("a - b", "uax29")
    ['a', 'b']
    """
    return _SPLIT[words](text)


def encode_words(reference: Sequence[str], hypothesis: Sequence[str]) -> tuple[str, str]:
    """Both word lists as strings, equal words being equal code points."""
    distinct = dict.fromkeys(itertools.chain(reference, hypothesis))
    if len(distinct) > MOST_WORDS:
        raise InputError(
            f"two texts have {len(distinct):,} different words together; BLEU and wer_bag tell at "
            f"most {MOST_WORDS:,} apart. Compare the texts in parts, such as page by page, or "
            'without the two metrics, as metrics=["cer", "wer"].'
        )
    codes = dict(zip(distinct, map(chr, itertools.chain(*_SCALARS)), strict=False))
    return "".join(codes[word] for word in reference), "".join(codes[word] for word in hypothesis)


def _between_spaces(text: str) -> list[str]:
    """Parts between spaces; a line break separates only within a run of white space."""
    return [word for word in _SPACE_RUN.sub(" ", text).strip().split(" ") if word]


def _annex_29(text: str) -> list[str]:
    """Words of Unicode Annex 29 that hold a letter or a digit.

    Private-use characters, which stand for ligatures of old prints, count as letters.
    """
    parts = between_flags(_PRIVATE.sub("a", text))
    pieces: list[str] = [piece for part in parts for piece in _WORD_BOUNDARY.split(part)]
    ends = list(itertools.accumulate(map(len, pieces)))
    words = (text[end - len(piece) : end] for piece, end in zip(pieces, ends, strict=True))
    no_words = set(filter(_is_no_word, set(text)))
    return [word for word in words if not no_words.issuperset(word)]


def _is_no_word(character: str) -> bool:
    """Return whether a character is a mark, punctuation, space, symbol, control or unassigned."""
    category = unicodedata.category(character)
    return category[0] in "MPZS" or category in ("Cc", "Cf")


def _characters(text: str) -> list[str]:
    """Graphemes other than white space."""
    return [character for character in split_graphemes(text) if not character.isspace()]


_SPLIT: dict[Words, Callable[[str], list[str]]] = {
    "whitespace": str.split,
    "space": _between_spaces,
    "uax29": _annex_29,
    "character": _characters,
}
