"""Savings by routing on confidence: what needs no check, at which risk, and the money."""

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.findings.routing import RoutingFinding
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import count, decimal, estimate_text, paragraph, percent, value_text
from ocrjury.report.data import ReportData
from ocrjury.report.sections import confidences
from ocrjury.report.sections.counts import Counts
from ocrjury.rounding import given

PER = 1000
"""Documents for which costs are told."""
_NOUNS = {
    "document": (phrase("document"), phrase("documents")),
    "field": (phrase("field"), phrase("fields")),
    "output": (phrase("output"), phrase("outputs")),
}


def shown(report: ReportData) -> RoutingFinding | None:
    """Routing where it was measured and its dimension is printed."""
    routing = report.get(RoutingFinding)
    return routing if routing and report.verdict.shows(routing.dimension) else None


def title(report: ReportData, routing: RoutingFinding) -> str:
    """Share that needs no check, with its risk."""
    if not routing.share.low:
        return tr(
            "No {noun} is shown to be safe without a check at a risk of {risk}",
            noun=_nouns(report)[0],
            risk=percent(routing.risk),
        )
    return tr(
        "{share} of the {nouns} need no check: at most {risk} of them are not usable",
        share=percent(routing.share.low, 0),
        nouns=_nouns(report)[1],
        risk=percent(routing.risk),
    )


def text(report: ReportData, routing: RoutingFinding) -> str:
    """Sentences on the share: its method, its guarantee, its savings."""
    return paragraph(
        [
            _share(report, routing),
            tr("That risk is the cost of a check divided by that of an error that nobody finds."),
            *(_proven(report, routing) if routing.share.low else _unproven(report, routing)),
            _other_meaning(report, routing),
            _unsure(report, routing),
        ]
    )


def _share(report: ReportData, routing: RoutingFinding) -> str:
    """Share that could go unchecked; ends that meet are the last step that was tried, no range."""
    share = routing.share
    limits = {"risk": percent(routing.risk), "level": given(routing.usable_level)}
    if not share.value:
        none = tr(
            "By the ratings, no {noun} could go unchecked: even of the most confident ones, more "
            "than {risk} are rated below {level}.",
            noun=_nouns(report)[0],
            **limits,
        )
        high = value_text(Estimate(share.high), share=True) if share.high else ""
        most = tr("At the upper end of the 95% range, {share} could.", share=high) if high else ""
        return paragraph([none, most])
    if share.low == share.high:
        return tr(
            "By the ratings, at least {share} could go unchecked: the most confident ones, of "
            "which at most {risk} are rated below {level}.",
            share=value_text(share, share=True),
            **limits,
        )
    return tr(
        "By the ratings, {share} could go unchecked: the most confident ones, of which at most "
        "{risk} are rated below {level}.",
        share=estimate_text(share, share=True),
        **limits,
    )


def _unproven(report: ReportData, routing: RoutingFinding) -> list[str]:
    """Reason why nothing is proven where the ratings suggest that something could go unchecked."""
    if not routing.share.value:
        return []
    return [
        tr(
            "Too few {nouns} were rated, or by too few raters, to prove it.",
            nouns=_nouns(report)[1],
        )
    ]


def _other_meaning(report: ReportData, routing: RoutingFinding) -> str:
    """Difference from what is wrong in the charts of the OCR's confidence, where there are some."""
    metrics = report.get(PoolMetrics)
    if metrics is None or not confidences.checked(metrics):
        return ""
    return tr(
        "In the charts of the OCR’s confidence, wrong means unlike the reference; here it means "
        "rated below {level}.",
        level=given(routing.usable_level),
    )


def _proven(report: ReportData, routing: RoutingFinding) -> list[str]:
    """Sentences on the savings from the proven share."""
    saved = routing.share.low * (routing.check - routing.error * routing.wrong.value)
    alone = routing.error * routing.all_wrong.value
    return [
        tr(
            "Above an OCR confidence of {threshold}, {share} are not usable; a share is proven "
            "where few errors happen to be found, so there tend to be more.",
            threshold=decimal(routing.threshold),
            share=estimate_text(routing.wrong, share=True),
        ),
        tr(
            "Checking the others only, instead of all, saves up to about {saved} for each {n} "
            "{nouns}, less what the errors cost that nobody finds; checking none would cost "
            "{alone}.",
            saved=_money(routing, saved),
            n=count(PER),
            nouns=_nouns(report)[1],
            alone=_money(routing, alone),
        ),
    ]


def _unsure(report: ReportData, routing: RoutingFinding) -> str:
    if not routing.unsure:
        return ""
    return tr(
        "{n} {nouns} have no confidence and are always checked.",
        n=count(routing.unsure),
        nouns=_nouns(report)[1],
    )


def _nouns(report: ReportData) -> tuple[str, str]:
    """Nouns for one document of the pool and for several."""
    counts = report.get(Counts)
    return _NOUNS["document" if counts is None else counts.noun]


def _money(routing: RoutingFinding, each: float) -> str:
    return f"{count(round(each * PER))} {routing.currency}".strip()
