"""What was computed and is not printed, because the raters do not agree."""

from ocrjury.pages.numbers import listing
from ocrjury.report.data import ReportData


def dimensions(report: ReportData) -> list[str]:
    """Keys of the dimensions of which nothing is printed although it was computed."""
    if not report.verdict.trusted:
        return []
    return [row.dimension for row in report.estimates if not report.verdict.shows(row.dimension)]


def cover_text(report: ReportData) -> str | None:
    """Sentence of the cover, None where everything is printed."""
    keys = dimensions(report)
    if not keys:
        return None
    return f"No result on {listing(list(map(report.name, keys)))} is printed."


def text(report: ReportData) -> str | None:
    """What there is on these dimensions, and why it is not printed; None where all is printed."""
    keys = dimensions(report)
    if not keys:
        return None
    them = "it" if len(keys) == 1 else "them"
    names = listing(list(map(report.name, keys)))
    return (
        f"The raters do not agree well enough on {names}. For that reason this was computed and is "
        f"not printed: {listing(_kinds(report, keys))}, and every score that combines {them} with "
        "others."
    )


def _kinds(report: ReportData, keys: list[str]) -> list[str]:
    """Kinds of results on some dimensions."""
    hidden = [row for row in report.estimates if row.dimension in keys]
    headline = report.headline is not None and report.headline.dimension in keys
    kinds = {
        "means and shares": True,
        "the headline": headline,
        "document types": any(row.types for row in hidden),
        "the trend": headline and report.trend is not None,
        "the comparison of systems": any(row.dimension in keys for row in report.systems),
    }
    return [kind for kind, there in kinds.items() if there]
