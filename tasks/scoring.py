"""Score a pool and keep it as a snapshot."""

import pandas as pd
from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.history import Step
from ocrjury.errors import InputError
from ocrjury.pages.artifacts import render_pool
from ocrjury.readers import read_pool
from ocrjury.readers.judge_columns import judge_columns
from ocrjury.report.pool_scores import field_accuracies
from ocrjury.store.moves import Position, moving
from ocrjury.store.pools import write_snapshot
from ocrjury.store.results import Result, add_results
from ocrjury.text import TextOptions, score_texts, summarize_scores
from ocrjury.text.metrics import METRICS, TOTALS
from tasks.artifacts import publish
from tasks.frames import records
from tasks.refusal import hold_if_refused
from tasks.work import at_work


@task(task_run_name="{position.evaluation}-score", cache_policy=NO_CACHE)
@hold_if_refused
def score_pool(position: Position, step: Step) -> None:
    """Read the pool, score every document, and keep the scored pool under its hash."""
    with at_work() as work:
        case = work.case(position.evaluation)
        row, campaign = case.row, case.campaign
        pool = read_pool(row.pool_uri, format=campaign.pool.format, encoding=campaign.pool.encoding)
        if pool.empty:
            raise InputError(f"{row.pool_uri} holds no document; a pool needs at least one.")
        pool = _with_judges(_storable(pool), campaign)
        options = TextOptions.preset(campaign.pool.options)
        scores = score_texts(
            [None if pd.isna(text) else text for text in pool["reference"]],
            pool["hypothesis"].tolist(),
            options=options,
            metrics=[*METRICS, *TOTALS],
        )
        # Scores that came with the pool were made by somebody else's rules.
        own = pool.drop(columns=[name for name in scores if name in pool]).reset_index(drop=True)
        scored = pd.concat([own, scores], axis=1)
        summary = records(summarize_scores(scored, seed=row.seed))
        address = write_snapshot(work.store.files, scored)
        fields = [
            {"kind": one.kind, "n": one.n, "exact": one.exact.to_json()}
            for one in field_accuracies(scored)
        ]
        body = {"signature": scores.attrs["signature"], "summary": summary, "fields": fields}
        with moving(
            work.engine,
            position,
            step,
            mover=work.mover,
            pool_hash=address,
            pool_size=len(scored),
        ) as connection:
            result = Result(0, "scores", "*", body, inputs_hash=address)
            add_results(connection, position.evaluation, [result], now=work.now)
        publish(
            position.evaluation,
            "pool",
            render_pool(evaluation=position.evaluation, pool_size=len(scored), scores=body),
        )


def _with_judges(pool: pd.DataFrame, campaign: Campaign) -> pd.DataFrame:
    """Return the pool with what automatic judges gave, as values of the raters' scale."""
    judges = campaign.pool.judges
    taken = {*METRICS, *TOTALS} & {column for by in judges.values() for column in by.values()}
    if taken:
        raise InputError(
            f"pool.judges names the column {', '.join(map(repr, sorted(taken)))}, which this "
            "program fills itself. Give the judge's column another name in the pool."
        )
    found = judge_columns(pool, judges, scale=campaign.rubric.scale)
    return pool.assign(**{str(name): found[name] for name in found})


def _storable(pool: pd.DataFrame) -> pd.DataFrame:
    """Return the pool with a replacement character for NUL, which PostgreSQL refuses in a text."""
    texts: pd.DataFrame = pool.select_dtypes("str")
    return pool.assign(**{str(n): texts[n].str.replace("\0", "\ufffd") for n in texts})
