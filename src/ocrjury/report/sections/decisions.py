"""Decisions by the lead."""

from collections.abc import Mapping
from typing import Any

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
