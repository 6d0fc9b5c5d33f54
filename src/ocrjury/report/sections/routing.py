"""What routing by confidence saves: who needs no check, at which risk, and the money."""

from ocrjury.findings.routing import RoutingFinding
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import count, decimal, estimate_text, paragraph, percent
from ocrjury.report.data import ReportData
from ocrjury.report.sections.counts import Counts

PER = 1000
"""Documents for which costs are told."""
_NOUNS = {
    "document": (phrase("document"), phrase("documents")),
    "field": (phrase("field"), phrase("fields")),
    "output": (phrase("output"), phrase("outputs")),
}


def shown(report: ReportData) -> RoutingFinding | None:
    """Routing where it was measured and its dimension is printed."""
    found = report.get(RoutingFinding)
    return found if found and report.verdict.shows(found.dimension) else None


def title(report: ReportData, found: RoutingFinding) -> str:
    """Share that needs no check, with its risk."""
    if not found.share.low:
        return tr(
            "No {noun} is proven to need no check at a risk of {risk}",
            noun=_nouns(report)[0],
            risk=percent(found.risk),
        )
    return tr(
        "{share} of the {nouns} need no check: at most {risk} of them are not usable",
        share=percent(found.share.low, 0),
        nouns=_nouns(report)[1],
        risk=percent(found.risk),
    )


def text(report: ReportData, found: RoutingFinding) -> str:
    """How the share was found, what it holds, and what it saves."""
    return paragraph([*_share(found), *_proven(report, found), _unsure(report, found)])


def _share(found: RoutingFinding) -> list[str]:
    return [
        tr(
            "By the ratings {share} could go without: the most confident ones, of which at most "
            "{risk} are rated below {level}.",
            share=estimate_text(found.share, share=True),
            risk=percent(found.risk),
            level=f"{found.usable_level:g}",
        ),
        tr("That is what a check costs beside an error that nobody finds."),
    ]


def _proven(report: ReportData, found: RoutingFinding) -> list[str]:
    if not found.share.low:
        return []
    saved = found.share.low * (found.check - found.error * found.wrong.value)
    alone = found.error * found.all_wrong.value
    return [
        tr(
            "Above an OCR confidence of {threshold}, {share} are not usable.",
            threshold=decimal(found.threshold),
            share=estimate_text(found.wrong, share=True),
        ),
        tr(
            "Checking the others only, instead of all, saves about {saved} for each {n} {nouns} "
            "after the errors that nobody finds; checking none would cost {alone}.",
            saved=_money(found, saved),
            n=count(PER),
            nouns=_nouns(report)[1],
            alone=_money(found, alone),
        ),
    ]


def _unsure(report: ReportData, found: RoutingFinding) -> str:
    if not found.unsure:
        return ""
    return tr(
        "{n} {nouns} have no confidence and are always checked.",
        n=count(found.unsure),
        nouns=_nouns(report)[1],
    )


def _nouns(report: ReportData) -> tuple[str, str]:
    """What one document of the pool is called, and several."""
    counts = report.get(Counts)
    return _NOUNS["document" if counts is None else counts.noun]


def _money(found: RoutingFinding, each: float) -> str:
    return f"{count(round(each * PER))} {found.currency}".strip()
