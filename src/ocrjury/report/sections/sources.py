"""Composition of the headline: raters, their weights and severities, and the sources of error."""

from ocrjury.findings.pool_estimates import RaterInMean, Sources
from ocrjury.language import phrase, said, tr, trn
from ocrjury.pages.numbers import (
    NOTHING,
    decimal,
    estimate_text,
    has_interval,
    listing,
    paragraph,
    percent,
    plural,
    signed,
    value_text,
)
from ocrjury.report.data import Headline, ReportData
from ocrjury.rounding import rounded

MOST_ROWS = 12
"""Raters of whom each has a row; of more, the flagged and those that matter most have one."""
_PLAIN = 0.995
_ROUNDING = 1e-9
_TWICE = 1.995
"""Times from which items count as twice as many; that of a pool is estimated with the weights."""
_SOURCES = {
    "raters": phrase("the choice of raters"),
    "documents": phrase("the choice of items"),
    "ratings": phrase("the noise of single ratings"),
    "gold": phrase("what gold leaves open of the raters’ level"),
}


def known(report: ReportData) -> Sources | None:
    """Sources of the printed headline; None where there are none, or one rater is all of it."""
    headline = report.shown_headline
    sources = None if headline is None else headline.sources
    return None if sources is None or len(sources.raters) < 2 else sources


def title(report: ReportData, sources: Sources) -> str:
    """Finding of the table: where most of the uncertainty comes from."""
    if not sources.variance:
        return tr("What enters the share") if _is_share(report) else tr("What enters the mean")
    name, share = max(sources.variance.items(), key=lambda pair: pair[1])
    where = said(_SOURCES[name])
    return tr(
        "{source} makes up {share} of the variance",
        source=f"{where[:1].upper()}{where[1:]}",
        share=percent(share, 0),
    )


def rows(sources: Sources) -> list[RaterInMean]:
    """Raters with a row of their own, in the order of their names."""
    if len(sources.raters) <= MOST_ROWS:
        return list(sources.raters)
    most = max(MOST_ROWS, sum(row.flagged for row in sources.raters))
    foremost = sorted(
        sources.raters, key=lambda row: (not row.flagged, row.weight, -abs(row.severity))
    )
    chosen = {row.rater for row in foremost[:most]}
    return [row for row in sources.raters if row.rater in chosen]


def weight_text(row: RaterInMean) -> str:
    """Weight of a rater's rating beside that of a colleague."""
    return "1" if row.weight >= _PLAIN else decimal(row.weight)


def without_text(report: ReportData, row: RaterInMean) -> str:
    """Headline by all the other raters."""
    if row.without is None:
        return NOTHING
    return value_text(row.without, share=_is_share(report))


def text(report: ReportData, sources: Sources) -> str:
    """Sentences on the effective number of raters, the sources of error, and what would help."""
    hidden = len(sources.raters) - len(rows(sources))
    sentences = [_effective(report, sources)]
    if sources.variance:
        sentences += [
            tr("The range has {df} degrees of freedom.", df=decimal(sources.df, 1)),
            tr("Its variance: {parts}.", parts=variance_text(sources)),
            _no_worse(report, sources),
            _buying(report, sources),
        ]
    if hidden:
        sentences.append(
            trn("{n} more rater is not shown.", "{n} more raters are not shown.", hidden)
        )
    sentences += [
        tr("Weight: of one rating; 1 is that of a colleague with ordinary scatter."),
        tr("Taken off: the rater’s severity beside the others as they are weighted here."),
    ]
    return paragraph(sentences)


def _effective(report: ReportData, sources: Sources) -> str:
    """Number of raters of equal weight that would count as much."""
    raters = plural(len(sources.raters), "rater")
    effective = decimal(sources.effective_raters, 1)
    if _is_share(report):
        return tr(
            "In the share, {raters} count as much as {effective} of equal weight.",
            raters=raters,
            effective=effective,
        )
    return tr(
        "In the mean, {raters} count as much as {effective} of equal weight.",
        raters=raters,
        effective=effective,
    )


def variance_text(sources: Sources) -> str:
    """Sources of error with their shares of the variance, the largest first."""
    return listing(
        [
            tr("{source} {share}", source=_SOURCES[name], share=percent(share, 0))
            for name, share in sorted(sources.variance.items(), key=lambda pair: -pair[1])
        ]
    )


