"""Columns of a score, each as a function of the compared texts.

Undefined is nan: against an empty reference an error rate has no denominator.
"""

from collections.abc import Callable, Mapping

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.text.char_f1 import ratio_or
from ocrjury.text.comparison import Comparison
from ocrjury.text.edit_counts import error_rate

Metric = Callable[[Comparison], Floats | Integers]


def _cer(c: Comparison) -> Floats:
    return error_rate(c.edits.distance, c.edits.n_ref, c.edits.n_hyp)


def _cer_nospace(c: Comparison) -> Floats:
    return error_rate(*c.nospace)


def _wer(c: Comparison) -> Floats:
    return error_rate(c.word_edits, *c.n_words)


def _ned(c: Comparison) -> Floats:
    return c.edits.distance / np.maximum(np.maximum(c.edits.n_ref, c.edits.n_hyp), 1)


def _nacc(c: Comparison) -> Floats:
    return 1.0 - _ned(c)


def _char_precision(c: Comparison) -> Floats:
    return ratio_or(c.common, c.edits.n_hyp, empty=(c.edits.n_ref == 0).astype(float))


def _char_recall(c: Comparison) -> Floats:
    return ratio_or(c.common, c.edits.n_ref, empty=(c.edits.n_hyp == 0).astype(float))


def _char_f1(c: Comparison) -> Floats:
    total = c.edits.n_ref + c.edits.n_hyp
    return ratio_or(2 * c.common, total, empty=np.ones(len(total)))


def _cer_normalized(c: Comparison) -> Floats:
    edits = c.edits
    # Edits plus matches: the characters of the reference and the inserted ones.
    return ratio_or(
        edits.distance, edits.n_ref + edits.insertions, empty=np.zeros(len(edits.n_ref))
    )


def _wer_bag(c: Comparison) -> Floats:
    return error_rate(c.bag_edits, *c.n_words)


def _wer_uax29(c: Comparison) -> Floats:
    return error_rate(*c.annex_29)


METRICS: Mapping[str, Metric] = {
    "n_ref_chars": lambda c: c.edits.n_ref,
    "n_hyp_chars": lambda c: c.edits.n_hyp,
    "edit_distance": lambda c: c.edits.distance,
    "substitutions": lambda c: c.edits.substitutions,
    "deletions": lambda c: c.edits.deletions,
    "insertions": lambda c: c.edits.insertions,
    "cer": _cer,
    "cer_nospace": _cer_nospace,
    "wer": _wer,
    "ned": _ned,
    "nacc": _nacc,
    "bleu": lambda c: c.bleu,
    "char_precision": _char_precision,
    "char_recall": _char_recall,
    "char_f1": _char_f1,
    "exact_match": lambda c: (c.edits.distance == 0).astype(float),
}

# Only on request.
OPTIONAL: Mapping[str, Metric] = {
    "cer_normalized": _cer_normalized,
    "wer_bag": _wer_bag,
    "wer_uax29": _wer_uax29,
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
}
COLUMNS: Mapping[str, Metric] = {**METRICS, **OPTIONAL, **TOTALS, **OPTIONAL_TOTALS}
