"""Prefect flows: the order of the steps, readable as a table of contents.

Here is what every flow is made with: the name and the tags of its runs, and the end of one whose
evaluation waits.
"""

from datetime import UTC, datetime
from typing import Annotated, Any

from prefect import runtime
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.flows import Flow
from pydantic import Field

from ocrjury.campaign.period import NAME_OF_EVALUATION
from ocrjury.evaluation.run_labels import RunLabel, label_of
from ocrjury.signals.run_ends import HELD, TYPES
from ocrjury.signals.unquoted_errors import log_unquoted

EvaluationName = Annotated[
    str, Field(max_length=121, pattern=NAME_OF_EVALUATION, examples=["claims-2026w47"])
]
"""Parameter of a run form, which checks it before a run begins; no list of names fits, as those
are in the store. Prefect overrules descriptions here: it reads the flow's ``Args:``."""


class Resting(State[None]):
    """End of a run that left its evaluation waiting; see `resting`."""

    def result(self, *_arguments: Any, **_options: Any) -> None:
        """Nothing; Prefect asks for it when the run ends, and would raise for its type."""


def resting(name: str, message: str) -> State[None]:
    """End of a run that leaves an evaluation to people, in a colour that is not that of success."""
    return Resting(type=StateType(TYPES[name]), name=name, message=message)


def went_wrong(end: State[Any]) -> bool:
    """Return whether a run or a part of it failed; a held evaluation has not."""
    return end.is_failed() and end.name != HELD


def run_name() -> str:
    """Name of this run."""
    run = runtime.flow_run
    return _label(run.flow_name, run.parameters, run.scheduled_start_time).name


def name_errors_only(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001  # a hook
    """Keep what errors of others quote out of the logs of this run."""
    log_unquoted()


def tag_run(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001  # a hook
    """Tag a run that starts with its campaign and evaluation, whoever started it."""
    label = _label(flow.name, flow_run.parameters, flow_run.expected_start_time)
    if missing := set(label.tags) - set(flow_run.tags):
        with get_client(sync_client=True) as client:
            client.update_flow_run(flow_run.id, tags=[*flow_run.tags, *sorted(missing)])


def _label(flow: str, parameters: dict[str, Any], scheduled: datetime | None) -> RunLabel:
    return label_of(flow, parameters, scheduled=scheduled or datetime.now(UTC))
