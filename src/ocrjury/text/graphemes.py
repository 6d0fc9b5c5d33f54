"""Characters as readers see them: grapheme clusters of Unicode Annex 29.

A cluster of several code points is replaced by one private code point, the same one for the same
cluster on both sides. Texts stay plain strings that way, and everything that counts code points
counts graphemes. In most texts every code point is a cluster of its own; a check of the distinct
code points of a batch shows it.
"""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import regex

from ocrjury.errors import InputError
from ocrjury.text.grapheme_clusters import split_graphemes

CodePoints = npt.NDArray[np.uint32]

# Every cluster of several code points holds one of these (Unicode Annex 29, rules GB3 to GB13).
_JOINING = regex.compile(
    r"[\r\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=Regional_Indicator}"
    r"\p{GCB=L}\p{GCB=V}\p{GCB=T}]"
)


def code_points(texts: Sequence[str]) -> CodePoints:
    """Code points of all texts, one after the other."""
    return np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<u4")


def fold_graphemes(references: Sequence[str], hypotheses: Sequence[str]) -> tuple[list[str], ...]:
    """Both sides with one code point per grapheme cluster.

    A code point that replaces a cluster has the same meaning on both sides of one call, and none
    outside of it.
    """
    joining = joining_characters(references, hypotheses)
    if not joining:
        return list(references), list(hypotheses)
    free = _free_characters(frozenset(distinct_characters(references, hypotheses)))
    replacements: dict[str, str] = {}
    return tuple(
        [text if joining.isdisjoint(text) else _fold(text, replacements, free) for text in side]
        for side in (references, hypotheses)
    )


def joining_characters(*sides: Sequence[str]) -> frozenset[str]:
    """Characters of the texts without which every code point is a cluster of its own."""
    return frozenset(_JOINING.findall("".join(distinct_characters(*sides))))


def distinct_characters(*sides: Sequence[str]) -> list[str]:
    """Characters that occur in any of the texts, in the order of their code points."""
    points = [code_points(texts) for texts in sides]
    present = np.zeros(1 + max(int(side.max(initial=0)) for side in points), dtype=np.bool_)
    for side in points:
        present[side] = True
    return list(map(chr, np.flatnonzero(present)))


def _fold(text: str, replacements: dict[str, str], free: Iterator[str]) -> str:
    """Text with each cluster replaced by its code point; new clusters take the next free one."""
    folded = []
    for cluster in split_graphemes(text):
        if len(cluster) == 1:
            folded.append(cluster)
            continue
        if cluster not in replacements:
            replacements[cluster] = _next(free)
        folded.append(replacements[cluster])
    return "".join(folded)


def _free_characters(present: frozenset[str]) -> Iterator[str]:
    """Yield characters that occur in no text, private planes first, surrogates never."""
    codes = itertools.chain(range(0xF0000, 0x110000), range(0xD800), range(0xE000, 0xF0000))
    return (character for character in map(chr, codes) if character not in present)


def _next(free: Iterator[str]) -> str:
    try:
        return next(free)
    except StopIteration:
        raise InputError(
            "the texts contain over a million different grapheme clusters; compare them in smaller "
            'batches, or with TextOptions(unit="codepoint").'
        ) from None
