"""BLEU of each text against one reference (Papineni and others 2002).

Smoothed and cut to the effective order as sacrebleu's sentence score is, in [0, 1].
"""

from collections.abc import Sequence

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.text.edit_counts import lengths
from ocrjury.text.ngrams import clipped_matches
from ocrjury.text.options import Smoothing, TextOptions


def sentence_bleu(
    references: Sequence[Sequence[str]],
    hypotheses: Sequence[Sequence[str]],
    *,
    options: TextOptions,
) -> Floats:
    """BLEU of each of n pairs of word lists, shape (n,); 1 if both are empty, 0 if one is.

    Notes
    -----
    Smoothing ``"exp"`` is method 3 of Chen and Cherry (2014), W14-3346.

    Examples
    --------
    >>> sentence_bleu([["수술", "후"]], [["수술", "후"]], options=TextOptions()).tolist()
    [1.0]
    """
    n_ref, n_hyp = lengths(references), lengths(hypotheses)
    matches = clipped_matches(references, hypotheses, order=options.bleu_order)
    total = np.maximum(n_hyp[:, None] - np.arange(options.bleu_order), 0)
    precision = _precision(matches, total, smoothing=options.bleu_smoothing)
    weight = np.array(options.bleu_weights or (1.0,) * options.bleu_order)
    used = (
        np.where(total > 0, weight, 0.0) if options.bleu_effective_order else weight + 0.0 * total
    )
    impossible = ((used > 0) & (precision == 0)).any(axis=1) | (matches[:, 0] == 0)
    logs = np.log(np.where(precision > 0, precision, 1.0))
    mean_log = (used * logs).sum(axis=1) / np.maximum(used.sum(axis=1), weight[0])
    brevity = np.minimum(0.0, 1.0 - n_ref / np.maximum(n_hyp, 1))
    bleu = np.where(impossible, 0.0, np.exp(brevity + mean_log))
    return np.where((n_ref == 0) & (n_hyp == 0), 1.0, bleu)


def _precision(matches: Integers, total: Integers, *, smoothing: Smoothing) -> Floats:
    """Share of n-grams that match, shape (n, order); 0 where there are none."""
    precision = matches / np.maximum(total, 1)
    if smoothing == "none":
        return precision
    lacking = (matches == 0) & (total > 0)
    halved = 0.5 ** lacking.cumsum(axis=1) / np.maximum(total, 1)
    return np.where(lacking, halved, precision)
