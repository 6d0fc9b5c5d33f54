"""Bias of automatic judges relative to the raters, and its change over time."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from ocrjury.estimation import RatedSample
from ocrjury.estimation.auxiliary import auxiliary_columns
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.compared_evaluation import ComparedEvaluation, JudgedSample
from ocrjury.evaluation.evidence import Evidence, evidence_on
from ocrjury.evaluation.rated_sample import KnownSample, sampled_frame
from ocrjury.evaluation.trends import Earlier, Side, agreed_on, trend_rows
from ocrjury.findings.judges import JudgeBias, JudgeBiases
from ocrjury.findings.trend import TrendRow

Judged = Mapping[str, Mapping[str, JudgedSample]]
"""Scores of judges, by dimension and judge."""


def judged_samples(case: Case, pool: pd.DataFrame) -> Judged:
    """Scores of every judge of an evaluation that scored rated documents."""
    ordered = [name for name, scale in case.campaign.rubric.scales.items() if scale.ordered]
    judged_by = {
        dimension: {
            judge: judged
            for judge in case.campaign.pool.judges_of(dimension)
            if (judged := _judged(case, pool, dimension=dimension, judge=judge)) is not None
        }
        for dimension in ordered
    }
    return {dimension: of for dimension, of in judged_by.items() if of}


def measure_judge_biases(case: Case, judged: Judged, earlier: Earlier) -> list[JudgeBiases]:
    """Bias of every judge over the pool, with its change since earlier evaluations.

    The bias is the pool's mean of judge less rater, over the documents that the judge scored.
    Documents that come again are compared with themselves.
    """
    biases = []
    for dimension, of in judged.items():
        shown, _ = agreed_on(earlier, dimension)
        judges = [
            JudgeBias(judge=judge, rows=_rows(case, own, shown, dimension=dimension, judge=judge))
            for judge, own in of.items()
        ]
        biases.append(JudgeBiases(dimension=dimension, judges=tuple(judges)))
    return biases


def _rows(
    case: Case, own: JudgedSample, shown: Earlier, *, dimension: str, judge: str
) -> tuple[TrendRow, ...]:
    """Rows of a judge's trend."""
    scale = case.campaign.rubric.scales[dimension]
    span = scale.high - scale.low
    judged = [(past, _of_past(past, dimension, judge)) for past in shown]
    sides = [
        Side(past, partial(_less_raters, past.case, of, dimension=dimension))
        for past, of in (*judged, (ComparedEvaluation(case), own))
        if of is not None
    ]
    return trend_rows(sides, dict(_kept(shown, dimension, judge)), bounds=(-span, span))


def _kept(shown: Earlier, dimension: str, judge: str) -> Iterator[tuple[str, tuple[TrendRow, ...]]]:
    """Yield the rows that evaluations kept of a judge."""
    for past in shown:
        kept = past.findings(JudgeBiases, kind="judge_bias").get(dimension)
        judges = () if kept is None else kept.judges
        yield from ((past.name, name.rows) for name in judges if name.judge == judge)


def _of_past(past: ComparedEvaluation, dimension: str, judge: str) -> JudgedSample | None:
    """Scores of a judge in an earlier evaluation."""
    if past.kept is not None:
        return past.judged(dimension, judge)
    return _judged(past.case, past.pool, dimension=dimension, judge=judge)


def _judged(case: Case, pool: pd.DataFrame, *, dimension: str, judge: str) -> JudgedSample | None:
    """Scores of a judge, None where it scored no rated document."""
    column = case.campaign.pool.judges_of(dimension).get(judge)
    if column is None or column not in pool:
        return None
    scored = pool[pool[column].notna()].reset_index(drop=True)
    # An item bears its document's name.
    scores = pd.Series(scored[column].to_numpy(dtype=float), index=scored["doc_id"])
    items = sampled_frame(case, pool, [dimension])
    items = items[items["doc_id"].isin(scores.index)].reset_index(drop=True)
    if items.empty:
        return None
    matrix = auxiliary_columns(
        scored, n=len(items), judges=case.campaign.auxiliaries_on([dimension])
    ).matrix
    places = scores.index.get_indexer(pd.Index(items["doc_id"]))
    sample = KnownSample(items.drop(columns="doc_id"), matrix[places], np.mean(matrix, axis=0))
    judged = JudgedSample(scores, sample)
    return judged if len(_less_raters(case, judged, dimension=dimension).ratings) else None


def _less_raters(case: Case, judged: JudgedSample, *, dimension: str) -> RatedSample:
    """Sample of the documents with a score, with judge less rater in the place of ratings."""
    parts = (_less(part, judged.scores) for part in evidence_on(case, dimension))
    return replace(Evidence(*parts).of_sample(judged.sample), differences=True)


def _less(rated: pd.DataFrame, scores: "pd.Series[float]") -> pd.DataFrame:
    """Ratings of items with a score, subtracted from it."""
    difference = rated["item"].map(scores).astype(float) - rated["rating"].astype(float)
    return rated.assign(rating=difference).dropna(subset=["rating"])
