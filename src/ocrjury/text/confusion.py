"""Confusions: characters or words that the OCR replaces, inserts or deletes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import repeat, starmap, zip_longest
from typing import Any, get_args

import pandas as pd
from rapidfuzz.distance import Levenshtein

from ocrjury.errors import InputError
from ocrjury.surrogates import HALF, has_surrogate
from ocrjury.text.alignment import Units
from ocrjury.text.edit_limits import is_too_long
from ocrjury.text.edit_paths import Step, edit_steps
from ocrjury.text.grapheme_clusters import split_graphemes
from ocrjury.text.graphemes import joining_characters
from ocrjury.text.normalization import normalize_texts, space_text
from ocrjury.text.options import TextOptions
from ocrjury.text.words import split_words

Edit = tuple[str, str, str]
"""Character or word of the reference, that of the OCR, and the kind of edit."""


def confusion_table(
    references: Sequence[str | None],
    hypotheses: Sequence[str],
    *,
    units: Units = "characters",
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
) -> pd.DataFrame:
    """Frequency of each kind of edit, the most frequent first.

    Parameters
    ----------
    references, hypotheses
        As for `score_texts`; a pair without a reference adds nothing.

    Returns
    -------
    DataFrame
        ``reference`` and ``hypothesis``: the character or word on each side, ``""`` where it was
        inserted or deleted; ``op``: ``"replace"``, ``"insert"`` or ``"delete"``; ``count``;
        ``n_documents``: documents with that edit; ``share`` of all edits; ``example``: position of
        the first pair with that edit, counted from 0. The counts add up to the edit distance.

    Raises
    ------
    InputError
        On lists of unequal length, and on half a character (a lone surrogate).

    Examples
    --------
    >>> confusion_table(["17,230원"], ["17.230"])[["reference", "hypothesis", "count"]]
      reference hypothesis  count
    0         ,          .      1
    1         원                 1
    """
    if len(references) != len(hypotheses):
        raise InputError(
            f"confusion_table needs one hypothesis per reference; found {len(references)} "
            f"reference(s) and {len(hypotheses)} hypothesis(es)."
        )
    count: Counter[Edit] = Counter()
    n_documents: Counter[Edit] = Counter()
    example: dict[Edit, int] = {}
    known = [place for place, text in enumerate(references) if isinstance(text, str)]
    sides = (
        [text for text in references if isinstance(text, str)],
        [hypotheses[place] for place in known],
    )
    _check_whole(known, *sides)
    for place, edits in zip(known, edits_of(*sides, units=units, options=options), strict=True):
        count.update(edits)
        n_documents.update(set(edits))
        for edit in edits:
            example.setdefault(edit, place)
    return _table(count, n_documents, example)


def _check_whole(places: Sequence[int], *sides: Sequence[str]) -> None:
    """Raise on half a character, which the strings of a table cannot hold."""
    for place, pair in zip(places, zip(*sides, strict=True), strict=True):
        if any(map(has_surrogate, pair)):
            raise InputError(f"confusion_table: pair {place} has {HALF}; repair or drop its text.")


def edits_of(
    references: Sequence[str],
    hypotheses: Sequence[str],
    *,
    units: Units = "characters",
    options: TextOptions,
) -> Iterator[list[Edit]]:
    """Yield, for each pair of texts, the two characters or words and the kind of every edit."""
    if units not in get_args(Units):
        raise InputError(f"units must be 'characters' or 'words'; found {units!r}.")
    sides = tuple(normalize_texts(side, options) for side in (references, hypotheses))
    if units == "words":
        words = (map(split_words, side, repeat(options.words)) for side in sides)
        return starmap(_edits, zip(*words, strict=True))
    return starmap(_edits, _characters(*sides, options=options))


def _characters(
    references: Sequence[str], hypotheses: Sequence[str], *, options: TextOptions
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the characters of each pair: a plain string where every code point is one."""
    sides = tuple(
        [space_text(text, options.whitespace) for text in side] for side in (references, hypotheses)
    )
    joining = joining_characters(*sides) if options.unit == "grapheme" else frozenset()
    for reference, hypothesis in zip(*sides, strict=True):
        if joining.isdisjoint(reference) and joining.isdisjoint(hypothesis):
            yield reference, hypothesis
        else:
            yield split_graphemes(reference), split_graphemes(hypothesis)


def _edits(reference: Sequence[str], hypothesis: Sequence[str]) -> list[Edit]:
    """Edits of one pair; an insertion or deletion has one side only."""
    if reference == hypothesis:
        return []
    if is_too_long(len(reference), len(hypothesis)):
        steps = edit_steps(reference, hypothesis)
        return [edit for step in steps for edit in _pairs(step, reference, hypothesis)]
    # Without steps, which take longer to make; rapidfuzz declares the fields of an edit loosely.
    edits: Any = Levenshtein.editops(reference, hypothesis).as_list()
    return [
        (
            "" if kind == "insert" else reference[left],
            "" if kind == "delete" else hypothesis[right],
            kind,
        )
        for kind, left, right in edits
    ]


def _pairs(step: Step, reference: Sequence[str], hypothesis: Sequence[str]) -> Iterator[Edit]:
    """Yield the edits of one step."""
    if step.tag == "equal":
        return
    sides = (
        reference[step.src_start : step.src_end],
        hypothesis[step.dest_start : step.dest_end],
    )
    for left, right in zip_longest(*sides, fillvalue=""):
        yield left, right, step.tag


def _table(
    count: Counter[Edit], n_documents: Counter[Edit], example: dict[Edit, int]
) -> pd.DataFrame:
    """Frame of edits, most frequent first, then by character."""
    order = sorted(count, key=lambda edit: (-count[edit], edit))
    total = max(count.total(), 1)
    return pd.DataFrame(
        {
            "reference": [edit[0] for edit in order],
            "hypothesis": [edit[1] for edit in order],
            "op": [edit[2] for edit in order],
            "count": [count[edit] for edit in order],
            "n_documents": [n_documents[edit] for edit in order],
            "share": [count[edit] / total for edit in order],
            "example": [example[edit] for edit in order],
        }
    )
