"""Draw the sample, and put gold beside it."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.drawn_sample import draw_sample_of
from ocrjury.evaluation.next_rounds import Prospects
from ocrjury.pages.artifacts import render_sample_design
from ocrjury.store.moves import moving
from ocrjury.tasks import Bar, at_work, from_one_snapshot, hold_if_refused, publish


@task(task_run_name="{prospects.evaluation}-sample", cache_policy=NO_CACHE)
@hold_if_refused
@from_one_snapshot
def draw_items(prospects: Prospects, step: Step) -> None:
    """Draw the documents with known probabilities and copy their texts into the store."""
    with at_work() as work, Bar() as bar:
        case = Case(work, prospects.standing)
        drawn = draw_sample_of(case, tick=bar)
        design, start = drawn.design.to_json(), prospects.position
        with moving(work.engine, start, step, mover=work.mover, design=design) as connection:
            drawn.keep(connection, case)
        page = render_sample_design(evaluation=case.name, design=drawn.design)
        publish(case.name, "sample-design", page)
