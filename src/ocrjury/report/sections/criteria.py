"""Criteria of the decision: what was found, the rule, and the word for it."""

from typing import NamedTuple

from ocrjury.pages.numbers import decimal, interval_text, listing, percent, plural, value_text
from ocrjury.report.data import ReportData
from ocrjury.report.sections import agreement, cover, raters, rounds
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.rounds import Rounds


class Criterion(NamedTuple):
    """One criterion: what was found, the rule, and the word for it."""

    criterion: str
    result: str
    rule: str
    interval: str = "—"
    word: str = "Information"
    tone: cover.Tone = "open"

    @property
    def mark(self) -> str:
        """Sign before the word, which says the same without colour."""
        return {"Look": "!", "Information": "·"}.get(self.word, cover.MARKS[self.tone])


def criteria(report: ReportData) -> list[Criterion]:
    """Criteria in order."""
    makers = (
        _agreement_row,
        _mean_row,
        _target_row,
        _field_row,
        _severity_row,
        _recommendation_row,
        _uncertain_row,
    )
    return [row for make in makers if (row := make(report)) is not None]


def _agreement_row(report: ReportData) -> Criterion | None:
    statistic = report.verdict.statistic
    worst = agreement.lowest(report)
    if worst is None:
        return None
    found = worst.get(statistic)
    return Criterion(
        f"Agreement, lowest: {report.name(worst.dimension)}",
        value_text(found),
        agreement.rule_text(report),
        interval_text(found) if found.defined else "—",
        report.verdict.decision,
        cover.tone(report.verdict.decision),
    )


def _mean_row(report: ReportData) -> Criterion | None:
    """Mean of the gate's statistic over dimensions, for information."""
    mean = report[Agreement].means.get(report.verdict.statistic)
    if mean is None or mean.n < 2:
        return None
    return Criterion(
        f"Agreement, mean of {plural(mean.n, 'dimension')}",
        decimal(mean.value),
        "for information; the weakest dimension decides",
    )


def _target_row(report: ReportData) -> Criterion | None:
    outcome = report.outcome
    if outcome is None:
        return None
    share = outcome.target.is_share
    goal = percent(outcome.target.value, 0) if share else decimal(outcome.target.value, 1)
    hidden = outcome.why == "not_agreed"
    return Criterion(
        f"Target on {report.name(outcome.target.dimension)}",
        "not printed" if hidden else value_text(outcome.estimate, share=share),
        f"whole 95% range at or above {goal}",
        "—" if hidden else interval_text(outcome.estimate, share=share),
        outcome.word,
        cover.tone(outcome.word),
    )


def _field_row(report: ReportData) -> Criterion | None:
    errors = report.field_errors
    if errors is None or not errors.share.defined:
        return None
    kinds = listing([row.kind for row in errors.by_kind])
    return Criterion(
        "Critical field errors",
        f"{value_text(errors.share, share=True)}{' (too few)' if errors.few else ''}",
        f"for information: fields of kind {kinds}",
        "exact" if errors.exact else interval_text(errors.share, share=True),
    )


def _severity_row(report: ReportData) -> Criterion | None:
    rows = [row for row in report[Raters].rows if row.severity.defined]
    if not rows:
        return None
    n = len(raters.outside(report[Raters]))
    return Criterion(
        "Rater severity",
        f"{n} of {len(rows)}",
        f"none beyond ±{decimal(report[Raters].tolerance)}",
        word="Look" if n else "Good",
        tone="open" if n else "good",
    )


def _recommendation_row(report: ReportData) -> Criterion | None:
    rows = report.sections.get("recommendations")
    if not rows:
        return None
    met = sum(row.met for row in rows)
    return Criterion(
        "Recommendations",
        f"{met} of {len(rows)}",
        "all met",
        word="Good" if met == len(rows) else "Look",
        tone="good" if met == len(rows) else "open",
    )


def _uncertain_row(report: ReportData) -> Criterion | None:
    held = report.get(Rounds)
    rows = rounds.measured(held) if held else []
    if not rows or held is None:
        return None
    level = decimal(held.target_confidence)
    settled = "; a settled label counts as certain" if held.settled else ""
    return Criterion(
        "Uncertain items after the last round",
        percent(rows[-1].uncertain),
        f"for information: label below {held.confidence} {level}{settled}",
    )
