"""The tests for bias."""

from ocrjury.bias.findings import ALPHA
from ocrjury.language import counted, phrase, said, tr, trn
from ocrjury.pages.bias_rows import BiasRow, why_untested
from ocrjury.pages.numbers import clauses, listing, paragraph
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.raters import Raters, has_flags

READING = phrase(
    "p is adjusted for all tests of the kind (Benjamini and Hochberg 1995); a bias is found where "
    "it is at most {alpha}. Size tells how large the effect is, found or not; one that is found "
    "and low rarely matters. Of the tests on each rater, the effect least likely to be chance is "
    "printed. Effects are relative to the other raters: a bias that all raters share cannot be "
    "detected, except for halo, anchoring, order, fatigue and straight-lining.",
    alpha=f"{ALPHA:g}",
)


def lead(report: ReportData) -> str:
    """Number of tests and their findings."""
    unknown = _unknown(report)
    if not _tested(report):
        if reason := only_reason(report):
            return trn(
                "The {n} test could not be made: {reason}.",
                "None of {n} tests could be made: {reason}.",
                unknown,
                reason=reason,
            )
        return trn(
            "The {n} test could not be made; the table says why.",
            "None of {n} tests could be made; the table says why.",
            unknown,
        )
    further = trn(
        "{n} further test could not be made.", "{n} further tests could not be made.", unknown
    )
    return paragraph([_found(report), further if unknown else "", _refused(report)])


def _refused(report: ReportData) -> str:
    """Reason why the order of the ratings was not used, if it was not."""
    reason = report[Raters].order_refused
    if reason is None:
        return ""
    return tr("The order of the ratings was not used: {reason}", reason=reason)


def only_reason(report: ReportData) -> str | None:
    """Reason why no test at all could be made, None if there are several or some were made."""
    reasons = {reason for row in report[Raters].bias for reason, _ in row.reasons}
    return why_untested(reasons.pop()) if len(reasons) == 1 and not _tested(report) else None


def _found(report: ReportData) -> str:
    """Number of tests that were made, and the kinds of bias that they found."""
    # Korean and Chinese know no capitals.
    names = [said(row.name).lower() for row in report[Raters].bias if row.flagged]
    if not names:
        return trn("{n} test found nothing.", "{n} tests found nothing.", _tested(report))
    return trn(
        "{n} test, of which {flagged} found something: {names}.",
        "{n} tests, of which {flagged} found something: {names}.",
        _tested(report),
        flagged=_flagged(report),
        names=listing(list(dict.fromkeys(names))),
    )


def _tested(report: ReportData) -> int:
    return sum(row.tested for row in report[Raters].bias)


def _flagged(report: ReportData) -> int:
    return sum(row.flagged for row in report[Raters].bias)


def _unknown(report: ReportData) -> int:
    """Number of tests that could not be made."""
    return sum(number for row in report[Raters].bias for _, number in row.reasons)


def tests_text(raters: Raters) -> str | None:
    """Result of the tests where the table does not give it; empty without tests."""
    if not raters.tested or has_flags(raters):
        return None
    if not any(row.tested for row in raters.bias):
        return tr("No test of bias could be made.")
    return trn(
        "Tests of bias found nothing about the {n} rater.",
        "Tests of bias found nothing about any of the {n} raters.",
        len(raters.rows),
    )


def scale_text(report: ReportData) -> str | None:
    """Note on the scale of the effects, None where all dimensions with an order have the same."""
    scales = map(report.labels, (row.key for row in report.dimensions))
    if len({labels.text for labels in scales if labels.ordered}) < 2:
        return None
    return tr(
        "Dimensions have unlike scales, so the tests stretched each to run from 0 to 100: a point "
        "is a hundredth of a scale’s length."
    )


def overall_text(report: ReportData) -> str | None:
    """Number of findings that stand after adjusting for all kinds at once."""
    if not _flagged(report):
        return None
    standing = sum(row.standing for row in report[Raters].bias)
    tests = counted(_tested(report), "test")
    if not standing:
        return trn(
            "Adjusted for all {tests} of all kinds together, the {n} finding no longer stands.",
            "Adjusted for all {tests} of all kinds together, none of the {n} findings still "
            "stands.",
            _flagged(report),
            tests=tests,
        )
    return trn(
        "Adjusted for all {tests} of all kinds together, {n} of the {findings} still stands.",
        "Adjusted for all {tests} of all kinds together, {n} of the {findings} still stand.",
        standing,
        tests=tests,
        findings=counted(_flagged(report), "finding"),
    )


def where(report: ReportData, row: BiasRow) -> str:
    """Dimension and raters of a test."""
    if row.dimension is None:
        return tr("all · average rater") if row.together else tr("all · each rater")
    name = report.name(row.dimension)
    if row.together:
        return tr("{dimension} · average rater", dimension=name)
    return tr("{dimension} · each rater", dimension=name)


def caption(report: ReportData) -> str:
    """Number of tests."""
    return trn("All {n} test", "All {n} tests", _tested(report) + _unknown(report))


def effects(report: ReportData) -> str:
    """Meaning of each effect in the table."""
    meanings = {row.name: row.words.meaning for row in report[Raters].bias}
    parts = (
        tr("{name}: {meaning}", name=name, meaning=meaning) for name, meaning in meanings.items()
    )
    return tr("{parts}.", parts=clauses(parts))


SECTION = Section(
    "bias", phrase("Tests for bias"), "report/bias.html.j2", lambda report: report[Raters].bias
)