def _no_worse(report: ReportData, sources: Sources) -> str:
    """Sentence on a range that is not longer, though it is for other raters too."""
    if sources.variance.get("raters", 1.0) <= 0:
        return tr(
            "The raters’ levels differ no more than chance makes them, so their choice adds no "
            "variance; the range can then be shorter than that of these raters, of whom each "
            "counts alike."
        )
    headline = report.shown_headline
    if headline is None or not has_interval(headline.these):
        return ""
    these, scale = headline.these, 100 if headline.is_share else 1
    if rounded((these.high - these.low) * scale, 2) <= rounded(sources.length * scale, 2):
        return ""
    return tr(
        "It is shorter than that of these raters, where every rater counts alike, even one who "
        "scatters."
    )


def _buying(report: ReportData, sources: Sources) -> str:
    """Effect of more items or more raters on the length of the range."""
    share = _is_share(report)
    now, items, raters = (
        decimal(length * (100 if share else 1))
        for length in (sources.length, sources.with_more_items, sources.with_more_raters)
    )
    words = {"length": _in_points(now, share=share), "items": items, "raters": raters}
    if sources.more_items <= 1 + _ROUNDING:
        return tr(
            "It is {length} long, with all items of the pool rated; with twice the raters it would "
            "be {raters}.",
            **words,
        )
    if sources.more_items < _TWICE:
        return tr(
            "It is {length} long; with all items of the pool it would be {items}, with twice the "
            "raters {raters}.",
            **words,
        )
    return tr(
        "It is {length} long; with twice the items it would be {items}, with twice the raters "
        "{raters}.",
        **words,
    )


def _in_points(number: str, *, share: bool) -> str:
    """A number with its unit."""
    return tr("{n} percentage points", n=number) if share else tr("{n} points", n=number)


def moved_text(report: ReportData) -> str | None:
    """Move of each step from the plain mean to the headline, in printed numbers."""
    headline = report.shown_headline
    if headline is None or headline.naive is None or not headline.others.defined:
        return None
    places, scale = (1, 100) if headline.is_share else (2, 1)
    naive, these, uncorrected, others = (
        rounded(number * scale, places)
        for number in (
            headline.naive,
            headline.these.value,
            (headline.uncorrected or headline.others).value,
            headline.others.value,
        )
    )
    whole = _in_points(signed(others - naive, places), share=headline.is_share)
    steps = [
        tr("{step} from {what}", what=what, step=signed(by, places))
        for what, by in [
            (tr("the weights of the raters"), uncorrected - these),
            (tr("gold"), others - uncorrected),
        ]
        if rounded(by, places)
    ]
    if not steps:
        return tr(
            "The items’ weights, the raters’ severities and what is known of the whole pool move "
            "the headline by {whole}.",
            whole=whole,
        )
    first = tr(
        "{step} from the items’ weights, the raters’ severities and what is known of the "
        "whole pool",
        step=signed(these - naive, places),
    )
    return tr(
        "The headline differs from the plain mean by {whole}: {steps}.",
        steps=listing([first, *steps]),
        whole=whole,
    )


def others_label(headline: Headline) -> str:
    """Label of the range for other raters, with what gold did to the number."""
    if headline.uncorrected:
        return tr("95% range, other raters like these, corrected by gold")
    if headline.gold_unused:
        return tr("95% range, other raters like these, not corrected by gold")
    return tr("95% range, other raters like these")


def these_text(headline: Headline) -> str:
    """Mean of these raters, each counting alike, with its range."""
    return estimate_text(headline.these, share=headline.is_share)


def uncorrected_text(headline: Headline) -> str | None:
    """Headline without gold, None where gold corrected nothing."""
    if headline.uncorrected is None:
        return None
    return estimate_text(headline.uncorrected, share=headline.is_share)


def corrected_note(report: ReportData) -> str:
    """Sentence under numbers that gold corrects as it does the headline; empty without gold."""
    return tr("Corrected by gold, as the headline is.") if _is_corrected(report) else ""


def means_note(report: ReportData) -> str:
    """Sentence under means that gold corrects, though it may not correct a share as headline."""
    headline = report.shown_headline
    if headline is not None and headline.gold_unused:
        return tr("Corrected by gold.")
    return corrected_note(report)


def uncorrected_note(report: ReportData) -> str:
    """Sentence under numbers that gold does not correct, though it does the headline."""
    return tr("Not corrected by gold, unlike the headline.") if _is_corrected(report) else ""


def _is_corrected(report: ReportData) -> bool:
    headline = report.shown_headline
    return headline is not None and headline.uncorrected is not None


def _is_share(report: ReportData) -> bool:
    headline = report.shown_headline
    return headline is not None and headline.is_share
