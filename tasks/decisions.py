"""Take a lead's decision: from the flow's form, or as it was asked for at the desk."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import Decision
from ocrjury.evaluation import decisions
from ocrjury.tasks import at_work


@task(task_run_name="{evaluation}-{decision}", cache_policy=NO_CACHE)
def take_decision(
    evaluation: str, decision: Decision, *, reason: str, actor: str, target: DecisionTarget
) -> None:
    """Check a decision against the state, and write it down with what follows from it."""
    with at_work() as work, work.snapshot():
        decisions.take_decision(
            work, evaluation, decision, reason=reason, actor=actor, target=target
        )


@task(task_run_name="{evaluation}-requested", cache_policy=NO_CACHE)
def take_requested(evaluation: str) -> None:
    """Take the decision that waits for an evaluation, and note what became of it."""
    with at_work() as work, work.snapshot():
        decisions.take_requested(work, evaluation)
