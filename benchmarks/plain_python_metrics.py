"""The metrics of the reference text as it computes them, in plain Python over a NumPy table.

Written anew from its description: the table of the edit distance is filled cell by cell, and the
metrics of one sample each fill their own.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np


def edit_distance(reference: Sequence[str], hypothesis: Sequence[str]) -> int:
    """Distance, from the whole table."""
    m, n = len(reference), len(hypothesis)
    table = np.zeros((m + 1, n + 1), dtype=int)
    for i in range(m + 1):
        table[i][0] = i
    for j in range(n + 1):
        table[0][j] = j
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if reference[i - 1] == hypothesis[j - 1]:
                table[i][j] = table[i - 1][j - 1]
            else:
                table[i][j] = 1 + min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1])
    return int(table[m][n])


def score_sample(reference: str, hypothesis: str) -> dict[str, float]:
    """Metrics of one sample."""
    words = reference.split(), hypothesis.split()
    common = (Counter(reference) & Counter(hypothesis)).total()
    return {
        "edit_distance": edit_distance(reference, hypothesis),
        "cer": edit_distance(reference, hypothesis) / max(len(reference), 1),
        "wer": edit_distance(*words) / max(len(words[0]), 1),
        "ned": edit_distance(reference, hypothesis) / max(len(reference), len(hypothesis), 1),
        "bleu": _bleu(*words),
        "char_f1": 2 * common / max(len(reference) + len(hypothesis), 1),
    }


def _bleu(reference: list[str], hypothesis: list[str]) -> float:
    """BLEU of up to four words without smoothing."""
    logs = []
    for n in range(1, 5):
        ours, theirs = _ngrams(hypothesis, n), _ngrams(reference, n)
        matches = (ours & theirs).total()
        if not matches:
            return 0.0
        logs.append(math.log(matches / ours.total()))
    brevity = min(0.0, 1 - len(reference) / len(hypothesis))
    return math.exp(brevity + sum(logs) / 4)


def _ngrams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    """Number of times each n-gram occurs."""
    return Counter(tuple(words[place : place + n]) for place in range(len(words) - n + 1))
