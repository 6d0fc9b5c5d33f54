"""Charts and tables of the snapshot of a pool, read in parts that memory holds for millions."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from ocrjury.evaluation.case import Case
from ocrjury.evaluation.field_errors import Field, is_wrong, ruled_kinds
from ocrjury.findings.measurement.pool_groups import columns_that_group
from ocrjury.findings.measurement.pool_metrics import (
    TEXTS,
    TextFacts,
    measure_pool_metrics,
    text_facts,
)
from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.scoring.pool_run import BATCH_ROWS
from ocrjury.text import TextOptions


def metrics_of_snapshot(case: Case, path: Path, scored: pd.DataFrame) -> PoolMetrics:
    """Charts and tables of a scored pool.

    Parameters
    ----------
    path
        The snapshot.
    scored
        Its scores, confidences, systems and pages.
    """
    groups = columns_that_group(
        pq.read_schema(path).names,
        lambda name: pd.read_parquet(path, columns=[name])[name],
        named=case.campaign.report.covariates,
        others=numbers_of_judges(case),
    )
    return measure_pool_metrics(scored, _facts(case, path), groups=groups)


def numbers_of_judges(case: Case) -> tuple[str, ...]:
    """Columns that hold what judges said of a document, not what it is."""
    pool = case.campaign.pool
    return (*pool.judged_columns, *pool.auxiliaries)


def _facts(case: Case, path: Path) -> TextFacts:
    rubric, dimension = case.campaign.rubric, case.campaign.target_dimension
    ordered = rubric.scales[dimension].ordered
    kinds = ruled_kinds(rubric, dimension) if ordered else frozenset()

    def critical(reference: str, hypothesis: str, kind: str) -> bool:
        return is_wrong(rubric, dimension, Field(reference, hypothesis, kind))

    return text_facts(
        _batches(path),
        options=TextOptions.preset(case.campaign.pool.options),
        examples=case.campaign.report.examples,
        kinds=kinds,
        is_critical=critical if kinds else None,
    )


def _batches(path: Path) -> Iterator[pd.DataFrame]:
    """Yield the texts of a snapshot, a batch at a time."""
    with pq.ParquetFile(path) as file:
        names = [name for name in TEXTS if name in file.schema_arrow.names]
        for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=names):
            yield batch.to_pandas()
