"""Micro averages: the numerators and denominators that are summed over documents."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats

# Rate times length restores a whole number of characters, up to rounding.
_PRODUCTS: Mapping[str, tuple[str, ...]] = {
    "char_precision": ("n_hyp_chars",),
    "char_recall": ("n_ref_chars",),
    "char_f1": ("n_ref_chars", "n_hyp_chars"),
}
_QUOTIENTS: Mapping[str, tuple[str, str]] = {
    "cer": ("edit_distance", "n_ref_chars"),
    "cer_nospace": ("edit_distance_nospace", "n_ref_chars_nospace"),
    "wer": ("word_edits", "n_ref_words"),
    "wer_bag": ("word_edits_bag", "n_ref_words"),
    "wer_uax29": ("word_edits_uax29", "n_ref_words_uax29"),
}
_OF_LONGER: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "ned": lambda edits, longer: edits,  # noqa: ARG005  # one signature for both
    "nacc": lambda edits, longer: longer - edits,
}
_PLAIN = (
    "n_ref_chars",
    "n_hyp_chars",
    "edit_distance",
    "substitutions",
    "deletions",
    "insertions",
    "exact_match",
)


def micro_parts(frame: pd.DataFrame, metric: str) -> tuple[Floats, Floats] | None:
    """Numerator and denominator of each document, 0 where there is no reference.

    None if the metric does not add up, or a column that it needs is missing.
    """

    def column(name: str) -> Floats:
        return np.nan_to_num(np.asarray(frame[name], dtype=np.float64))

    if metric == "cer_normalized" and _has(frame, ("edit_distance", "n_ref_chars", "insertions")):
        return column("edit_distance"), column("n_ref_chars") + column("insertions")
    lengths = ("edit_distance", "n_ref_chars", "n_hyp_chars")
    if metric in _PLAIN:
        return column(metric), np.asarray(frame[metric].notna(), dtype=np.float64)
    if metric in _QUOTIENTS and _has(frame, _QUOTIENTS[metric]):
        numerator, denominator = _QUOTIENTS[metric]
        return column(numerator), column(denominator)
    if metric in _PRODUCTS and _has(frame, _PRODUCTS[metric]):
        length = sum(map(column, _PRODUCTS[metric]), np.zeros(len(frame)))
        return column(metric) * length, length
    if metric in _OF_LONGER and _has(frame, lengths):
        edits, *both = map(column, lengths)
        longer = np.maximum(*both)
        return _OF_LONGER[metric](edits, longer), longer
    return None


def _has(frame: pd.DataFrame, names: tuple[str, ...]) -> bool:
    """Whether the frame has all these columns."""
    return set(names) <= set(frame.columns)
