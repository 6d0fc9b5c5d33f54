"""A lead's decision about an evaluation, as a form of the Prefect UI."""

from typing import Annotated

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Failed
from pydantic import AfterValidator, Field

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import Decision
from ocrjury.campaign.limits import LONGEST_REASON, SHORTEST_REASON
from ocrjury.campaign.reasons import check_reason
from ocrjury.errors import InputError, RefusedError
from ocrjury.evaluation.standings import send_waiting_signals
from ocrjury.flows import EvaluationName, name_errors_only, run_name, tag_run
from ocrjury.flows.advance_evaluation import advance_until_waiting
from ocrjury.signals.run_ends import REFUSED
from ocrjury.tasks.decisions import take_decision


@flow(name="decide-evaluation", flow_run_name=run_name, on_running=[name_errors_only, tag_run])
def decide_evaluation(
    evaluation: EvaluationName,
    decision: Decision,
    *,
    reason: Annotated[
        str,
        Field(min_length=SHORTEST_REASON, max_length=LONGEST_REASON),
        AfterValidator(check_reason),
    ],
    actor: Annotated[str, Field(min_length=1, max_length=64)],
    target: DecisionTarget = DecisionTarget(),  # noqa: B008  # frozen; Prefect's form shows its fields
) -> State[None]:
    """Take a decision, then go on as far as it goes without a person.

    Args:
        evaluation: Campaign and period, such as claims-2026w47: as on the evaluation's page
            at /artifacts, which lists all there are.
        decision: What happens now. The evaluation's page, at /artifacts, lists the possible ones.
        reason: Printed in the report, in five letters or more (two in Korean or Chinese).
        actor: Your name, as the report prints it beside the decision.
        target: Days, items, raters or dimensions that the decision is about; most need none.
    """
    try:
        take_decision(evaluation, decision, reason=reason, actor=actor, target=target)
    except (RefusedError, InputError) as error:
        return Failed(name=REFUSED, message=str(error))
    end = advance_until_waiting(evaluation)
    send_waiting_signals()
    return end
