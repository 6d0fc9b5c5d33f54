"""Automatic metrics of a scored pool."""

import math

import numpy as np
import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_scores import FieldAccuracy, MetricSummary
from ocrjury.text.confidences import has_long_texts
from ocrjury.text.shares import effective_size, wilson_interval
from ocrjury.text.summary import VALUES


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
            **{name: float(row[name]) for name in VALUES},
        )
        for row in summary.to_dict("records")
    )


def page_cluster(pool: pd.DataFrame) -> str | None:
    """Column whose equal values make a cluster: pages, where documents share one."""
    shared = "page_id" in pool and bool(pool["page_id"].dropna().duplicated().any())
    return "page_id" if shared else None


def field_accuracies(pool: pd.DataFrame) -> tuple[FieldAccuracy, ...]:
    """Share of fields read exactly, by kind, the worst first; kinds of long texts are left out.

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
    accuracies = [
        FieldAccuracy(str(kind), len(of), _exact_share(of, cluster))
        for kind, of in known.groupby("kind", sort=True)
        if not has_long_texts(of)
    ]
    return tuple(sorted(accuracies, key=lambda row: row.exact.value))


def _exact_share(fields: pd.DataFrame, cluster: str | None) -> Estimate:
    hits = fields["exact_match"].to_numpy(dtype=float)
    if cluster is None:
        return wilson_share(int(hits.sum()), len(hits))
    pages = pd.factorize(fields[cluster])[0]
    alone = pages < 0  # a field of no page stands for itself
    pages[alone] = len(pages) + np.arange(int(alone.sum()))
    size = effective_size(hits, pages)
    return wilson_share(int(hits.sum()), len(hits), size=size)


def wilson_share(hits: int, n: int, *, size: float | None = None) -> Estimate:
    """Share with Wilson's 95 % interval; `size` is the effective n, if it is another.

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
