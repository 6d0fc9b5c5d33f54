"""Automatic metrics of a pool that no evaluation has scored."""

from collections.abc import Mapping

import pandas as pd

from ocrjury.findings.measurement.pool_scores import (
    field_accuracies,
    metric_summaries,
    page_cluster,
)
from ocrjury.findings.measurement.rank_correlations import measure_rank_correlations
from ocrjury.findings.pool_scores import unit_of
from ocrjury.report.sections.scores import Scores, scores_beside_ratings
from ocrjury.text.summary import summarize_scores


def pool_scores(pool: pd.DataFrame, human: Mapping[str, float], *, seed: int = 0) -> Scores:
    """Automatic metrics of a scored pool without an evaluation.

    Parameters
    ----------
    pool
        Scored pool, one row per document; ``.attrs["signature"]`` tells how texts were compared.
    human
        Rated document to its mean rating.
    """
    rated, cluster = pool[pool["doc_id"].isin(list(human))], page_cluster(pool)
    summary = metric_summaries(summarize_scores(pool, cluster=cluster, seed=seed))
    means = [human[name] for name in rated["doc_id"]]
    pages = rated["page_id" if "page_id" in rated else "doc_id"].tolist()
    return scores_beside_ratings(
        {row.metric: row for row in summary},
        measure_rank_correlations(rated, means, pages=pages),
        cer=rated["cer"],
        human=means,
        reasons=["random"] * len(rated),
        pool_size=len(pool),
        n_reference=int(pool["reference"].notna().sum()),
        fields=field_accuracies(pool),
        signature=str(pool.attrs.get("signature", "")),
        unit=unit_of(cluster),
    )
