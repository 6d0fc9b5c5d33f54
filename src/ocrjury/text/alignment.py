"""Alignment of two texts, character by character or word by word."""

from typing import Literal, NamedTuple, cast, get_args

from ocrjury.errors import InputError
from ocrjury.text.edit_paths import edit_steps
from ocrjury.text.grapheme_clusters import split_graphemes
from ocrjury.text.normalization import normalize_text, space_text
from ocrjury.text.options import TextOptions
from ocrjury.text.words import split_words

Op = Literal["equal", "replace", "insert", "delete"]
Units = Literal["characters", "words"]


class EditOp(NamedTuple):
    """A stretch of both texts that is equal, replaced, inserted or deleted.

    ``ref_start`` to ``ref_end`` and ``hyp_start`` to ``hyp_end`` are half-open ranges in the
    characters or words that `split_units` returns. A replaced stretch has the same length on both
    sides.
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
    units: Units = "characters",
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
) -> list[EditOp]:
    """Edit operations, in order, that turn the reference into the hypothesis.

    Their number of edits is minimal; of several minimal lists this is the one rapidfuzz finds.
    Memory grows with the longer text, not with the product of both lengths. Where that product is
    above 2.5e9, the list may be longer than the shortest: see `ocrjury.text.edit_limits`.

    Examples
    --------
    >>> for op in align("3월 15일", "3웛 15"):
    ...     print(*op)
    equal 0 1 0 1
    replace 1 2 1 2
    equal 2 5 2 5
    delete 5 6 5 5
    >>> for op in align("3월 15일", "3웛 15일", units="words"):
    ...     print(*op)
    replace 0 1 0 1
    equal 1 2 1 2
    """
    sides = (split_units(text, units=units, options=options) for text in (reference, hypothesis))
    return [
        EditOp(cast("Op", step.tag), step.src_start, step.src_end, step.dest_start, step.dest_end)
        for step in edit_steps(*sides)
    ]


def split_units(
    text: str,
    *,
    units: Units = "characters",
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
) -> list[str]:
    r"""Characters or words of a text that `align` counts, as the options define them.

    >>> split_units("3월\n 15일")
    ['3', '월', ' ', '1', '5', '일']
    >>> split_units("3월\n 15일", units="words")
    ['3월', '15일']
    """
    if units not in get_args(Units):
        raise InputError(f"units must be 'characters' or 'words'; found {units!r}.")
    normal = normalize_text(text, options)
    if units == "words":
        return split_words(normal, options.words)
    prepared = space_text(normal, options.whitespace)
    return split_graphemes(prepared) if options.unit == "grapheme" else list(prepared)
