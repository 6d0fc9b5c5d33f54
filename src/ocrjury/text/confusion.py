"""Confusions: characters or words that the OCR replaces, inserts or deletes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import pandas as pd

from ocrjury.errors import InputError
from ocrjury.text.alignment import Units, split_units
from ocrjury.text.edit_paths import Step, edit_steps
from ocrjury.text.options import TextOptions


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
    count: Counter[tuple[str, str, str]] = Counter()
    n_documents: Counter[tuple[str, str, str]] = Counter()
    example: dict[tuple[str, str, str], int] = {}
    for place, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        if not isinstance(reference, str):
            continue
        edits = Counter(edits_of(reference, hypothesis, units=units, options=options))
        count.update(edits)
        n_documents.update(edits.keys())
        for edit in edits:
            example.setdefault(edit, place)
    return _table(count, n_documents, example)


def edits_of(
    reference: str, hypothesis: str, *, units: Units = "characters", options: TextOptions
) -> Iterator[tuple[str, str, str]]:
    """Yield the two characters or words and the kind of every edit."""
    if reference == hypothesis:
        return
    ref_units = split_units(reference, units=units, options=options)
    hyp_units = split_units(hypothesis, units=units, options=options)
    for step in edit_steps(ref_units, hyp_units):
        if step.tag != "equal":
            yield from _pairs(step, ref_units, hyp_units)


def _pairs(step: Step, ref: list[str], hyp: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the edits of one step; an insertion or deletion has one side only."""
    sides = ref[step.src_start : step.src_end], hyp[step.dest_start : step.dest_end]
    for left, right in zip_longest(*sides, fillvalue=""):
        yield left, right, step.tag


def _table(
    count: Counter[tuple[str, str, str]],
    n_documents: Counter[tuple[str, str, str]],
    example: dict[tuple[str, str, str], int],
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
