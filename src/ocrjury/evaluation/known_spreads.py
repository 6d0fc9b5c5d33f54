"""Variation of scores and raters in an earlier evaluation of the campaign."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.compared_evaluation import ComparedEvaluation, Draws
from ocrjury.evaluation.evidence import evidence_on
from ocrjury.findings.comparable_pool import Fingerprints
from ocrjury.planner import usual_spreads, variance_components
from ocrjury.scales import Scale

FEWEST_ITEMS = 20
"""Rated items without which an earlier evaluation does not show how much scores vary."""
_EQUAL = 1e-9
"""Spread of ratings that are equal but for rounding."""
Spreads = dict[str, float]


class Sources(NamedTuple):
    """Earlier evaluations that may show spreads, and names of those that rated the same sample.

    A plan measured on the documents that will be drawn again is confirmed by them whatever it says.
    """

    earlier: Sequence[Case]
    same_sample: tuple[str, ...]


def sources_for(draws: Draws, pool: Fingerprints, *, earlier: Sequence[Case]) -> Sources:
    """Earlier evaluations (oldest first) seen from a draw of a pool."""
    pasts = [ComparedEvaluation(case) for case in earlier]
    again = {past.name for past in pasts if past.draws == draws and past.fingerprints.repeat(pool)}
    others = [case for case in earlier if case.name not in again]
    return Sources(others, tuple(past.name for past in pasts if past.name in again))


def known_spreads(
    earlier: Sequence[Case], dimension: str, *, scale: Scale, pool: pd.DataFrame
) -> tuple[Spreads, str | None]:
    """Spreads of scores and raters, and the newest of ``earlier`` (oldest first) that has them."""
    for case in reversed(earlier):
        spreads = _measured(case, dimension)
        if spreads is not None:
            return spreads, case.name
    shares = {name: float(pool[name].notna().mean()) for name in ("reference", "confidence")}
    usual = usual_spreads(scale, references=shares["reference"], confidences=shares["confidence"])
    return usual, None


def _measured(case: Case, dimension: str) -> Spreads | None:
    """Spreads in one evaluation, None where its ratings cannot show them."""
    evidence = evidence_on(case, dimension)
    if evidence.ratings["item"].nunique() < FEWEST_ITEMS:
        return None
    sample = ComparedEvaluation(case).sample(dimension)
    try:
        components = variance_components(
            evidence.ratings,
            items=sample.items,
            auxiliary=sample.auxiliary,
            pool_mean=sample.pool_mean,
        )
    except InputError:  # no item has two ratings
        return None
    if max(components.score_sd, components.noise_sd) < _EQUAL:
        return None
    spreads = components._asdict()
    del spreads["n_raters"]
    return spreads
