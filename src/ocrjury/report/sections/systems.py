"""OCR systems side by side."""

import math

from ocrjury.findings.systems import Preferences, SystemDifference, SystemMean, Systems
from ocrjury.pages.numbers import (
    NOTHING,
    decimal,
    estimate_text,
    has_interval,
    listing,
    plural,
    signed,
)
from ocrjury.report.data import ReportData
from ocrjury.report.outcome import Outcome, outcome_of
from ocrjury.report.sections import Section, withheld

CHANCE, LEAST = 0.05, 0.001
READING = (
    "Documents of each system were drawn separately, so a page need not have been rated for all "
    "systems; the difference is between their means over the same pages of the pool. Its range "
    "covers the choice of documents and of the raters who judged each system."
)
PAIRED = (
    "Pages were drawn for all systems, and the same raters judged all outputs of a page, without "
    "knowing which system had read what. The difference is taken page by page, so hard pages and "
    "strict raters cancel out. Its range covers the choice of pages and the noise of ratings."
)


def shown(report: ReportData) -> list[Systems]:
    """Dimensions of which a number is printed."""
    return [row for row in report.systems if report.verdict.shows(row.dimension)]


def lead(report: ReportData) -> str:
    """Clear differences, or that there is none."""
    clear = [
        f"{better} is better than {worse} on {report.name(row.dimension)} by {by} points"
        for row in shown(report)
        for difference in row.differences
        for better, worse, by in _clear(difference)
    ]
    if not shown(report):
        return withheld.text(report) or ""
    names = listing([of.system for of in shown(report)[0].systems])
    if not any(of.differences for of in shown(report)):
        return f"{names} read different pages: their means stand here and are not compared."
    if not clear:
        return f"No clear difference between {names} on the pages of this pool."
    said = listing(clear)
    return f"{said[0].upper()}{said[1:]}."


def on_headline(report: ReportData) -> Systems | None:
    """Systems on the headline's dimension, None where it is not printed or there is one system."""
    headline = report.shown_headline
    if headline is None:
        return None
    return next((row for row in shown(report) if row.dimension == headline.dimension), None)


def outcome(report: ReportData, row: Systems, one: SystemMean) -> Outcome | None:
    """Whether a system meets the target on its own, None where the target is about another."""
    target = report.target
    estimate = one.share if target and target.is_share else one.estimate
    if target is None or estimate is None or target.dimension != row.dimension:
        return None
    return outcome_of(estimate, target, trusted=report.verdict.shows(row.dimension))


def outcome_word(report: ReportData, row: Systems, one: SystemMean) -> str:
    """Outcome of a system with its sign."""
    found = outcome(report, row, one)
    return NOTHING if found is None else f"{_SIGNS[found.word]} {found.word.lower()}"


def each_text(report: ReportData) -> str | None:
    """The headline of each system in a sentence, None with one system."""
    row = on_headline(report)
    if row is None:
        return None
    share = bool(report.target and report.target.is_share)
    parts = [
        f"{one.system} {estimate_text((one.share if share else None) or one.estimate, share=share)}"
        for one in row.systems
    ]
    return f"By system: {'; '.join(parts)}. The number above is over the outputs of all."


def target_text(report: ReportData) -> str | None:
    """Outcome of each system on its own, None with one system or without a target."""
    row = on_headline(report)
    found = [] if row is None else [(one, outcome(report, row, one)) for one in row.systems]
    known = [f"{one.system} {of.word.lower()}" for one, of in found if of is not None]
    return (
        f"That is over the outputs of all systems; each alone: {listing(known)}." if known else None
    )


def types(row: Systems) -> list[tuple[str, list[str]]]:
    """Document types, and the mean of each system on them; none where there is one type."""
    known = [{of.name: of for of in one.types} for one in row.systems]
    names = list(dict.fromkeys(name for of_system in known for name in of_system))
    if len(names) < 2:
        return []
    return [
        (
            name,
            [
                estimate_text(of_system[name].estimate) if name in of_system else NOTHING
                for of_system in known
            ],
        )
        for name in names
    ]


_SIGNS = {"MET": "✓", "NOT MET": "×", "NOT SHOWN": "?"}


def _clear(one: SystemDifference) -> list[tuple[str, str, str]]:
    """Better system, worse system and difference; nothing where chance explains it."""
    if not has_interval(one.estimate):
        return []
    by = decimal(abs(one.estimate.value))
    if one.estimate.low > 0:
        return [(one.a, one.b, by)]
    return [(one.b, one.a, by)] if one.estimate.high < 0 else []


def reading(report: ReportData) -> str:
    """Method that measured the differences."""
    return " ".join(
        sentence
        for paired, sentence in ((True, PAIRED), (False, READING))
        if any(
            difference.paired is paired for row in shown(report) for difference in row.differences
        )
    )


def preferences(preferred: Preferences) -> str:
    """Share of the pages on which each system is preferred, and whether that is chance."""
    phrases = listing(
        [f"{row.system} on {estimate_text(row.estimate, share=True)}" for row in preferred.systems]
    )
    raters = plural(preferred.raters, "rater")
    return (
        f"{raters} who saw all outputs of {plural(preferred.pages, 'page')} side by side prefer "
        f"{phrases} of the pool’s pages; on {estimate_text(preferred.same, share=True)} they see "
        f"no difference.{_chance(preferred)}"
    )


def _chance(preferred: Preferences) -> str:
    if math.isnan(preferred.p_value):
        return ""
    if preferred.p_value < CHANCE:
        shown = f"p = {preferred.p_value:.3f}" if preferred.p_value >= LEAST else f"p < {LEAST}"
        return f" So uneven a split of pages is hardly chance (sign test, {shown})."
    return (
        f" Chance alone could split the pages like this (sign test, p = {preferred.p_value:.2f})."
    )


def difference(one: SystemDifference) -> str:
    """A difference with its sign."""
    return signed(one.estimate.value)


def difference_range(one: SystemDifference) -> str:
    """Its range."""
    if not has_interval(one.estimate):
        return NOTHING
    return f"{signed(one.estimate.low)} to {signed(one.estimate.high)}"


def basis(one: SystemDifference) -> str:
    """Number of pages rated for both."""
    return plural(one.both, "page")


SECTION = Section(
    "systems",
    "OCR systems side by side",
    "report/systems.html.j2",
    lambda report: report.verdict.trusted and (report.systems or report.preferences),
)
