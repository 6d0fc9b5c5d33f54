"""The gate's reasons and actions, with the names and signs of the rest of the report."""

import re

from ocrjury.campaign.decision_targets import VerdictName
from ocrjury.gate import GatePolicy
from ocrjury.pages.numbers import plural
from ocrjury.report.data import DimensionVerdict, GateVerdict, Release, ReportData
from ocrjury.report.sections.cover import MARKS, tone
from ocrjury.report.stored import Stored

_ACTIONS = 4


def gate_verdict(stored: Stored) -> GateVerdict:
    """Newest verdict."""
    overall, *dimensions = stored.verdicts
    policy = GatePolicy.preset(stored.campaign.gate.policy)
    return GateVerdict(
        decision=overall.decision,  # type: ignore[arg-type]  # a CHECK constraint guards the words
        grade=overall.grade,
        reasons=tuple(overall.reasons),
        actions=tuple(overall.action_texts),
        dimensions=tuple(
            DimensionVerdict(
                dimension=verdict.dimension,
                decision=verdict.decision,  # type: ignore[arg-type]  # as above
                grade=verdict.grade,
                reasons=tuple(verdict.reasons),
                needed_items=verdict.needed_items,
            )
            for verdict in sorted(
                dimensions, key=lambda v: stored.dimension_names.index(v.dimension)
            )
        ),
        policy=stored.campaign.gate.policy,
        statistic=policy.conditions[0].estimates[0],
        floor=policy.conditions[0].floor,
        rule=policy.conditions[0].rule,
        release=_release(stored),
    )


def _release(stored: Stored) -> Release | None:
    """Decision that let the newest verdict through, None if none did."""
    newest = stored.verdicts[0]
    about = VerdictName(round=newest.round, version=newest.version)
    for decision in reversed(stored.decisions):
        if decision.kind == "proceed" and decision.target.verdict == about:
            return Release(decision.actor, decision.reason, decision.at)
    return None


def badge(report: ReportData) -> str:
    """Gate's decision with its grade, as it stands beside the outcome."""
    verdict = report.verdict
    grade = f" ({verdict.grade})" if verdict.grade else ""
    whose = "Advisory gate" if verdict.advisory else "Gate"
    released = ", released" if verdict.release else ""
    mark = MARKS[tone(verdict.decision)]
    return f"{whose}: {mark} {verdict.decision}{grade}{released}"


def reasons(report: ReportData) -> list[str]:
    """Reasons of the gate."""
    return [_printed(report, text) for text in report.verdict.reasons]


def actions(report: ReportData) -> list[str]:
    """Next steps."""
    texts = [_printed(report, text) for text in report.verdict.actions]
    more = len(texts) - _ACTIONS
    return (
        texts
        if more <= 0
        else [*texts[:_ACTIONS], f"See “Each rater” for {plural(more, 'more finding')}."]
    )


def bound_text(report: ReportData) -> str | None:
    """Difference between the gate's bound and the interval that the tables print."""
    if report.verdict.rule != "bound":
        return None
    return (
        "The gate’s 95% bounds are one-sided, the intervals of the tables two-sided: their ends "
        "differ."
    )


def _printed(report: ReportData, text: str) -> str:
    return re.sub(r"(?<=\d) %", "%", report.with_names(text)).replace("'", "’")
