"""Between which values an agreement statistic lies."""

import math
from collections.abc import Mapping
from typing import Final

from ocrjury.estimate import Estimate
from ocrjury.pages.numbers import within

SHARES: Final = frozenset(
    {
        "percent_agreement",
        "pairwise_agreement",
        "exact_agreement",
        "adjacent_agreement",
        "human_agreement",
        "human_agreement_chance",
        "judge_alignment",
        "modal_share",
    }
)
"""Statistics between 0 and 1; others are corrected for chance and lie between -1 and 1."""
_UNBOUNDED: Final = frozenset({"human_agreement_corrected"})  # far below chance it passes -1


def bounded(statistic: str, estimate: Estimate) -> Estimate:
    """Return an estimate whose interval ends where its statistic ends.

    Examples
    --------
    >>> wide = Estimate(0.5, -5.853, 1.4)
    >>> bounded("percent_agreement", wide).low, bounded("krippendorff_alpha", wide).low
    (0, -1)
    """
    if statistic in _UNBOUNDED:
        return within(estimate, -math.inf, 1)
    return within(estimate, 0 if statistic in SHARES else -1, 1)


def all_bounded(estimates: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return every statistic with an interval that is possible."""
    return {name: bounded(name, estimate) for name, estimate in estimates.items()}
