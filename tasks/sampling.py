"""Draw the sample, and put gold beside it."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import sampled_items
from ocrjury.evaluation.draws import sampling_draw
from ocrjury.evaluation.gold import known_items
from ocrjury.evaluation.pilots import plan_pilot
from ocrjury.evaluation.plans import plan_results
from ocrjury.evaluation.prospects import Prospects
from ocrjury.evaluation.rounds import plan_main_round
from ocrjury.evaluation.sample_design import describe_design
from ocrjury.pages.artifacts import render_sample_design
from ocrjury.sampling import sample_size
from ocrjury.store.documents import add_gold, add_items
from ocrjury.store.moves import moving
from ocrjury.store.results import add_results
from ocrjury.tasks import at_work, hold_if_refused, publish


@task(task_run_name="{prospects.evaluation}-sample", cache_policy=NO_CACHE)
@hold_if_refused
def draw_items(prospects: Prospects, step: Step) -> None:
    """Draw the documents with known probabilities and copy their texts into the store."""
    with at_work() as work:
        case = work.case(prospects.evaluation)
        pool = case.pool()
        draw = sampling_draw(case, pool)
        drawn = draw.sample(_sample_count(case, len(pool)))
        sample = sampled_items(pool, drawn)
        gold = known_items(case, pool, sample)
        # A plan that cannot be carried out is better known before the texts are copied.
        plan = plan_main_round(case, sample)
        if case.campaign.rounds.pilot.items:
            plan_pilot(case, [*sample, *gold.items], gold=gold.values)
        design = describe_design(case, pool, draw=draw, drawn=drawn)
        plans = plan_results(case, pool, plan=plan, gold=gold)
        with moving(
            work.engine, prospects.position, step, mover=work.mover, design=design.to_json()
        ) as connection:
            add_items(connection, case.name, [*sample, *gold.items])
            add_gold(connection, case.name, gold.rows)
            add_results(connection, case.name, plans, now=work.now)
        publish(
            case.name, "sample-design", render_sample_design(evaluation=case.name, design=design)
        )


def _sample_count(case: Case, pool_size: int) -> int:
    """Return how many documents to draw: as many as were asked for, or enough for five points."""
    n = case.campaign.sampling.n or sample_size(population=pool_size)
    if n > pool_size:
        raise InputError(
            f"sampling.n asks for {n} documents, but the pool holds {pool_size}. "
            "Lower sampling.n or leave it empty."
        )
    return n
