"""What routing by confidence saves: who needs no check, at which risk, and the money."""

from ocrjury.findings.routing import RoutingFinding
from ocrjury.pages.numbers import (
    count,
    decimal,
    estimate_text,
    percent,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections.counts import Counts

PER = 1000
"""Documents for which costs are told."""


def shown(report: ReportData) -> RoutingFinding | None:
    """Routing where it was measured and its dimension is printed."""
    found = report.get(RoutingFinding)
    return found if found and report.verdict.shows(found.dimension) else None


def title(report: ReportData, found: RoutingFinding) -> str:
    """Share that needs no check, with its risk."""
    if not found.share.low:
        return f"No {noun(report)} is proven to need no check at a risk of {percent(found.risk)}"
    return (
        f"{percent(found.share.low, 0)} of the {noun(report)}s need no check: at most "
        f"{percent(found.risk)} of them are not usable"
    )


def text(report: ReportData, found: RoutingFinding) -> str:
    """How the share was found, what it holds, and what it saves."""
    return " ".join([_share(found), *_proven(report, found), _unsure(report, found)]).strip()


def _share(found: RoutingFinding) -> str:
    share = estimate_text(found.share, share=True)
    return (
        f"By the ratings {share} could go without: the most confident ones, of which at most "
        f"{percent(found.risk)} are rated below {found.usable_level:g}. That is what a check costs "
        f"beside an error that nobody finds."
    )


def _proven(report: ReportData, found: RoutingFinding) -> list[str]:
    if not found.share.low:
        return []
    saved = found.share.low * (found.check - found.error * found.wrong.value)
    alone = found.error * found.all_wrong.value
    return [
        (
            f"Above an OCR confidence of {decimal(found.threshold)}, "
            f"{estimate_text(found.wrong, share=True)} are not usable."
        ),
        (
            f"Checking the others only, instead of all, saves about {_money(found, saved)} for "
            f"each {count(PER)} {noun(report)}s after the errors that nobody finds; checking none "
            f"would cost {_money(found, alone)}."
        ),
    ]


def _unsure(report: ReportData, found: RoutingFinding) -> str:
    if not found.unsure:
        return ""
    return f"{count(found.unsure)} {noun(report)}s have no confidence and are always checked."


def noun(report: ReportData) -> str:
    """What a document of the pool is called."""
    counts = report.get(Counts)
    return "document" if counts is None else counts.noun


def _money(found: RoutingFinding, each: float) -> str:
    return f"{count(round(each * PER))} {found.currency}".strip()
