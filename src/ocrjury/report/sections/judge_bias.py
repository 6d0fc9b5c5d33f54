"""Bias of automatic judges against the raters, and its change."""

from dataclasses import dataclass
from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.findings.judges import JudgeBias, JudgeBiases
from ocrjury.findings.trend import TrendRow
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import NOTHING, clauses, decimal, has_interval, range_text, signed
from ocrjury.report.data import ReportData
from ocrjury.report.stored_evaluation import Stored

READING = phrase(
    "Judge less raters, over all outputs that the judge scored; above 0 the judge is milder. A "
    "change is the judge’s where the same raters rated both times and did not change themselves, "
    "which gold items show."
)


@dataclass(frozen=True, slots=True)
class Biases:
    """Biases of all judges, by dimension."""

    dimensions: tuple[JudgeBiases, ...] = ()


class Line(NamedTuple):
    """One judge on a dimension in one evaluation; `judge` and `dimension` on its first line."""

    judge: str
    dimension: str
    row: TrendRow


def stored_biases(stored: Stored) -> Biases | None:
    """Biases that the evaluation has, None without judges."""
    biases = stored.by_dimension(stored.judge_biases)
    return Biases(biases) if biases else None


def lines(report: ReportData) -> list[Line]:
    """Lines of the table, the oldest evaluation of each judge first."""
    return [
        Line(*((judge.judge, name) if place == 0 else ("", "")), row)
        for name, judge in _shown(report)
        for place, row in enumerate(judge.rows)
    ]


def title(report: ReportData) -> str:
    """Finding of the table: the judge farthest from the raters, and whether one has moved."""
    rows = _shown(report)
    known = [(name, judge) for name, judge in rows if judge.newest.mean.defined]
    if not known:
        return tr("No judge can be compared with the raters")
    farthest = _farthest(*max(known, key=lambda bias: abs(bias[1].newest.mean.value)))
    moved = [
        tr(
            "{judge} moved by {change} on {dimension}",
            judge=judge.judge,
            change=signed(judge.newest.change.value),
            dimension=name,
        )
        for name, judge in rows
        if _differs(judge.newest.change)
    ]
    if not moved:
        return farthest
    return tr(
        "{farthest}; {moved} since the evaluation before", farthest=farthest, moved=clauses(moved)
    )


def _farthest(name: str, judge: JudgeBias) -> str:
    """Distance of the judge that is farthest from the raters."""
    mean = judge.newest.mean
    by = decimal(abs(mean.value))
    if not _differs(mean):
        return tr("No judge is clearly above or below the raters")
    if mean.value > 0:
        return tr(
            "{judge} is {by} points above the raters on {dimension}",
            judge=judge.judge,
            by=by,
            dimension=name,
        )
    return tr(
        "{judge} is {by} points below the raters on {dimension}",
        judge=judge.judge,
        by=by,
        dimension=name,
    )


def number(estimate: Estimate) -> str:
    """A difference with its sign."""
    return signed(estimate.value) if estimate.defined else NOTHING


def interval(estimate: Estimate) -> str:
    """Interval of a difference."""
    if not has_interval(estimate):
        return NOTHING
    return range_text(signed(estimate.low), signed(estimate.high))


def _shown(report: ReportData) -> list[tuple[str, JudgeBias]]:
    """Judges by the name of their dimension, where its results are printed."""
    biases = report.get(Biases)
    return [
        (report.name(row.dimension), judge)
        for row in (biases.dimensions if biases else ())
        if report.verdict.shows(row.dimension)
        for judge in row.judges
    ]


def _differs(estimate: Estimate) -> bool:
    """Return whether the interval excludes 0."""
    return has_interval(estimate) and not estimate.low <= 0 <= estimate.high
