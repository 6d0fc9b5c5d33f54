"""Decisions by the lead."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ocrjury.pages.numbers import listing, plural
from ocrjury.report.data import ReportData
from ocrjury.report.stored import Stored

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


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadDecision:
    """What a person decided about the evaluation; ``at`` is aware.

    ``kind`` is one of `ocrjury.campaign.decisions.DECISIONS`; ``detail`` says what it is about,
    as `detail_of` words it.
    """

    kind: str
    actor: str
    reason: str
    at: datetime
    detail: str = ""


def decisions_of(stored: Stored) -> tuple[LeadDecision, ...]:
    """Decisions of leads, the oldest first."""
    return tuple(
        LeadDecision(
            kind=decision.kind,
            actor=decision.actor,
            reason=decision.reason,
            at=decision.at,
            detail=detail_of(decision.target),
        )
        for decision in stored.decisions
    )


def what(report: ReportData, decision: LeadDecision) -> str:
    """A decision in words."""
    words = _WORDS.get(decision.kind, decision.kind)
    return f"{words}: {report.with_names(decision.detail)}" if decision.detail else words


def detail_of(target: Mapping[str, Any]) -> str:
    """Subject of a stored decision, empty where it is about everything.

    Parameters
    ----------
    target
        ``days``, ``items``, ``raters`` and ``dimensions``, each possibly absent or empty.

    Examples
    --------
    >>> detail_of({"days": None, "raters": ["R03", "R06"], "dimensions": ["layout"]})
    'R03 and R06, on layout'
    >>> detail_of({"days": 3, "raters": []})
    '3 more days'
    """
    days, items = target.get("days"), target.get("items")
    parts = [
        plural(days, "more day") if days else "",
        plural(items, "more item") if items else "",
        listing([str(rater) for rater in target.get("raters") or ()]),
        " and ".join(f"on {name}" for name in target.get("dimensions") or ()),
    ]
    return ", ".join(part for part in parts if part)
