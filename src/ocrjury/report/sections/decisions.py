"""Decisions by the lead."""

from collections.abc import Mapping
from typing import Any

from ocrjury.pages.numbers import listing, plural
from ocrjury.report.data import LeadDecision, ReportData
from ocrjury.report.sections.gate import with_names

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


def what(report: ReportData, decision: LeadDecision) -> str:
    """Return what was decided."""
    words = _WORDS.get(decision.kind, decision.kind)
    return f"{words}: {with_names(report, decision.detail)}" if decision.detail else words


def detail_of(target: Mapping[str, Any]) -> str:
    """Return what a stored decision is about, empty where it is about everything.

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
