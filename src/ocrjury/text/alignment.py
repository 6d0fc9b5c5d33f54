"""Where two texts agree and where they differ."""

from typing import Literal, NamedTuple, cast

from rapidfuzz.distance import Levenshtein

from ocrjury.text.grapheme_clusters import split_graphemes
from ocrjury.text.normalization import normalize_text, space_text
from ocrjury.text.options import TextOptions

Op = Literal["equal", "replace", "insert", "delete"]


class EditOp(NamedTuple):
    """A stretch of both texts that is equal, replaced, inserted or deleted.

    ``ref_start`` to ``ref_end`` and ``hyp_start`` to ``hyp_end`` are half-open ranges in the
    characters that `split_units` returns. A replaced stretch has the same length on both sides.
    """

    op: Op
    ref_start: int
    ref_end: int
    hyp_start: int
    hyp_end: int


def align(
    reference: str,
    hypothesis: str,
    *,
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
) -> list[EditOp]:
    """Edit operations, in order, that turn the reference into the hypothesis.

    Their number of edits is minimal; of several minimal lists this is the one rapidfuzz finds.
    Memory grows with the longer text, not with the product of both lengths.

    Examples
    --------
    >>> for op in align("3월 15일", "3웛 15"):
    ...     print(*op)
    equal 0 1 0 1
    replace 1 2 1 2
    equal 2 5 2 5
    delete 5 6 5 5
    """
    sides = (split_units(text, options=options) for text in (reference, hypothesis))
    return [
        EditOp(cast("Op", code.tag), code.src_start, code.src_end, code.dest_start, code.dest_end)
        for code in Levenshtein.opcodes(*sides)
    ]


def split_units(
    text: str,
    *,
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
) -> list[str]:
    r"""Characters of a text that `align` counts.

    >>> split_units("3월\n 15일")
    ['3', '월', ' ', '1', '5', '일']
    """
    prepared = space_text(normalize_text(text, options), options.whitespace)
    return split_graphemes(prepared) if options.unit == "grapheme" else list(prepared)
