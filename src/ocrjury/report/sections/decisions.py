"""Decisions by the lead."""

from collections.abc import Mapping
from dataclasses import dataclass

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.language import counted, phrase, tr
from ocrjury.pages.numbers import listing, series
from ocrjury.report.data import ReportData
from ocrjury.report.stored_evaluation import Stored
from ocrjury.store.decisions import StoredDecision

_WORDS: Mapping[str, str] = {
    "proceed": phrase("Went on although it was held"),
    "retry": phrase("Refused step tried again"),
    "extend": phrase("More asked for"),
    "reassign": phrase("Open assignments given to others"),
    "drop": phrase("Raters withdrawn from the round"),
    "close": phrase("Round closed early"),
    "recalibrate": phrase("Recalibration, then new items"),
    "rerun judge": phrase("Judged again"),
    "rerun estimate": phrase("Estimated again"),
    "rerun report": phrase("Reported again"),
    "abort": phrase("Evaluation ended"),
}


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions of leads, the oldest first."""

    rows: tuple[StoredDecision, ...]


def decisions_of(stored: Stored) -> Decisions | None:
    """Decisions about an evaluation, None without any."""
    rows = tuple(row._replace(at=stored.local(row.at)) for row in stored.decisions)
    return Decisions(rows) if rows else None


def what(report: ReportData, decision: StoredDecision) -> str:
    """A decision in words."""
    words = _WORDS.get(decision.kind, decision.kind)
    detail = _detail(report, decision.target)
    return tr("{decision}: {detail}", decision=words, detail=detail) if detail else words


def _detail(report: ReportData, target: DecisionTarget) -> str:
    """Subject of a decision, empty where it is about everything."""
    parts = [
        counted(target.days, "more day") if target.days else "",
        counted(target.items, "more item") if target.items else "",
        listing(target.raters),
        listing([tr("on {dimension}", dimension=report.name(key)) for key in target.dimensions]),
    ]
    return series(part for part in parts if part)
