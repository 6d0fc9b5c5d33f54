"""Automatic metrics of the rated items beside their mean ratings."""

import pandas as pd

from ocrjury.evaluation.case import Case
from ocrjury.findings.measurement.rank_correlations import measure_rank_correlations
from ocrjury.findings.pool_scores import RankCorrelations
from ocrjury.metrics import RANKED


def rank_correlations(case: Case) -> list[RankCorrelations]:
    """Rank correlations of the metrics with first-pass ratings; categories have no mean."""
    scales = case.campaign.rubric.scales
    return [_on(case, name) for name in case.dimensions if scales[name].ordered]


def _on(case: Case, dimension: str) -> RankCorrelations:
    given = case.first_pass[case.first_pass["dimension"] == dimension]
    means = given.groupby("item")["rating"].mean()
    rated = [item for item in case.items if item.item in means.index]
    ranks = measure_rank_correlations(
        pd.DataFrame([item.scores for item in rated], columns=list(RANKED)).astype(float),
        [float(means[item.item]) for item in rated],
        pages=[item.page_id for item in rated],
    )
    return RankCorrelations(dimension, ranks)
