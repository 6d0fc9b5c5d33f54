"""News of a finished step, as one clause of a run's log."""

from collections.abc import Mapping
from typing import Final

from ocrjury.campaign.history import State, Step

NEWS: Final[Mapping[State, str]] = {
    "scored": "the pool is scored",
    "sampled": "the sample is drawn",
    "judged": "the round is judged",
    "estimated": "the pool is estimated",
    "reported": "the report is written",
    "closed": "the evaluation is closed",
    "aborted": "the evaluation is aborted",
}


def step_news(step: Step) -> str:
    """Outcome of a step for its evaluation.

    Examples
    --------
    >>> step_news(Step("7", "collecting", "main")), step_news(Step("13b", "held", "no_ratings"))
    ('the main round is open', 'held: no ratings')
    """
    if step.to == "collecting":
        late = step.what == "replan"
        return "late assignments went to others" if late else f"the {step.what} round is open"
    if step.to == "rated":
        return "the round is complete" if step.what == "complete" else "the round is closed"
    return NEWS.get(step.to) or f"held: {step.what.replace('_', ' ')}"
