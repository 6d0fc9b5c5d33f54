"""Decisions by the lead."""

from collections.abc import Mapping

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.pages.numbers import listing, plural
from ocrjury.report.data import ReportData
from ocrjury.report.stored import Stored
from ocrjury.store.decisions import DecisionRow

_WORDS: Mapping[str, str] = {
    "proceed": "Went on although it was held",
    "retry": "Refused step tried again",
    "extend": "More asked for",
    "reassign": "Open assignments given to others",
    "drop": "Raters withdrawn from the round",
    "close": "Round closed early",
    "recalibrate": "Recalibration, then fresh items",
    "rerun judge": "Judged again",
    "rerun estimate": "Estimated again",
    "rerun report": "Reported again",
    "abort": "Evaluation ended",
}


def decisions_of(stored: Stored) -> tuple[DecisionRow, ...]:
    """Decisions of leads, the oldest first."""
    return tuple(stored.decisions)


def what(report: ReportData, decision: DecisionRow) -> str:
    """A decision in words."""
    words = _WORDS.get(decision.kind, decision.kind)
    detail = detail_of(decision.target)
    return f"{words}: {report.with_names(detail)}" if detail else words


def detail_of(target: DecisionTarget) -> str:
    """Subject of a stored decision, empty where it is about everything.

    Examples
    --------
    >>> detail_of(DecisionTarget(raters=("R03", "R06"), dimensions=("layout",)))
    'R03 and R06, on layout'
    >>> detail_of(DecisionTarget(days=3))
    '3 more days'
    """
    parts = [
        plural(target.days, "more day") if target.days else "",
        plural(target.items, "more item") if target.items else "",
        listing(target.raters),
        " and ".join(f"on {name}" for name in target.dimensions),
    ]
    return ", ".join(part for part in parts if part)
