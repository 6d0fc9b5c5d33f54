"""Scores of OCR texts against their references, one row per document."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from ocrjury.errors import InputError
from ocrjury.text.comparison import TextComparison
from ocrjury.text.edit_counts import are_too_long
from ocrjury.text.metrics import COLUMNS, METRICS
from ocrjury.text.options import TextOptions

# Characters compared at once; limits the memory used beside the texts and the result.
_BATCH_CHARACTERS = 1_000_000


def score_texts(
    references: Sequence[str | None],
    hypotheses: Sequence[str],
    *,
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
    metrics: Literal["all"] | Sequence[str] = "all",
) -> pd.DataFrame:
    """Scores of OCR texts against their references, one row per pair.

    Parameters
    ----------
    references
        N reference texts; None (or nan) where there is none, which differs from the empty text.
    hypotheses
        N texts as the OCR read them; ``""`` where it read nothing.
    options
        What counts as the same text, as a character and as a word.
    metrics
        ``"all"`` for the columns below, or names of columns in the order wanted. Available by name
        only: ``cer_normalized``, edits over edits and matches, never above 1; ``wer_bag``, ``wer``
        with words in any order (its edits are the larger number of words less those in common,
        Vidal and others 2023); ``wer_uax29``, ``wer`` over the words of Unicode Annex 29; ``mer``,
        word edits over word edits and matches, never above 1; ``wip``, the share of the reference's
        words that match times that of the OCR's words, and ``wil`` = 1 - ``wip`` (Morris, Maier and
        Green 2004, Interspeech, doi:10.21437/Interspeech.2004-668); ``word_substitutions``,
        ``word_deletions``, ``word_insertions`` and ``word_matches`` (hits in jiwer), on the path
        that rapidfuzz takes; ``n_hyp_words``; and the totals that `summarize_scores` needs for
        micro averages: ``n_ref_words``, ``word_edits``, ``n_ref_chars_nospace``,
        ``edit_distance_nospace``, ``word_edits_bag``, ``n_ref_words_uax29`` and
        ``word_edits_uax29``; ``mer`` needs ``word_insertions`` too, ``wip`` and ``wil``
        ``word_matches`` and ``n_hyp_words``.

    Returns
    -------
    DataFrame
        Floats. ``n_ref_chars``, ``n_hyp_chars``, ``edit_distance`` (unit costs),
        ``substitutions``, ``deletions``, ``insertions``; ``cer``, ``cer_nospace`` (without any
        white space) and ``wer``: edits over reference length, above 1 with many insertions;
        ``ned``: edits over the longer text, ``nacc`` = 1 - ``ned``; ``bleu``;
        ``char_precision``, ``char_recall``, ``char_f1``: characters in common, in any order;
        ``exact_match``: 1 if there is no edit. All are nan where there is no reference. Against an
        empty reference ``cer``, ``cer_nospace`` and ``wer`` are nan, ``ned`` is 1 and ``bleu`` and
        ``char_f1`` are 0; two empty texts are equal. ``.attrs["signature"]`` identifies how the
        scores were computed. Where the product of two lengths is above 2.5e9 (50,000 by 50,000),
        edits may be more than the fewest, and the signature says ``align``.

    Examples
    --------
    >>> frame = score_texts(["2024년 3월 15일", None], ["2024년 3웛 15일", "금액"])
    >>> frame[["edit_distance", "cer", "wer"]].round(3).values.tolist()
    [[1.0, 0.083, 0.333], [nan, nan, nan]]
    """
    names = _metric_names(metrics)
    if isinstance(references, str) or isinstance(hypotheses, str):
        raise InputError("score_texts takes lists of texts; for one pair pass [text], [text].")
    rows, present, read = _pairs(list(references), list(hypotheses))
    columns = {name: np.full(len(references), np.nan) for name in names}
    too_long = False
    for start, stop in _batches(present, read):
        comparison = TextComparison(present[start:stop], read[start:stop], options)
        too_long = too_long or comparison.any_too_long
        for name in names:
            columns[name][rows[start:stop]] = COLUMNS[name](comparison)
    frame = pd.DataFrame(columns)
    frame.attrs["signature"] = options.signature(names, too_long=too_long)
    return frame


def any_too_long(scores: pd.DataFrame) -> bool:
    """Return whether any score is of texts too long for an exact comparison."""
    return bool(
        are_too_long(scores["n_ref_chars"].to_numpy(), scores["n_hyp_chars"].to_numpy()).any()
    )


def _metric_names(metrics: Literal["all"] | Sequence[str]) -> list[str]:
    if metrics == "all":
        return list(METRICS)
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    known = list(COLUMNS)
    unknown = [name for name in names if name not in known]
    if unknown or not names or len(set(names)) < len(names):
        raise InputError(
            f'metrics must be "all" or distinct names from {", ".join(known)}; '
            f"found {', '.join(map(repr, unknown or names)) or 'none'}."
        )
    return names


def _pairs(references: list[Any], hypotheses: list[Any]) -> tuple[list[int], list[str], list[str]]:
    """Rows of the pairs that have a reference, and their texts."""
    if len(references) != len(hypotheses):
        raise InputError(
            f"score_texts needs one hypothesis per reference; found {len(references)} "
            f"reference(s) and {len(hypotheses)} hypothesis(es)."
        )
    rows = [i for i, text in enumerate(references) if isinstance(text, str)]
    if len(rows) < len(references):
        remedy = "pass None where there is no reference"
        _refuse(references, "reference", remedy=remedy, allowed=_is_missing)
    remedy = 'pass "" where the OCR read nothing'
    _refuse(hypotheses, "hypothesis", remedy=remedy, allowed=lambda _: False)
    return rows, [references[i] for i in rows], [hypotheses[i] for i in rows]


def _refuse(texts: list[Any], side: str, *, remedy: str, allowed: Callable[[Any], bool]) -> None:
    """Raise if a value is neither text nor allowed."""
    for place, text in enumerate(texts):
        if not isinstance(text, str) and not allowed(text):
            raise InputError(
                f"{side} {place} (counted from 0) must be text; found {type(text).__name__} "
                f"{text!r}: {remedy}."
            )


def _is_missing(value: object) -> bool:
    """Return whether a value is None, nan or NA."""
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def _batches(references: list[str], hypotheses: list[str]) -> Iterator[tuple[int, int]]:
    """Yield bounds of batches of at most `_BATCH_CHARACTERS`, or of one longer pair."""
    start = characters = 0
    for place, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        size = len(reference) + len(hypothesis)
        if characters + size > _BATCH_CHARACTERS and place > start:
            yield start, place
            start, characters = place, 0
        characters += size
    if start < len(references):
        yield start, len(references)
