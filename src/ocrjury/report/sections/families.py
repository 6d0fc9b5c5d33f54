"""Families of tests and ranges, and how each is adjusted for its number."""

from collections.abc import Iterator, Sequence

from ocrjury.bias.findings import ALPHA
from ocrjury.findings.pool_metrics import GroupMean
from ocrjury.language import tr, trn
from ocrjury.pages.numbers import clauses, has_interval, paragraph, percent
from ocrjury.report.data import ReportData
from ocrjury.report.sections import groups, system_types, systems
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.raters import Raters


def multiplicity_text(report: ReportData) -> str:
    """Families of this report: those that are adjusted, and those that are not."""
    adjusted, alone = list(_adjusted(report)), list(_unadjusted(report))
    if not adjusted and not alone and report.shown_headline is None:
        return tr("No estimate is printed, and the gate makes the only test.")
    return paragraph(
        [
            tr("Adjusted: {families}.", families=clauses(adjusted)) if adjusted else "",
            tr("Not adjusted: {families}.", families=clauses(alone)) if alone else "",
        ]
    ) or tr("There is one estimate and no test beside it.")


def _adjusted(report: ReportData) -> Iterator[str]:
    tests = sum(row.tested for row in report[Raters].bias)
    if tests:
        yield trn(
            "{n} test for bias, false discovery rate {rate} within and across kinds "
            "(Benjamini and Hochberg)",
            "{n} tests for bias, false discovery rate {rate} within and across kinds "
            "(Benjamini and Hochberg)",
            tests,
            rate=percent(ALPHA, 0),
        )
    if report.shown_headline and sum(has_interval(row.estimate) for row in report.types) > 1:
        yield tr(
            "ranges of {n} document types, which hold at once (Bonferroni)", n=len(report.types)
        )
    if _types_of_systems(report):
        yield tr("ranges of the document types of each system, which hold at once (Bonferroni)")
    if (means := groups.means(report)) and any(map(_ranged, means.by_column.values())):
        yield tr("ranges of the groups of a column, which hold at once (Bonferroni)")
    if (n := _differences(report)) > 1:
        yield tr(
            "ranges of {n} differences of systems on a dimension, which hold at once (Bonferroni)",
            n=n,
        )
    if report[Agreement].judges:
        yield tr(
            "a judge’s test against the raters, false discovery rate (Benjamini and Yekutieli)"
        )


def _types_of_systems(report: ReportData) -> bool:
    """Whether the document types of a system have ranges, and are printed."""
    return any(
        sum(has_interval(of.estimate) for of in system.types) > 1
        for row in systems.shown(report)
        if system_types.rows(row)
        for system in row.estimated
    )


def _ranged(rows: Sequence[GroupMean]) -> bool:
    """Whether several groups of a column have ranges."""
    return sum(has_interval(row.estimate) for row in rows) > 1


def _unadjusted(report: ReportData) -> Iterator[str]:
    if len(report.dimensions) > 1:
        yield tr("the {n} dimensions, all of which must pass the gate", n=len(report.dimensions))
    if sum(has_interval(row.severity) for row in report[Raters].rows) > 1:
        yield tr("the intervals of the raters’ severities")
    if _differences(report) == 1:
        yield tr("the comparison of systems")
    if report.trend is not None:
        yield tr("the trend")


def _differences(report: ReportData) -> int:
    """Most differences of systems on a dimension."""
    return max((len(row.differences) for row in report.systems), default=0)
