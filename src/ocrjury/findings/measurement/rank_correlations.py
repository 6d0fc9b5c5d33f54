"""Rank correlation of automatic metrics with the mean ratings of items."""

from collections.abc import Sequence

import pandas as pd

from ocrjury.agreement.rank_order import rank_correlation
from ocrjury.estimate import Estimate
from ocrjury.metrics import RANKED


def measure_rank_correlations(
    scores: pd.DataFrame, human: Sequence[float], *, pages: Sequence[object]
) -> dict[str, Estimate]:
    """Rank correlation of each metric with the mean ratings of the same items.

    Parameters
    ----------
    scores
        Of the rated items, one column for each metric; one without a number is left out.
    human
        Mean rating of each.
    pages
        Page of each; items of a page are left out together.

    Examples
    --------
    >>> scores = pd.DataFrame({"cer": [0.3, 0.1, 0.2], "wer": [None] * 3})
    >>> ranks = measure_rank_correlations(scores, [1, 3, 2], pages="abc")
    >>> {metric: round(rho.value, 3) for metric, rho in ranks.items()}
    {'cer': -1.0}
    """
    known = [name for name in RANKED if name in scores and scores[name].notna().any()]
    return {
        name: rank_correlation(scores[name].astype(float).tolist(), human, pages=pages)
        for name in known
    }
