"""Results that are not printed, because the raters do not agree."""

from ocrjury.gate.shown_dimensions import is_shown
from ocrjury.language import tr, trn
from ocrjury.pages.numbers import listing, paragraph
from ocrjury.report.data import ReportData


def dimensions(report: ReportData) -> list[str]:
    """Keys of the dimensions of which nothing is printed although it was computed."""
    return [row.dimension for row in report.estimates if not report.verdict.shows(row.dimension)]


def cover_text(report: ReportData) -> str | None:
    """Sentence of the cover, None where all is printed or it says so of every dimension."""
    keys = dimensions(report) if report.verdict.trusted else []
    doubted = report.outcome is not None and report.outcome.why == "not_agreed"
    if not keys or (doubted and len(keys) == len(report.estimates)):
        return None
    return tr("No result on {dimensions} is printed.", dimensions=_names(report, keys))


def text(report: ReportData) -> str | None:
    """Sentence on results that are not printed, with the reason; None where all are printed."""
    keys = dimensions(report)
    if not keys:
        return None
    hidden = trn(
        "For that reason this was computed and is not printed: {results}, and every score that "
        "combines it with others.",
        "For that reason this was computed and is not printed: {results}, and every score that "
        "combines them with others.",
        len(keys),
        results=listing(_kinds(report, keys)),
    )
    reason = reason_text(_names(report, keys), trusted=report.verdict.trusted)
    return paragraph([reason, _no_release_text(report), hidden])


def _no_release_text(report: ReportData) -> str:
    """Rule on dimensions that a release would not show either."""
    rows = () if report.verdict.trusted else report.verdict.dimensions
    failed = [row.dimension for row in rows if not is_shown(row.decision, trusted=True)]
    if not failed:
        return ""
    return tr(
        "A release would not print {dimensions}, on which the raters do not agree.",
        dimensions=_names(report, failed),
    )


def reason_text(names: str, *, trusted: bool) -> str:
    """Reason for which nothing is printed of some dimensions."""
    if trusted:
        return tr("The raters do not agree well enough on {dimensions}.", dimensions=names)
    return tr("The gate did not pass, and nobody released the evaluation against it.")


def _names(report: ReportData, keys: list[str]) -> str:
    return listing(list(map(report.name, keys)))


def _kinds(report: ReportData, keys: list[str]) -> list[str]:
    """Kinds of results on some dimensions."""
    hidden = [row for row in report.estimates if row.dimension in keys]
    headline = report.headline is not None and report.headline.dimension in keys
    kinds = {
        tr("means and shares"): True,
        tr("the headline"): headline,
        tr("document types"): any(row.types for row in hidden),
        tr("the trend"): headline and report.trend is not None,
        tr("the comparison of systems"): any(row.dimension in keys for row in report.systems),
    }
    return [kind for kind, any_kept in kinds.items() if any_kept]
