"""How far automatic judges lie above or below the raters, and how that changed."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ocrjury.estimation import RatedSample
from ocrjury.estimation.auxiliary import auxiliary_columns
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import Evidence, evidence_on
from ocrjury.evaluation.rated_sample import sampled_frame
from ocrjury.evaluation.trends import Earlier, agreed_on, trend_rows
from ocrjury.findings.judges import JudgeBias, JudgeBiases


def measure_judge_biases(case: Case, pool: pd.DataFrame, earlier: Earlier) -> list[JudgeBiases]:
    """Bias of every judge over the pool, with its change since earlier evaluations.

    The bias is the pool's mean of judge less rater, over the documents that the judge scored.
    Documents that come again are compared with themselves.
    """
    found = []
    for dimension, scale in case.campaign.rubric.scales.items():
        if not scale.ordered:
            continue
        span = scale.high - scale.low
        shown, _ = agreed_on(earlier, dimension)
        judges = []
        for judge in case.campaign.pool.judges_of(dimension):
            sides = _sides([*shown, (case, pool)], dimension, judge)
            if sides and sides[-1][0] is case:
                judges.append(JudgeBias(judge=judge, rows=trend_rows(sides, low=-span, high=span)))
        if judges:
            found.append(JudgeBiases(dimension=dimension, judges=tuple(judges)))
    return found


def _sides(evaluations: Earlier, dimension: str, judge: str) -> Sequence[tuple[Case, RatedSample]]:
    """Judge less rater in each evaluation in which the judge scored rated documents."""
    sides = []
    for case, pool in evaluations:
        column = case.campaign.pool.judges_of(dimension).get(judge)
        if column is not None and column in pool:
            sample = _less_raters(case, pool, dimension, column=column)
            if len(sample.ratings):
                sides.append((case, sample))
    return sides


def _less_raters(case: Case, pool: pd.DataFrame, dimension: str, *, column: str) -> RatedSample:
    """Sample of the documents with a score, with judge less rater in the place of ratings."""
    scored = pool[pool[column].notna()].reset_index(drop=True)
    # An item bears its document's name.
    scores = pd.Series(scored[column].to_numpy(dtype=float), index=scored["doc_id"])
    evidence = Evidence(*(_less(part, scores) for part in evidence_on(case, dimension)))
    items = sampled_frame(case, pool, [dimension])
    items = items[items["doc_id"].isin(scores.index)].reset_index(drop=True)
    if items.empty:
        return RatedSample(evidence.ratings.iloc[:0], items)
    matrix, _, _ = auxiliary_columns(
        scored, n=len(items), judges=case.campaign.auxiliaries_on([dimension])
    )
    places = scores.index.get_indexer(pd.Index(items["doc_id"]))
    items = items.drop(columns="doc_id")
    return RatedSample(
        evidence.rated, items, matrix[places], np.mean(matrix, axis=0), evidence.known
    )


def _less(rated: pd.DataFrame, scores: "pd.Series[float]") -> pd.DataFrame:
    """Ratings of items with a score, subtracted from it."""
    difference = rated["item"].map(scores).astype(float) - rated["rating"].astype(float)
    return rated.assign(rating=difference).dropna(subset=["rating"])
