"""Edits that turn reference texts into OCR output (Levenshtein distance, unit costs)."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.text import edit_limits
from ocrjury.text.edit_limits import is_too_long
from ocrjury.text.edit_paths import edit_distance, edit_parts


@dataclass(frozen=True, slots=True, eq=False)
class EditCounts:
    """Edits of n pairs, each of shape (n,).

    Of a pair too long for that (`ocrjury.text.edit_limits`), no shortest list of edits is sought.

    The texts determine the distance, and insertions minus deletions. They do not determine how the
    distance splits into substitutions, deletions and insertions: several shortest paths may exist,
    and this is the one rapidfuzz takes. Compare the split only with counts made here.
    """

    n_ref: Integers
    n_hyp: Integers
    distance: Integers
    substitutions: Integers

    @property
    def matches(self) -> Integers:
        """Characters or words of the reference that the OCR has too; jiwer calls them hits."""
        return self.n_ref - self.substitutions - self.deletions

    @property
    def deletions(self) -> Integers:
        """Characters or words of the reference that the OCR left out."""
        return (self.distance - self.substitutions + self.n_ref - self.n_hyp) // 2

    @property
    def insertions(self) -> Integers:
        """Characters or words of the OCR that the reference does not have."""
        return (self.distance - self.substitutions - self.n_ref + self.n_hyp) // 2


def count_edits(references: Sequence[Any], hypotheses: Sequence[Any]) -> EditCounts:
    """Edits of each pair of strings, a code point being a character, or of word lists."""
    n = len(references)
    distance = np.zeros(n, dtype=np.int64)
    substitutions = np.zeros(n, dtype=np.int64)
    for i, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        if reference == hypothesis:
            continue
        if is_too_long(len(reference), len(hypothesis)):
            for part in edit_parts(reference, hypothesis):
                distance[i] += len(part.edits)
                substitutions[i] += sum([edit[0] == "replace" for edit in part.edits])
        else:  # without parts, which take longer to make
            edits = Levenshtein.editops(reference, hypothesis).as_list()
            distance[i] = len(edits)
            substitutions[i] = sum([edit[0] == "replace" for edit in edits])
    return EditCounts(lengths(references), lengths(hypotheses), distance, substitutions)


def distances(
    references: Sequence[Any], hypotheses: Sequence[Any], *, hints: Integers | None = None
) -> Integers:
    """Edit distance of each pair of strings or of word lists.

    ``hints``, shape (n,), holds rough guesses of the distances; good ones make this faster.
    """
    out = np.zeros(len(references), dtype=np.int64)
    hint = itertools.repeat(None) if hints is None else hints.tolist()
    # Without hints the iterator is endless.
    pairs = zip(references, hypotheses, hint, strict=False)
    for i, (reference, hypothesis, expected) in enumerate(pairs):
        if reference != hypothesis:
            out[i] = edit_distance(reference, hypothesis, hint=expected)
    return out


def are_too_long(n_ref: Floats | Integers, n_hyp: Floats | Integers) -> Booleans:
    """Mask of the pairs too long for a shortest list of edits, shape (n,); nan is not."""
    cells: Floats = np.asarray(n_ref, dtype=float) * n_hyp
    return cells > edit_limits.EXACT_CELLS


def error_rate(edits: Integers, n_ref: Integers, n_hyp: Integers) -> Floats:
    """Edits over reference length; against an empty reference nan, or 0 if both are empty."""
    undefined = np.where(n_hyp > 0, np.nan, 0.0)
    return np.where(n_ref > 0, edits / np.maximum(n_ref, 1), undefined)


def lengths(texts: Sequence[Any]) -> Integers:
    """Length of each text, shape (n,)."""
    return np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
