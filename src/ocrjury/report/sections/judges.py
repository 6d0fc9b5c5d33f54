"""Agreement of automatic judges with the raters."""

from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.agreement import JudgeAgreement
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import (
    NOTHING,
    has_interval,
    interval_text,
    listing,
    paragraph,
    percent,
    series,
    value_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.ties import foremost, whole_percent

READING = phrase(
    "A^HA is how near a judge’s scores are to the raters’ ratings of the same items, A^HH how near "
    "two raters are to each other, which a judge can be expected to reach. Clearly: the intervals "
    "do not overlap. Neither number subtracts chance."
)


def title(report: ReportData) -> str:
    """Finding of the table: the judges that are farthest below what raters reach."""
    known = [row for row in report[Agreement].judges if _share(row[1]) is not None]
    if not known:
        return tr("Automatic judges gave nothing that can be compared")
    lowest = foremost(known, lambda judge: _share(judge[1]) or 0.0, whole_percent, of=min)
    dimension, row = lowest[0]
    if len(lowest) > 1:
        return tr(
            "{judges} agree with the raters to {share} of what is possible",
            judges=listing(
                [
                    tr("{judge} on {dimension}", judge=judge.judge, dimension=report.name(name))
                    for name, judge in lowest
                ]
            ),
            share=whole_percent(_share(row) or 0.0),
        )
    return tr(
        "{judge} agrees with the raters on {dimension} to {reached} of {possible} possible",
        judge=row.judge,
        dimension=report.name(dimension),
        reached=value_text(row.alignment),
        possible=value_text(row.ceiling),
    )


def interval(estimate: Estimate) -> str:
    """An interval, a dash where there is no number."""
    return interval_text(estimate) if estimate.defined else NOTHING


def against(row: JudgeAgreement) -> str:
    """A judge beside the raters among themselves, or why that is not known."""
    if not row.alignment.defined:
        empty = row.alignment.reason == "no_items"
        return tr("no rated item has a score") if empty else reason_words(row.alignment.reason)
    if not row.ceiling.defined:
        return reason_words(row.ceiling.reason)
    if not (has_interval(row.alignment) and has_interval(row.ceiling)):
        return tr("too little to tell")
    if row.alignment.high < row.ceiling.low:
        return tr("clearly below")
    if row.alignment.low > row.ceiling.high:
        return tr("clearly above")
    return tr("not clearly different")


def seat_text(row: JudgeAgreement) -> str:
    """Verdict on whether a judge may take a rater's seat."""
    return NOTHING if row.seat is None else row.seat.words


def seat_notes(report: ReportData) -> str | None:
    """Reading guide to the test of seats, with what makes it easy to pass; None without a test."""
    tests = [
        (row.judge, report.name(name), row.seat)
        for name, row in report[Agreement].judges
        if row.seat is not None
    ]
    if not tests:
        return None
    reading = tr(
        "Seat: for half of the raters the judge is as near to the others as they are, within "
        "{allowance} of the items (alternative annotator test).",
        allowance=percent(tests[0][2].allowance, 0),
    )
    warnings = (
        tr("{judge} on {dimension}: {warning}", judge=judge, dimension=name, warning=warning)
        for judge, name, test in tests
        for warning in test.warnings
    )
    return paragraph([reading, *warnings])


def chance_text(report: ReportData) -> str | None:
    """Agreement that chance alone would reach, by dimension."""
    parts = [
        tr("{value} on {dimension}", value=value_text(chance), dimension=report.name(row.dimension))
        for row in report[Agreement].dimensions
        if row.judges and (chance := row.get("human_agreement_chance")).defined
    ]
    if not parts:
        return None
    return tr(
        "A judge that gave every level as often as the raters do, but at random, would reach "
        "{values}.",
        values=series(parts),
    )


def _share(row: JudgeAgreement) -> float | None:
    """Part of what is possible that a judge reaches, None where that is not known."""
    if not (row.alignment.defined and row.ceiling.defined and row.ceiling.value > 0):
        return None
    return row.alignment.value / row.ceiling.value
