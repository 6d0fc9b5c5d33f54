"""Criteria of the decision: what was found, the rule, and the word for it."""

from collections.abc import Mapping
from typing import NamedTuple

from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import decimal, interval_text, listing, percent, plural, value_text
from ocrjury.report.data import ReportData
from ocrjury.report.outcome import WORDS
from ocrjury.report.sections import agreement, cover, raters, rounds
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.rounds import Rounds

INFORMATION, GOOD, LOOK = phrase("Information"), phrase("Good"), phrase("Look")
_MARKS: Mapping[str, str] = {LOOK: "!", INFORMATION: "·"}
_SENTENCE = 24


class Criterion(NamedTuple):
    """One criterion: what was found, the rule, and the word for it."""

    criterion: str
    result: str
    rule: str
    interval: str = "—"
    word: str = INFORMATION
    tone: cover.Tone = "open"

    @property
    def is_range(self) -> bool:
        """Whether the interval is two numbers, and no sentence that needs lines."""
        return len(self.interval) < _SENTENCE

    @property
    def mark(self) -> str:
        """Sign before the word, which says the same without colour."""
        return _MARKS.get(self.word, cover.MARKS[self.tone])


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
        tr("Agreement, lowest: {dimension}", dimension=report.name(worst.dimension)),
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
        tr("Agreement, mean of {dimensions}", dimensions=plural(mean.n, "dimension")),
        decimal(mean.value),
        tr("for information; the weakest dimension decides"),
    )


def _target_row(report: ReportData) -> Criterion | None:
    outcome = report.outcome
    if outcome is None:
        return None
    share = outcome.target.is_share
    hidden = outcome.why == "not_agreed"
    return Criterion(
        tr("Target on {dimension}", dimension=report.name(outcome.target.dimension)),
        tr("not printed") if hidden else value_text(outcome.estimate, share=share),
        tr("whole 95% range at or above {goal}", goal=cover.goal_text(outcome.target)),
        "—" if hidden else interval_text(outcome.estimate, share=share),
        WORDS[outcome.word],
        cover.tone(outcome.word),
    )


def _field_row(report: ReportData) -> Criterion | None:
    errors = report.field_errors
    if errors is None or not errors.share.defined:
        return None
    kinds = listing([row.kind for row in errors.by_kind])
    share = value_text(errors.share, share=True)
    return Criterion(
        tr("Critical field errors"),
        tr("{share} (too few)", share=share) if errors.few else share,
        tr("for information: fields of kind {kinds}", kinds=kinds),
        tr("exact") if errors.exact else interval_text(errors.share, share=True),
    )


def _severity_row(report: ReportData) -> Criterion | None:
    rows = [row for row in report[Raters].rows if row.severity.defined]
    if not rows:
        return None
    n = len(raters.outside(report[Raters]))
    return Criterion(
        tr("Rater severity"),
        tr("{n} of {all}", n=n, all=len(rows)),
        tr("none beyond ±{tolerance}", tolerance=decimal(report[Raters].tolerance)),
        word=LOOK if n else GOOD,
        tone="open" if n else "good",
    )


def _recommendation_row(report: ReportData) -> Criterion | None:
    rows = report.sections.get("recommendations")
    if not rows:
        return None
    met = sum(row.met for row in rows)
    return Criterion(
        tr("Recommendations"),
        tr("{n} of {all}", n=met, all=len(rows)),
        tr("all met"),
        word=GOOD if met == len(rows) else LOOK,
        tone="good" if met == len(rows) else "open",
    )


def _uncertain_row(report: ReportData) -> Criterion | None:
    held = report.get(Rounds)
    rows = rounds.measured(held) if held else []
    if not rows or held is None:
        return None
    return Criterion(
        tr("Uncertain items after the last round"),
        percent(rows[-1].uncertain),
        _uncertain_rule(held),
    )


def _uncertain_rule(held: Rounds) -> str:
    """What counts as an uncertain label."""
    level = decimal(held.target_confidence)
    if held.settled:
        return tr(
            "for information: label below {confidence} {level}; a settled label counts as certain",
            confidence=held.confidence,
            level=level,
        )
    return tr(
        "for information: label below {confidence} {level}", confidence=held.confidence, level=level
    )
