"""Response: the share of the requested ratings that arrived."""

from collections.abc import Mapping
from typing import Final

from ocrjury.findings.pool_estimates import Response
from ocrjury.language import phrase, said, tr, trn
from ocrjury.pages.numbers import count, decimal, listing, paragraph, percent, plural, series
from ocrjury.report.data import ReportData

EXCLUDED: Final[Mapping[str, str]] = {
    "unreadable": phrase("unreadable"),
    "wrong_image": phrase("with a wrong image or place"),
    "wrong_reference": phrase("with a wrong reference"),
    "privacy": phrase("for privacy"),
    "other": phrase("for another reason"),
}
"""Reasons why a lead excluded an item, to follow a number."""


def responses(report: ReportData) -> list[tuple[str, Response]]:
    """Response by the name of the dimension."""
    return [
        (report.name(row.dimension), row.response)
        for row in report.estimates
        if row.response is not None
    ]


def silence(report: ReportData) -> str:
    """Number of drawn items without a rating; where nothing lacks, what came."""
    answers = [response for _, response in responses(report)]
    if not answers:
        return ""
    if (whole := complete_text(report)) is not None:
        return whole
    silent = max(answer.drawn - answer.rated for answer in answers)
    if not silent:
        return tr("Every drawn item was rated.")
    return trn(
        "{n} drawn item went without a rating.", "{n} drawn items went without a rating.", silent
    )


def complete_text(report: ReportData) -> str | None:
    """Sentence where everything came back, so that no table follows; None otherwise."""
    answers = [response for _, response in responses(report)]
    if not answers or any(answer.complete < answer.drawn for answer in answers):
        return None
    drawn, given = answers[0].drawn, answers[0].given
    if len({(answer.drawn, answer.given) for answer in answers}) > 1:
        return tr("Every drawn item has all its ratings.")
    return tr(
        "Every drawn item has all its ratings: {items}, {ratings} on each dimension.",
        items=plural(drawn, "item"),
        ratings=plural(given, "rating"),
    )


def title(report: ReportData) -> str:
    """Finding of the table of what came back, where something did not."""
    answers = [response for _, response in responses(report)]
    worst = min(answers, key=lambda answer: answer.complete / max(answer.drawn, 1))
    return trn(
        "{complete} of {n} drawn item have all their ratings on the dimension that has fewest",
        "{complete} of {n} drawn items have all their ratings on the dimension that has fewest",
        worst.drawn,
        complete=count(worst.complete),
    )


def text(report: ReportData) -> str | None:
    """Treatment of items without a rating, and ratings set aside; None without any."""
    aside = [aside_text(name, response) for name, response in responses(report)]
    return paragraph([_silent(report), *aside]) or None


def aside_text(dimension: str, response: Response) -> str:
    """Number of ratings that a recalibration set aside; empty without any."""
    if not response.aside:
        return ""
    return trn(
        "{n} more rating on {dimension} was given and set aside for a recalibration.",
        "{n} more ratings on {dimension} were given and set aside for a recalibration.",
        response.aside,
        dimension=dimension,
    )


def excluded_text(response: Response) -> str:
    """Sentences about the items that a lead excluded; empty without one."""
    number = sum(response.excluded.values())
    if not number:
        return ""
    reasons = [
        tr("{n} {reason}", n=count(n), reason=said(EXCLUDED[reason]))
        for reason, n in response.excluded.items()
    ]
    counts = trn(
        "A lead excluded {n} of the drawn items ({reasons}); it has {share} of the sample’s weight "
        "and counts as not rated.",
        "A lead excluded {n} of the drawn items ({reasons}); they have {share} of the sample’s "
        "weight and count as not rated.",
        number,
        reasons=series(reasons),
        share=percent(response.excluded_share, 1),
    )
    late = response.excluded_late
    after = trn(
        "{n} was excluded after the gate had judged.",
        "{n} were excluded after the gate had judged.",
        late,
    )
    return paragraph([counts, after if late else ""])


def _silent(report: ReportData) -> str:
    """Treatment of items without a rating; empty where every item has one."""
    silent = [
        (name, response) for name, response in responses(report) if response.rated < response.drawn
    ]
    if not silent:
        return ""
    name, worst = max(silent, key=lambda pair: pair[1].drawn - pair[1].rated)
    where = listing(
        [tr("{name} ({n})", name=stratum, n=number) for stratum, number in worst.silent.items()]
    )
    return tr(
        "Items without any rating are represented by the rated ones of their stratum, as if they "
        "were missing by chance. On {dimension} they are in {strata}; a rated item counts up to "
        "{factor} times as much for it.",
        dimension=name,
        strata=where,
        factor=decimal(worst.growth),
    )
