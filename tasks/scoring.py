"""Score a pool and keep it as a snapshot."""

import shutil
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.campaign.settings import Settings
from ocrjury.errors import LostRaceError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.pool_frames import PoolFrames
from ocrjury.evaluation.prospects import Prospects
from ocrjury.findings.pool_scores import PoolGaps, PoolScores, Unused
from ocrjury.pages.artifacts import render_pool
from ocrjury.pages.scoring_artifacts import render_findings, render_scoring_progress
from ocrjury.report.pool_scores import field_accuracies, metric_summaries, page_cluster
from ocrjury.scoring import ScoredPool, score_pool_in_batches
from ocrjury.scoring.batch_files import SCORES
from ocrjury.scoring.pool_run import Progress
from ocrjury.store.evaluations import list_evaluations
from ocrjury.store.files import adopt_file
from ocrjury.store.moves import moving
from ocrjury.store.results import Result, add_results
from ocrjury.tasks import at_work, hold_if_refused, publish
from ocrjury.tasks.scoring_engines import engine_of
from ocrjury.text import TextOptions, summarize_scores

SECONDS_BETWEEN = 15.0
"""Between two reports of progress."""


@task(task_run_name="{prospects.evaluation}-score", cache_policy=NO_CACHE)
@hold_if_refused
def score_pool(prospects: Prospects, step: Step) -> None:
    """Read the pool, score every document, and keep the scored pool under its hash.

    Batches that a killed run had scored lie in the home until the evaluation has moved on.
    """
    settings = Settings.from_environment()
    folder = settings.home / "scoring" / prospects.evaluation
    with at_work() as work:
        case = work.case(prospects.evaluation)
        pool, scored = _scored(case, folder, settings)
        address = adopt_file(work.store.files, scored.path, kind="pool", suffix=".parquet")
        scores = _scores(case, work.store.files.path(address), gaps=_gaps(pool, scored))
        with moving(
            work.engine,
            prospects.position,
            step,
            mover=work.mover,
            pool_hash=address,
            pool_size=scored.rows,
        ) as connection:
            result = Result(0, "scores", "*", scores.to_json(), inputs_hash=address)
            add_results(connection, prospects.evaluation, [result], now=work.now)
        _tidy(folder.parent, case)
    _publish(prospects.evaluation, scores, pool_size=scored.rows)


def _tidy(folder: Path, case: Case) -> None:
    """Remove the batches of this evaluation, and of others that went on and left theirs behind."""
    awaited = {one.evaluation for one in list_evaluations(case.work.engine) if not one.pool_hash}
    for leftover in folder.iterdir():
        if leftover.name not in awaited:
            shutil.rmtree(leftover, ignore_errors=True)


def _scored(case: Case, folder: Path, settings: Settings) -> tuple[PoolFrames, ScoredPool]:
    """Return the pool and its scores in a file."""
    pool = PoolFrames(case)
    try:
        scored = score_pool_in_batches(
            pool,
            folder / "pool.parquet",
            folder=folder,
            options=TextOptions.preset(case.campaign.pool.options),
            engine=engine_of(settings),
            tick=_Ticker(case.name),
            share=lambda: pool.share,
        )
    except FileNotFoundError as error:
        raise LostRaceError(f"{case.name}: another process scored the pool first.") from error
    return pool, scored


def _gaps(pool: PoolFrames, scored: ScoredPool) -> PoolGaps:
    """What is not in the pool, or there without scores."""
    return replace(
        pool.gaps,
        n_unscored=scored.n_unscored,
        unscored=tuple(Unused(where=one.doc_id, reason=one.reason) for one in scored.unscored),
    )


def _scores(case: Case, path: Path, *, gaps: PoolGaps) -> PoolScores:
    """Metrics of the whole pool and by stratum."""
    options = TextOptions.preset(case.campaign.pool.options)
    stratum = case.campaign.sampling.stratum
    frame = _without_texts(path, stratum)
    cluster = page_cluster(frame)
    summarize = partial(summarize_scores, frame, cluster=cluster, seed=case.row.seed)
    return PoolScores(
        signature=options.signature(SCORES),
        options=options.to_json(),  # type: ignore[arg-type]  # of a preset, so plain values
        options_hash=options.options_hash,
        summary=metric_summaries(summarize()),
        by_stratum=metric_summaries(summarize(by=stratum), stratum) if stratum in frame else (),
        clustered_by=cluster,
        fields=field_accuracies(frame),
        findings=gaps,
    )


def _without_texts(path: Path, stratum: str | None) -> pd.DataFrame:
    """Return the scores of a pool and what groups them, which memory holds for millions."""
    wanted = dict.fromkeys(["page_id", "kind", *([] if stratum is None else [stratum]), *SCORES])
    there = set(pq.read_schema(path).names)
    return pd.read_parquet(path, columns=[name for name in wanted if name in there])


def _publish(evaluation: str, scores: PoolScores, *, pool_size: int) -> None:
    """Show the scores, and what is missing if anything is."""
    publish(
        evaluation, "pool", render_pool(evaluation=evaluation, pool_size=pool_size, scores=scores)
    )
    if scores.findings.any:
        markdown = render_findings(evaluation=evaluation, findings=scores.findings)
        publish(evaluation, "pool-findings", markdown)


class _Ticker:
    """Shows how far the scoring is, now and then."""

    def __init__(self, evaluation: str) -> None:
        self._evaluation = evaluation
        self._began = self._said = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        """Show it if the last time is long ago."""
        now = time.monotonic()
        if now - self._said < SECONDS_BETWEEN:
            return
        self._said = now
        markdown = render_scoring_progress(
            evaluation=self._evaluation,
            rows=progress.rows,
            batches=progress.batches,
            kept=progress.kept,
            total=progress.total,
            seconds=now - self._began,
        )
        publish(self._evaluation, "scoring", markdown)
