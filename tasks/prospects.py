"""Foresee what may follow, so that the table of states can choose."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.errors import InputError
from ocrjury.evaluation.prospects import foresee
from ocrjury.evaluation.refusal import hold
from ocrjury.store.histories import Standing
from ocrjury.tasks import at_work


@task(task_run_name="{evaluation}-foresee", cache_policy=NO_CACHE)
def read_prospects(evaluation: str) -> Standing:
    """Read where an evaluation stands, with what can only be computed."""
    with at_work() as work:
        case = work.case(evaluation)
        try:
            return foresee(case)
        except InputError as error:
            # Without the hold, every sweep would fail on this evaluation for ever.
            hold(work, case.standing.position, str(error))
            return work.case(evaluation).standing
