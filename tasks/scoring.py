"""Score a pool and keep it as a snapshot."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.campaign.settings import Settings
from ocrjury.evaluation.case import Case, Work
from ocrjury.evaluation.next_rounds import Prospects
from ocrjury.evaluation.scored_pool import PoolSnapshot, remove_batches, snapshot_of
from ocrjury.pages.artifacts import render_findings, render_pool
from ocrjury.store.moves import moving
from ocrjury.store.results import add_results
from ocrjury.store.unused_files import check_there, removed_unless_named
from ocrjury.tasks import Bar, at_work, hold_if_refused, publish
from ocrjury.tasks.scoring_engines import engine_of


@task(task_run_name="{prospects.evaluation}-score", cache_policy=NO_CACHE)
@hold_if_refused
def score_pool(prospects: Prospects, step: Step) -> None:
    """Read the pool, score every document, and keep the scored pool under its hash."""
    settings = Settings.from_environment()
    with at_work() as work, Bar() as bar:
        case = Case(work, prospects.standing)
        pool = snapshot_of(case, settings.home, engine=engine_of(settings), tick=bar)
        with removed_unless_named(work.store, [pool.address]):
            _keep(work, prospects, step, pool=pool)
        remove_batches(case, settings.home)
    _publish(case.name, pool)


def _keep(work: Work, prospects: Prospects, step: Step, *, pool: PoolSnapshot) -> None:
    """Move on with a pool that nobody has removed meanwhile."""
    with moving(
        work.engine,
        prospects.position,
        step,
        mover=work.mover,
        pool_hash=pool.address,
        pool_size=pool.rows,
    ) as connection:
        check_there(connection, work.store, pool.address)
        add_results(connection, prospects.evaluation, pool.results, now=work.now)


def _publish(evaluation: str, pool: PoolSnapshot) -> None:
    page = render_pool(evaluation=evaluation, pool_size=pool.rows, scores=pool.scores)
    publish(evaluation, "pool", page)
    if pool.scores.findings.any:
        markdown = render_findings(evaluation=evaluation, findings=pool.scores.findings)
        publish(evaluation, "pool-findings", markdown)
