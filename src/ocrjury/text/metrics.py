"""Columns of a score, each as a function of the compared texts.

Undefined is nan: against an empty reference an error rate has no denominator.
"""

from collections.abc import Callable, Mapping

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.text.char_f1 import ratio_or
from ocrjury.text.comparison import TextComparison
from ocrjury.text.edit_counts import error_rate

Metric = Callable[[TextComparison], Floats | Integers]


def _ned(c: TextComparison) -> Floats:
    return c.edits.distance / np.maximum(np.maximum(c.edits.n_ref, c.edits.n_hyp), 1)


def _wip(c: TextComparison) -> Floats:
    """Share of the reference's words that match, times that of the OCR's words."""
    matches, (n_ref, n_hyp) = c.word_counts.matches, c.n_words
    recall = ratio_or(matches, n_ref, empty=n_hyp == 0)
    return recall * ratio_or(matches, n_hyp, empty=n_ref == 0)


METRICS: Mapping[str, Metric] = {
    "n_ref_chars": lambda c: c.edits.n_ref,
    "n_hyp_chars": lambda c: c.edits.n_hyp,
    "edit_distance": lambda c: c.edits.distance,
    "substitutions": lambda c: c.edits.substitutions,
    "deletions": lambda c: c.edits.deletions,
    "insertions": lambda c: c.edits.insertions,
    "cer": lambda c: error_rate(c.edits.distance, c.edits.n_ref, c.edits.n_hyp),
    "cer_nospace": lambda c: error_rate(*c.nospace),
    "wer": lambda c: error_rate(c.word_edits, *c.n_words),
    "ned": _ned,
    "nacc": lambda c: 1.0 - _ned(c),
    "bleu": lambda c: c.bleu,
    "char_precision": lambda c: ratio_or(c.common, c.edits.n_hyp, empty=c.edits.n_ref == 0),
    "char_recall": lambda c: ratio_or(c.common, c.edits.n_ref, empty=c.edits.n_hyp == 0),
    "char_f1": lambda c: ratio_or(2 * c.common, c.edits.n_ref + c.edits.n_hyp, empty=1.0),
    "exact_match": lambda c: (c.edits.distance == 0).astype(float),
}

# Only on request.
OPTIONAL: Mapping[str, Metric] = {
    # Edits plus matches: the characters of the reference and the inserted ones.
    "cer_normalized": lambda c: ratio_or(
        c.edits.distance, c.edits.n_ref + c.edits.insertions, empty=0.0
    ),
    "wer_bag": lambda c: error_rate(c.bag_edits, *c.n_words),
    "wer_uax29": lambda c: error_rate(*c.annex_29),
    "mer": lambda c: ratio_or(
        c.word_counts.distance, c.n_words[0] + c.word_counts.insertions, empty=0.0
    ),
    "wil": lambda c: 1.0 - _wip(c),
    "wip": _wip,
}

# Only on request: the totals behind micro averages of WER and of CER without spaces.
TOTALS: Mapping[str, Metric] = {
    "n_ref_words": lambda c: c.n_words[0],
    "word_edits": lambda c: c.word_edits,
    "n_ref_chars_nospace": lambda c: c.nospace[1],
    "edit_distance_nospace": lambda c: c.nospace[0],
}
OPTIONAL_TOTALS: Mapping[str, Metric] = {
    "word_edits_bag": lambda c: c.bag_edits,
    "n_ref_words_uax29": lambda c: c.annex_29[1],
    "word_edits_uax29": lambda c: c.annex_29[0],
    "n_hyp_words": lambda c: c.n_words[1],
    "word_substitutions": lambda c: c.word_counts.substitutions,
    "word_deletions": lambda c: c.word_counts.deletions,
    "word_insertions": lambda c: c.word_counts.insertions,
    "word_matches": lambda c: c.word_counts.matches,
}
COLUMNS: Mapping[str, Metric] = {**METRICS, **OPTIONAL, **TOTALS, **OPTIONAL_TOTALS}
