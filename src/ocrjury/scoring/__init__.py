"""Scoring a pool of any size: read, scored and kept as one Parquet file, batch by batch."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.scoring.batch_files import BatchJob, BatchOutcome, score_batch
    from ocrjury.scoring.pool_run import ScoredPool, score_pool_in_batches

__all__ = ["BatchJob", "BatchOutcome", "ScoredPool", "score_batch", "score_pool_in_batches"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
