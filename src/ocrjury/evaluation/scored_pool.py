"""The pool of an evaluation, scored and kept as a snapshot."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ocrjury.errors import LostRaceError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.pool_frames import PoolFrames
from ocrjury.evaluation.snapshot_metrics import metrics_of_snapshot
from ocrjury.findings.measurement.pool_scores import (
    field_accuracies,
    metric_summaries,
    page_cluster,
)
from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.findings.pool_scores import PoolGaps, PoolScores, Unused
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.pages.numbers import plural
from ocrjury.scoring import ScoredPool, score_pool_in_batches
from ocrjury.scoring.batch_files import SCORES
from ocrjury.scoring.pool_run import Engine, Progress
from ocrjury.step_parts import Tick
from ocrjury.store.evaluations import list_evaluations
from ocrjury.store.files import adopt_pool, read_columns
from ocrjury.store.results import Result
from ocrjury.text import TextOptions, summarize_scores
from ocrjury.text.scoring import any_too_long

SCORING = "scoring"
_SCORED, _SUMMARIZED = 0.9, 0.95
"""Shares of the step that are done when every document is scored, and when that is summarized."""


class PoolSnapshot(NamedTuple):
    """The scored pool as a file of the store, and its metrics."""

    address: str
    rows: int
    scores: PoolScores
    metrics: PoolMetrics

    @property
    def results(self) -> list[Result]:
        """Metrics as the store keeps them."""
        return [
            Result(0, "scores", ALL_DIMENSIONS, self.scores, inputs_hash=self.address),
            Result(0, "metrics", ALL_DIMENSIONS, self.metrics, inputs_hash=self.address),
        ]


def snapshot_of(case: Case, home: Path, *, engine: Engine, tick: Tick) -> PoolSnapshot:
    """Read the pool, score every document, and keep the scored pool under its hash.

    Parameters
    ----------
    home
        Its folder ``scoring`` holds the scored batches until the evaluation has moved on; those of
        a killed run are not scored again.
    engine
        Who scores the batches.
    tick
        Told now and then how far the scoring is.
    """
    folder = home / SCORING / case.name
    try:
        pool, scored = _scored(case, folder, engine=engine, tick=tick)
        tick(_SCORED, "summarizing the scores")
        frame = _without_texts(scored.path)
        scores = _scores(case, frame, gaps=_gaps(pool, scored))
        tick(_SUMMARIZED, "measuring errors by character, field and group")
        metrics = metrics_of_snapshot(case, scored.path, frame)
        # At the very end: what a killed process leaves in the folder goes with a purge.
        address = adopt_pool(case.work.store.files, scored.path)
    except FileNotFoundError as error:
        raise LostRaceError(f"{case.name}: another process scored the pool first.") from error
    return PoolSnapshot(address, scored.rows, scores, metrics)


def remove_batches(case: Case, home: Path) -> None:
    """Remove the batches of this evaluation, and of others that went on and left theirs behind."""
    waiting = {row.evaluation for row in list_evaluations(case.work.engine) if not row.pool_hash}
    for leftover in (home / SCORING).iterdir():
        if leftover.name not in waiting:
            shutil.rmtree(leftover, ignore_errors=True)


def _scored(
    case: Case, folder: Path, *, engine: Engine, tick: Tick
) -> tuple[PoolFrames, ScoredPool]:
    pool = PoolFrames(case)
    scored = score_pool_in_batches(
        pool,
        folder / "pool.parquet",
        folder=folder,
        options=TextOptions.preset(case.campaign.pool.options),
        engine=engine,
        tick=lambda progress: tick(_SCORED * _share_of(progress), _words_for(progress)),
        share=lambda: pool.share,
    )
    return pool, scored


def _share_of(progress: Progress) -> float:
    return min(progress.rows / progress.total, 1.0) if progress.total else 0.0


def _words_for(progress: Progress) -> str:
    """Clause on the number of documents that are scored."""
    of = "" if progress.total is None else f" of about {progress.total:,}"
    words = f"scored {progress.rows:,}{of} outputs"
    if progress.kept:
        words += f"; {plural(progress.kept, 'batch', 'batches')} of a run that was stopped"
    return words


def _gaps(pool: PoolFrames, scored: ScoredPool) -> PoolGaps:
    return replace(
        pool.gaps,
        n_unscored=scored.n_unscored,
        unscored=tuple(
            Unused(where=document.doc_id, reason=document.reason) for document in scored.unscored
        ),
    )


def _scores(case: Case, frame: pd.DataFrame, *, gaps: PoolGaps) -> PoolScores:
    options = TextOptions.preset(case.campaign.pool.options)
    cluster = page_cluster(frame)
    return PoolScores(
        signature=options.signature(SCORES, too_long=any_too_long(frame)),
        options=options.to_json(),  # type: ignore[arg-type]  # of a preset, so plain values
        options_hash=options.options_hash,
        summary=metric_summaries(summarize_scores(frame, cluster=cluster)),
        clustered_by=cluster,
        fields=field_accuracies(frame),
        findings=gaps,
        n_pages=None if cluster is None else int(frame[cluster].nunique()),
    )


def _without_texts(path: Path) -> pd.DataFrame:
    """Scores of a pool, confidences, kinds, systems and pages, which memory holds for millions."""
    wanted = {"page_id", "kind", "system", "confidence", *SCORES}
    return read_columns(path, wanted.__contains__)
