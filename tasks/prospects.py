"""Foresee what may follow, so that the table of states can choose."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.errors import InputError
from ocrjury.evaluation.holding import hold
from ocrjury.evaluation.next_rounds import Prospects, foresee
from ocrjury.tasks import Bar, at_work


@task(task_run_name="{evaluation}-foresee", cache_policy=NO_CACHE)
def read_prospects(evaluation: str) -> Prospects:
    """Read where an evaluation stands, and plan what may follow."""
    with at_work() as work, work.snapshot(), Bar() as bar:
        case = work.case(evaluation)
        try:
            return foresee(case, tick=bar)
        except InputError as error:
            # Without the hold, every sweep would fail on this evaluation for ever.
            hold(work, case.standing.position, str(error))
            return Prospects(work.case(evaluation).standing)
