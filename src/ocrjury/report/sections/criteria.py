"""Criteria of the decision: what was found, the rule, and the word for it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ocrjury.findings.cover import WORDS
from ocrjury.findings.severity_tolerance import is_outside, tolerance_of
from ocrjury.gate.verdict import VERDICT_WORDS
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import (
    clauses,
    decimal,
    has_interval,
    interval_text,
    listing,
    percent,
    plural,
    series,
    value_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.outcome import goal_text, range_beside
from ocrjury.report.sections import cover, rounds
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.field_kinds import kind_names
from ocrjury.report.sections.gate_rule import judged_statistic, rule_text, weakest
from ocrjury.report.sections.recommendations import Recommendations
from ocrjury.report.sections.rounds import Rounds
from ocrjury.statistics import statistic

INFORMATION, GOOD, LOOK = phrase("Information"), phrase("Good"), phrase("Look")
_MARKS: Mapping[str, str] = {LOOK: "!", INFORMATION: "·"}
_SENTENCE = 24
_NAMED = 3


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
    worst = weakest(report)
    if worst is None:
        return None
    key = judged_statistic(report, worst)
    estimate, share = worst.get(key), statistic(key).is_share
    return Criterion(
        tr("Agreement, weakest: {dimension}", dimension=report.name(worst.dimension)),
        value_text(estimate, share=share),
        rule_text(report),
        interval_text(estimate, share=share) if estimate.defined else "—",
        VERDICT_WORDS[report.verdict.decision],
        cover.tone(report.verdict.decision),
    )


def _mean_row(report: ReportData) -> Criterion | None:
    """Mean of the gate's statistic over dimensions, for information."""
    rows = report[Agreement].dimensions
    key, *others = {judged_statistic(report, row) for row in rows} or {""}
    mean = report[Agreement].means.get(key)
    if others or mean is None or mean.n < 2:
        return None
    return Criterion(
        tr("Agreement, mean of {dimensions}", dimensions=plural(mean.n, "dimension")),
        percent(mean.value) if statistic(key).is_share else decimal(mean.value),
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
        tr("whole 95% range at or above {goal}", goal=goal_text(outcome.target)),
        "—" if hidden else range_beside(outcome),
        WORDS[outcome.word],
        cover.tone(outcome.word),
    )


def _field_row(report: ReportData) -> Criterion | None:
    errors = report.field_errors
    if errors is None or not errors.share.defined:
        return None
    kinds = listing(kind_names(errors), "or")
    share = value_text(errors.share, share=True)
    return Criterion(
        tr("Critical field errors"),
        tr("{share} (too few)", share=share) if errors.few else share,
        tr("for information: fields of kind {kinds}", kinds=kinds),
        tr("exact") if errors.exact else interval_text(errors.share, share=True),
    )


def _severity_row(report: ReportData) -> Criterion | None:
    """Raters who are severe or lenient on some dimension, of those with an interval."""
    known = [
        (row.rater, finding.dimension, row.severity)
        for finding in report[Agreement].dimensions
        for row in finding.profiles
        if has_interval(row.severity)
    ]
    if not known:
        return None
    limits = {name: tolerance_of(report.labels(name)) for _, name, _ in known}
    far = [
        (rater, name) for rater, name, own in known if is_outside(own, limits[name], of=len(known))
    ]
    beyond = dict.fromkeys(decimal(limit) for limit in limits.values())
    return Criterion(
        tr("Rater severity")
        if len(limits) < 2
        else tr("Rater severity, {dimensions}", dimensions=plural(len(limits), "dimension")),
        _severe_text(report, far, n_raters=len({rater for rater, _, _ in known})),
        clauses(tr("none beyond ±{tolerance}", tolerance=limit) for limit in beyond),
        word=LOOK if far else GOOD,
        tone="open" if far else "good",
    )


def _severe_text(report: ReportData, far: Sequence[tuple[str, str]], *, n_raters: int) -> str:
    """Number of raters far from colleagues; of a few, their names and dimensions."""
    result = tr("{n} of {all}", n=len({rater for rater, _ in far}), all=n_raters)
    if not 0 < len(far) <= _NAMED or len(report.dimensions) < 2:
        return result
    named = series(
        tr("{what} ({dimension})", what=rater, dimension=report.name(dimension))
        for rater, dimension in far
    )
    return tr("{label}: {text}", label=result, text=named)


def _recommendation_row(report: ReportData) -> Criterion | None:
    recommendations = report.get(Recommendations)
    if recommendations is None:
        return None
    met, n = recommendations.met, len(recommendations.rows)
    return Criterion(
        tr("Recommendations"),
        tr("{n} of {all}", n=met, all=n),
        tr("all met"),
        word=GOOD if met == n else LOOK,
        tone="good" if met == n else "open",
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
    """Rule by which a label counts as uncertain."""
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
