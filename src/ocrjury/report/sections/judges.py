"""How near automatic judges come to the raters."""

from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.agreement import JudgeAgreement
from ocrjury.pages.numbers import NOTHING, has_interval, interval_text, percent, value_text
from ocrjury.report.data import ReportData
from ocrjury.report.sections.agreement import Agreement

READING = (
    "A^HA is how near a judge’s scores are to the raters’ ratings of the same items, A^HH how near "
    "two raters are to each other, which a judge can be expected to reach. Clearly: the intervals "
    "do not overlap. Neither number subtracts chance."
)


def title(report: ReportData) -> str:
    """Finding of the table: the judge that is farthest below what raters reach."""
    known = [row for row in report[Agreement].judges if _share(row[1]) is not None]
    if not known:
        return "Automatic judges gave nothing that can be compared"
    dimension, row = min(known, key=lambda one: _share(one[1]) or 0.0)
    return (
        f"{row.judge} agrees with the raters on {report.name(dimension)} to "
        f"{value_text(row.alignment)} of {value_text(row.ceiling)} possible"
    )


def interval(estimate: Estimate) -> str:
    """An interval, a dash where there is no number."""
    return interval_text(estimate) if estimate.defined else NOTHING


def against(row: JudgeAgreement) -> str:
    """A judge beside the raters among themselves, or why that is not known."""
    if not row.alignment.defined:
        empty = row.alignment.reason == "no_items"
        return "no rated item has a score" if empty else reason_words(row.alignment.reason)
    if not row.ceiling.defined:
        return reason_words(row.ceiling.reason)
    if not (has_interval(row.alignment) and has_interval(row.ceiling)):
        return "too little to tell"
    if row.alignment.high < row.ceiling.low:
        return "clearly below"
    if row.alignment.low > row.ceiling.high:
        return "clearly above"
    return "not clearly different"


def seat_text(row: JudgeAgreement) -> str:
    """Whether a judge may take a rater's seat."""
    return NOTHING if row.seat is None else row.seat.words


def seat_notes(report: ReportData) -> str | None:
    """How the test of seats is read, and what makes it easy to pass; None without a test."""
    rows = [
        (f"{row.judge} on {report.name(name)}", row.seat)
        for name, row in report[Agreement].judges
        if row.seat is not None
    ]
    if not rows:
        return None
    _, test = rows[0]
    reading = (
        "Seat: for half of the raters the judge is as near to the others as they are, within "
        f"{percent(test.allowance, 0)} of the items (alternative annotator test)."
    )
    return " ".join([reading, *(f"{who}: {text}" for who, one in rows for text in one.warnings)])


def chance_text(report: ReportData) -> str | None:
    """Agreement that chance alone would reach, by dimension."""
    parts = [
        f"{value_text(chance)} on {report.name(row.dimension)}"
        for row in report[Agreement].dimensions
        if row.judges and (chance := row.get("human_agreement_chance")).defined
    ]
    if not parts:
        return None
    return (
        "A judge that gave every level as often as the raters do, but at random, would reach "
        f"{', '.join(parts)}."
    )


def _share(row: JudgeAgreement) -> float | None:
    """Part of what is possible that a judge reaches, None where that is not known."""
    if not (row.alignment.defined and row.ceiling.defined and row.ceiling.value > 0):
        return None
    return row.alignment.value / row.ceiling.value
