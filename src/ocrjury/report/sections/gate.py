"""The gate's reasons and actions, with the names and signs of the rest of the report."""

import re

from ocrjury.pages.numbers import plural
from ocrjury.report.data import ReportData
from ocrjury.report.sections.cover import MARKS, tone

_ACTIONS = 4


def badge(report: ReportData) -> str:
    """Return the gate's decision with its grade, as it stands beside the outcome."""
    verdict = report.verdict
    grade = f" ({verdict.grade})" if verdict.grade else ""
    whose = "Advisory gate" if verdict.advisory else "Gate"
    released = ", released" if verdict.release else ""
    mark = MARKS[tone(verdict.decision)]
    return f"{whose}: {mark} {verdict.decision}{grade}{released}"


def reasons(report: ReportData) -> list[str]:
    """Return why the gate decided so."""
    return [_printed(report, text) for text in report.verdict.reasons]


def actions(report: ReportData) -> list[str]:
    """Return what to do next."""
    texts = [_printed(report, text) for text in report.verdict.actions]
    more = len(texts) - _ACTIONS
    return (
        texts
        if more <= 0
        else [*texts[:_ACTIONS], f"See “Each rater” for {plural(more, 'more finding')}."]
    )


def bound_text(report: ReportData) -> str | None:
    """Return how the gate's bound differs from the interval that the tables print."""
    if report.verdict.rule != "bound":
        return None
    return (
        "The gate’s 95% bounds are one-sided, the intervals of the tables two-sided: their ends "
        "differ."
    )


def _printed(report: ReportData, text: str) -> str:
    """Return one of the gate's sentences as the report prints it."""
    return re.sub(r"(?<=\d) %", "%", with_names(report, text)).replace("'", "’")


def with_names(report: ReportData, text: str) -> str:
    """Return a sentence in which dimensions bear their printed names instead of their keys."""
    names = {row.key: row.name for row in report.dimensions}
    keys = "|".join(re.escape(key) for key in sorted(names, key=len, reverse=True))
    return re.sub(
        rf"\b([Oo]n|of) ({keys})(?!\w)", lambda found: f"{found[1]} {names[found[2]]}", text
    )
