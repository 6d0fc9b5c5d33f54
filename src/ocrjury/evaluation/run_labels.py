"""Name and tags of a flow run, from its parameters: the same before it starts and when it runs."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePath
from typing import Any, NamedTuple

from ocrjury.campaign.bundled_example import EXAMPLE
from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.period import period_name
from ocrjury.errors import OcrjuryError
from ocrjury.evaluation.case import at_work
from ocrjury.signals.ended_runs import CAMPAIGN, EVALUATION, OPENING

DECIDE, DEMO = "decide-evaluation", "demo"
STEPS = {"advance-evaluation": "advance", "report-evaluation": "report"}
FLOWS = frozenset({OPENING, DECIDE, DEMO, *STEPS})
"""Flows whose runs have a label."""


class RunLabel(NamedTuple):
    """Name and tags by which a person reads and filters the list of runs."""

    name: str
    tags: tuple[str, ...] = ()


def label_of(flow: str, parameters: Mapping[str, Any], *, scheduled: datetime) -> RunLabel:
    """Label of a run of a flow; what is wrong with its parameters, the run itself will say."""
    if flow == OPENING:
        return _opening(str(parameters["campaign"]), parameters.get("period"), scheduled)
    if flow == DEMO:
        shown = f"{EXAMPLE.parent.name}-{parameters.get('period', DEMO)}"
        return RunLabel(f"{shown}-r00-{DEMO}", _tags(EXAMPLE.parent.name, shown))
    if not (evaluation := parameters.get("evaluation")):
        return RunLabel(f"sweep-{parameters.get('reason', 'schedule')}")
    step = parameters["decision"] if flow == DECIDE else STEPS[flow]
    return _moving(str(evaluation), str(step).replace(" ", "-"))


def campaign_tag(campaign: str) -> str:
    """Tag of everything that belongs to a campaign."""
    return f"{CAMPAIGN}{campaign}"


def _opening(path: str, period: str | None, scheduled: datetime) -> RunLabel:
    try:
        campaign = read_campaign(path)
    except OcrjuryError:
        return RunLabel(f"{PurePath(path).parent.name}-open")
    evaluation = f"{campaign.name}-{period or period_name(scheduled, campaign.time_zone)}"
    return RunLabel(f"{evaluation}-r00-open", _tags(campaign.name, evaluation))


def _moving(evaluation: str, step: str) -> RunLabel:
    """Label with the number of the last round."""
    try:
        with at_work() as work:
            case = work.case(evaluation)
    except OcrjuryError:
        return RunLabel(f"{evaluation}-{step}")
    rounds = case.standing.history.rounds
    number = rounds[-1].number if rounds else 0
    return RunLabel(f"{evaluation}-r{number:02d}-{step}", _tags(case.row.campaign, evaluation))


def _tags(campaign: str, evaluation: str) -> tuple[str, ...]:
    return (campaign_tag(campaign), f"{EVALUATION}{evaluation}")
