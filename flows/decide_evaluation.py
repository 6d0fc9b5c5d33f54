"""A lead's decision about an evaluation, as a form of the Prefect UI."""

from typing import Annotated

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Failed
from pydantic import Field

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import Decision
from ocrjury.errors import InputError, RefusedError
from ocrjury.evaluation.standings import name_of_run, send_waiting_signals
from ocrjury.flows.advance_evaluation import advance_until_waiting
from ocrjury.tasks.decisions import take_decision


def run_name() -> str:
    """Name of this run."""
    parameters = flow_run.parameters
    return name_of_run(parameters["evaluation"], str(parameters["decision"]).replace(" ", "-"))


@flow(name="decide-evaluation", flow_run_name=run_name)
def decide_evaluation(
    evaluation: Annotated[str, Field(min_length=1, description="Name of the evaluation")],
    decision: Decision,
    *,
    reason: Annotated[str, Field(min_length=5, description="Printed in the report")],
    actor: Annotated[str, Field(min_length=1, description="Who decides")] = "lead",
    target: DecisionTarget = DecisionTarget(),  # noqa: B008  # frozen; Prefect's form shows its fields
) -> State[None]:
    """Take a decision, then go on as far as it goes without a person."""
    try:
        take_decision(evaluation, decision, reason=reason, actor=actor, target=target)
    except (RefusedError, InputError) as error:
        return Failed(name="Refused", message=str(error))
    end = advance_until_waiting(evaluation)
    send_waiting_signals()
    return end
