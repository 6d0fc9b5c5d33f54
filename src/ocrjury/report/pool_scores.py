"""Automatic metrics of a pool, and how people's scores go with them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_scores import FieldAccuracy, MetricSummary
from ocrjury.report.distributions import Histogram, histogram, spearman
from ocrjury.report.sections.sampling import Part
from ocrjury.text.shares import effective_size, wilson_interval
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


def metric_summaries(
    summary: pd.DataFrame, stratum: str | None = None
) -> tuple[MetricSummary, ...]:
    """Rows of `ocrjury.text.summarize_scores` as records; `stratum` names the column of groups."""
    return tuple(
        MetricSummary(
            metric=str(row["metric"]),
            stratum=None if stratum is None or pd.isna(row[stratum]) else str(row[stratum]),
            n=int(row["n"]),
            n_undefined=int(row["n_undefined"]),
            n_missing=int(row["n_missing"]),
            micro=float(row["micro"]),
            macro=float(row["macro"]),
            median=float(row["median"]),
            p95=float(row["p95"]),
            std=float(row["std"]),
            max=float(row["max"]),
            low=float(row["low"]),
            high=float(row["high"]),
        )
        for row in summary.to_dict("records")
    )


def page_cluster(pool: pd.DataFrame) -> str | None:
    """Return the column whose equal values make a cluster: pages, where documents share one."""
    shared = "page_id" in pool and bool(pool["page_id"].dropna().duplicated().any())
    return "page_id" if shared else None


def field_accuracies(pool: pd.DataFrame) -> tuple[FieldAccuracy, ...]:
    """Return the share of fields read exactly, by kind, the worst first.

    Parameters
    ----------
    pool
        Scored pool; ``kind``, ``exact_match`` and ``page_id`` may be missing.

    Notes
    -----
    Wilson's (1927) interval; where fields share pages, with the effective size of
    `ocrjury.text.shares.effective_size` in place of their number.
    """
    known = pool[pool["kind"].notna() & pool["exact_match"].notna()]
    cluster = page_cluster(pool)
    found = [
        FieldAccuracy(str(kind), len(of), _exact_share(of, cluster))
        for kind, of in known.groupby("kind", sort=True)
    ]
    return tuple(sorted(found, key=lambda row: row.exact.value))


def _exact_share(fields: pd.DataFrame, cluster: str | None) -> Estimate:
    """Return the share of fields that were read exactly."""
    hits = fields["exact_match"].to_numpy(dtype=float)
    if cluster is None:
        return wilson_share(int(hits.sum()), len(hits))
    pages = pd.factorize(fields[cluster])[0]
    alone = pages < 0  # a field of no page stands for itself
    pages[alone] = len(pages) + np.arange(int(alone.sum()))
    size = effective_size(hits, pages)
    return wilson_share(int(hits.sum()), len(hits), size=size)


def wilson_share(hits: int, n: int, *, size: float | None = None) -> Estimate:
    """Return a share with Wilson's 95 % interval; `size` is the effective n, if it is another.

    Examples
    --------
    >>> share = wilson_share(8, 10)
    >>> share.value, round(share.low, 3), round(share.high, 3)
    (0.8, 0.49, 0.943)
    """
    if not n:
        return Estimate(math.nan, method="share", reason="no_items")
    share = hits / n
    low, high = wilson_interval(share, n if size is None else size)
    method = "Wilson" if size is None else "Wilson, clusters"
    return Estimate(share, low, high, n_items=n, method=method)
