"""What enters the headline: raters, their weights and severities, and the sources of error."""

from ocrjury.findings.pool_estimates import RaterInMean, Sources
from ocrjury.pages.numbers import (
    NOTHING,
    decimal,
    estimate_text,
    listing,
    percent,
    plural,
    signed,
    value_text,
)
from ocrjury.report.data import Headline, ReportData

MOST_ROWS = 12
"""Raters of whom each has a row; of more, those that matter most have one."""
_PLAIN = 0.995
_SOURCES = {
    "raters": "the choice of raters",
    "documents": "the choice of documents",
    "ratings": "the noise of single ratings",
    "gold": "what gold leaves open of the raters’ level",
}


def known(report: ReportData) -> Sources | None:
    """Sources of the printed headline, None where there are none."""
    headline = report.shown_headline
    return None if headline is None else headline.sources


def title(report: ReportData, sources: Sources) -> str:
    """Finding of the table: where most of the uncertainty comes from."""
    if not sources.variance:
        return f"What enters the {_noun(report)}"
    name, share = max(sources.variance.items(), key=lambda pair: pair[1])
    where = _SOURCES[name]
    return f"{where[:1].upper()}{where[1:]} makes up {percent(share, 0)} of the variance"


def rows(sources: Sources) -> list[RaterInMean]:
    """Raters with a row of their own, in the order of their names."""
    if len(sources.raters) <= MOST_ROWS:
        return list(sources.raters)
    foremost = sorted(sources.raters, key=lambda row: (row.weight, -abs(row.severity)))
    chosen = {row.rater for row in foremost[:MOST_ROWS]}
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
    """How many raters there are in effect, whence the uncertainty comes, and what would help."""
    n = len(sources.raters)
    effective = decimal(sources.effective_raters, 1)
    sentences = [
        f"In the {_noun(report)}, {plural(n, 'rater')} count as {effective} with equal parts would."
    ]
    if sources.variance:
        split = [f"{_SOURCES[name]} {percent(v, 0)}" for name, v in _largest_first(sources)]
        sentences.append(
            f"The range has {decimal(sources.df, 1)} degrees of freedom. Its variance: "
            f"{listing(split)}."
        )
        sentences.append(_buying(report, sources))
    if n > MOST_ROWS:
        sentences.append(f"{n - MOST_ROWS} raters whose ratings count fully are not shown.")
    sentences.append(
        "Weight: of one rating, beside that of a colleague who scatters ordinarily. Taken off: "
        "the rater’s severity beside the others as they are weighted here."
    )
    return " ".join(sentences)


def _buying(report: ReportData, sources: Sources) -> str:
    """What more items or more raters would do to the length of the range."""
    scale, unit = (100, "percentage points") if _is_share(report) else (1, "points")
    now, items, raters = (
        decimal(length * scale)
        for length in (sources.length, sources.with_more_items, sources.with_more_raters)
    )
    return (
        f"It is {now} {unit} long; with twice the items it would be {items}, with twice the raters "
        f"{raters}."
    )


def moved_text(report: ReportData) -> str | None:
    """How far each step moves the plain mean to the headline, in printed numbers."""
    headline = report.shown_headline
    if headline is None or headline.naive is None or not headline.others.defined:
        return None
    places, scale = (1, 100) if headline.is_share else (2, 1)
    naive, these, uncorrected, others = (
        round(number * scale, places)
        for number in (
            headline.naive,
            headline.these.value,
            (headline.uncorrected or headline.others).value,
            headline.others.value,
        )
    )
    unit = "percentage points" if headline.is_share else "points"
    steps = [
        f"{what} by {signed(by, places)}"
        for what, by in [
            ("the weights of the raters", uncorrected - these),
            ("gold", others - uncorrected),
        ]
        if round(by, places)
    ]
    weights = "the items’ weights and the pool’s error rates"
    whole = signed(others - naive, places)
    if not steps:
        return f"{weights[:1].upper()}{weights[1:]} move the headline by {whole} {unit}."
    first = f"{weights} by {signed(these - naive, places)}"
    return f"From the plain mean, {listing([first, *steps])} move the headline by {whole} {unit}."


def others_label(headline: Headline) -> str:
    """Label of the range for other raters; a number that gold corrected is called that."""
    corrected = ", corrected by gold" if headline.uncorrected else ""
    return f"95% range, other raters like these{corrected}"


def these_text(headline: Headline) -> str:
    """What these raters would say, each counting alike, with its range."""
    return estimate_text(headline.these, share=headline.is_share)


def uncorrected_text(headline: Headline) -> str | None:
    """Headline without gold, None where gold corrected nothing."""
    if headline.uncorrected is None:
        return None
    return estimate_text(headline.uncorrected, share=headline.is_share)


def _largest_first(sources: Sources) -> list[tuple[str, float]]:
    return sorted(sources.variance.items(), key=lambda pair: -pair[1])


def _noun(report: ReportData) -> str:
    return "share" if _is_share(report) else "mean"


def _is_share(report: ReportData) -> bool:
    headline = report.shown_headline
    return headline is not None and headline.is_share
