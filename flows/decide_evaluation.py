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
from ocrjury.errors import InputError, StateError
from ocrjury.evaluation.standings import send_waiting_signals
from ocrjury.flows import EvaluationName, name_errors_only, run_name, tag_run
from ocrjury.flows.advance_evaluation import advance_until_waiting
from ocrjury.signals.run_ends import REFUSED
from ocrjury.tasks.decisions import store_decision, why_not_taken


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
    request: Annotated[str, Field(max_length=200)] | None = None,
) -> State[None]:
    """Store a decision, take it, then go on as far as it goes without a person.

    Args:
        evaluation: Campaign and period, such as claims-2026w47: as on the evaluation's page
            at /artifacts, which lists all there are.
        decision: What happens now. The evaluation's page, at /artifacts, lists the possible ones.
        reason: Printed in the report, in five letters or more (two in Korean, Chinese or Japanese).
        actor: Your name, as the report prints it beside the decision.
        target: Days, items, raters or dimensions that the decision is about; most need none.
        request: Leave it empty. The command line stores the decision and names it here.
    """
    try:
        stored = request or store_decision(
            evaluation, decision, reason=reason, actor=actor, target=target
        )
    except (StateError, InputError) as error:
        return Failed(name=REFUSED, message=str(error))
    end = advance_until_waiting(evaluation)
    send_waiting_signals()
    return _refused(stored) or end


def _refused(request: str) -> State[None] | None:
    """End of a run whose decision was not taken; None if it was."""
    why = why_not_taken(request)
    return Failed(name=REFUSED, message=why) if why else None
