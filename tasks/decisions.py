"""A lead's decision: stored from the flow's form, and taken as it was stored."""

import logging

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import Decision
from ocrjury.evaluation import requests
from ocrjury.tasks import at_work, is_run

log = logging.getLogger(__name__)


@task(task_run_name="{evaluation}-{decision}", cache_policy=NO_CACHE)
def store_decision(
    evaluation: str, decision: Decision, *, reason: str, actor: str, target: DecisionTarget
) -> str:
    """Check a decision against the state and store it to be taken; return its request."""
    with at_work() as work:
        return requests.store_decision(
            work, evaluation, decision, reason=reason, actor=actor, target=target
        )


@task(task_run_name="{evaluation}-requested", cache_policy=NO_CACHE)
def take_requested(evaluation: str) -> None:
    """Take the decision that waits for an evaluation, and note what became of it."""
    with at_work() as work:
        try:
            with work.snapshot():
                requests.take_requested(work, evaluation)
        except Exception as error:
            requests.give_up_requested(work, evaluation, error)
            logger = get_run_logger() if is_run() else log
            logger.exception("the decision that waited for %s could not be taken", evaluation)


def why_not_taken(request: str) -> str | None:
    """Sentence on a stored decision that was not taken; None if it was."""
    with at_work() as work:
        return requests.why_not_taken(work, request)
