"""Estimate the pool's quality, dimension by dimension."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.campaign.history import Step
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.next_rounds import Prospects
from ocrjury.evaluation.pool_estimates import estimate_results
from ocrjury.pages.artifacts import render_estimates
from ocrjury.store.moves import moving
from ocrjury.store.results import add_results, latest_verdicts
from ocrjury.tasks import Bar, at_work, from_one_snapshot, hold_if_refused, publish


@task(task_run_name="{prospects.evaluation}-estimate", cache_policy=NO_CACHE)
@hold_if_refused
@from_one_snapshot
def estimate_pool(prospects: Prospects, step: Step) -> None:
    """Estimate means and shares with intervals for these raters and for other raters."""
    with at_work() as work, Bar() as bar:
        case = Case(work, prospects.standing)
        ratings = {"ratings": case.ratings.astype(str).to_dict(orient="list"), "gold": case.gold}
        estimates, results = estimate_results(case, inputs=content_hash(ratings), tick=bar)
        with moving(work.engine, prospects.position, step, mover=work.mover) as connection:
            add_results(connection, case.name, results, now=work.now)
        if estimates:
            verdicts = latest_verdicts(work.engine, case.name)
            page = render_estimates(evaluation=case.name, estimates=estimates, verdicts=verdicts)
            publish(case.name, "estimates", page)
