"""Automatic metrics of a pool, and how people's scores go with them."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.report.distributions import histogram, spearman
from ocrjury.report.sections import FieldAccuracy, MetricSummary, Point, Scores
from ocrjury.text.summary import summarize_scores

METRICS = ("cer", "cer_nospace", "wer", "ned", "bleu", "char_f1", "exact_match")
_Z = 1.959963984540054


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
    summary = {row["metric"]: row for row in summarize_scores(pool, seed=seed).to_dict("records")}
    cer = rated["cer"].astype(float)
    return Scores(
        pool_size=len(pool),
        n_reference=int(pool["reference"].notna().sum()),
        metrics=tuple(
            _metric(name, summary[name], spearman(rated[name].astype(float).tolist(), people))
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


def _metric(name: str, row: Mapping[Any, Any], rho: float) -> MetricSummary:
    """Return one line of the table of metrics."""
    columns = ("micro", "macro", "median", "p95", "low", "high")
    return MetricSummary(
        metric=name,
        n=int(row["n"]),
        n_undefined=int(row["n_undefined"]),
        rho=rho,
        **{column: float(row[column]) for column in columns},
    )


def field_accuracies(pool: pd.DataFrame) -> tuple[FieldAccuracy, ...]:
    """Return the share of fields read exactly, by kind, the worst first.

    Parameters
    ----------
    pool
        Scored pool; ``kind`` and ``exact_match`` may be missing.

    Notes
    -----
    Wilson's (1927) interval.
    """
    known = pool[pool["kind"].notna() & pool["exact_match"].notna()]
    found = [
        FieldAccuracy(str(kind), len(of), wilson_share(int(of["exact_match"].sum()), len(of)))
        for kind, of in known.groupby("kind", sort=True)
    ]
    return tuple(sorted(found, key=lambda row: row.exact.value))


def wilson_share(hits: int, n: int) -> Estimate:
    """Return a share with Wilson's 95 % interval.

    Examples
    --------
    >>> share = wilson_share(8, 10)
    >>> share.value, round(share.low, 3), round(share.high, 3)
    (0.8, 0.49, 0.943)
    """
    if not n:
        return Estimate(math.nan, method="share", reason="no_items")
    share, squared = hits / n, _Z * _Z
    centre = (share + squared / (2 * n)) / (1 + squared / n)
    half = _Z / (1 + squared / n) * math.sqrt(share * (1 - share) / n + squared / (4 * n * n))
    return Estimate(share, centre - half, centre + half, n_items=n, method="Wilson")
