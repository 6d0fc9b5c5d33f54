"""How far automatic judges lie above or below the raters, and how that changed."""

from dataclasses import dataclass
from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.findings.judges import JudgeBias, JudgeBiases
from ocrjury.findings.trend import TrendRow
from ocrjury.pages.numbers import NOTHING, has_interval, signed
from ocrjury.report.data import ReportData
from ocrjury.report.stored import Stored

READING = (
    "Judge less raters, over all documents that the judge scored; above 0 the judge is milder. A "
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
    found = stored.by_dimension(stored.judge_biases)
    return Biases(found) if found else None


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
    moved = [
        f"{judge.judge} moved by {signed(judge.newest.change.value)} on {name}"
        for name, judge in rows
        if _differs(judge.newest.change)
    ]
    known = [(name, judge) for name, judge in rows if judge.newest.mean.defined]
    if not known:
        return "No judge can be compared with the raters"
    name, judge = max(known, key=lambda one: abs(one[1].newest.mean.value))
    mean = judge.newest.mean
    side = "above" if mean.value > 0 else "below"
    words = (
        f"{judge.judge} is {abs(mean.value):.2f} points {side} the raters on {name}"
        if _differs(mean)
        else "No judge is clearly above or below the raters"
    )
    return f"{words}; {'; '.join(moved)} since the evaluation before" if moved else words


def number(estimate: Estimate) -> str:
    """A difference with its sign."""
    return signed(estimate.value) if estimate.defined else NOTHING


def interval(estimate: Estimate) -> str:
    """Its interval."""
    if not has_interval(estimate):
        return NOTHING
    return f"{signed(estimate.low)} to {signed(estimate.high)}"


def _shown(report: ReportData) -> list[tuple[str, JudgeBias]]:
    """Judges by the name of their dimension, where its results are printed."""
    found = report.get(Biases)
    return [
        (report.name(row.dimension), judge)
        for row in (found.dimensions if found else ())
        if report.verdict.shows(row.dimension)
        for judge in row.judges
    ]


def _differs(estimate: Estimate) -> bool:
    """Whether the interval leaves 0 out."""
    return has_interval(estimate) and not estimate.low <= 0 <= estimate.high
