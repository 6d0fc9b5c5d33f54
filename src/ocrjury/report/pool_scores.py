"""Automatic metrics of a pool, and how people's scores go with them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from ocrjury.findings.measurement.pool_scores import (
    field_accuracies,
    metric_summaries,
    page_cluster,
)
from ocrjury.findings.pool_scores import FieldAccuracy, MetricSummary
from ocrjury.report.distributions import Histogram, histogram, spearman
from ocrjury.report.sections.sampling import Part
from ocrjury.text.summary import summarize_scores


@dataclass(frozen=True, slots=True)
class Point:
    """One rated item: its error rate, its human score and the part that drew it."""

    x: float
    y: float
    reason: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Automatic metrics of the pool, and how people's scores go with them."""

    pool_size: int
    n_reference: int
    metrics: tuple[MetricSummary, ...]
    histogram: Histogram | None = None
    points: tuple[Point, ...] = ()
    rho: float = float("nan")
    fields: tuple[FieldAccuracy, ...] = ()
    signature: str = ""


METRICS = ("cer", "cer_nospace", "wer", "ned", "bleu", "char_f1", "exact_match")


def pool_scores(
    pool: pd.DataFrame, human: Mapping[str, float], *, signature: str = "", seed: int = 0
) -> Scores:
    """Return what the report says about a scored pool.

    Parameters
    ----------
    pool
        Scored pool, one row per document.
    human
        Rated document to its mean rating.
    signature
        How the texts were compared.
    """
    rated = pool[pool["doc_id"].isin(list(human))]
    people = [human[name] for name in rated["doc_id"]]
    found = summarize_scores(pool, cluster=page_cluster(pool), seed=seed)
    summary = {row.metric: row for row in metric_summaries(found)}
    cer = rated["cer"].astype(float)
    return Scores(
        pool_size=len(pool),
        n_reference=int(pool["reference"].notna().sum()),
        metrics=tuple(
            replace(summary[name], rho=spearman(rated[name].astype(float).tolist(), people))
            for name in METRICS
            if name in summary
        ),
        histogram=histogram(cer.tolist()),
        points=tuple(
            Point(x, y, "random") for x, y in zip(cer, people, strict=True) if math.isfinite(x)
        ),
        rho=spearman(cer.tolist(), people),
        fields=field_accuracies(pool),
        signature=signature,
    )
