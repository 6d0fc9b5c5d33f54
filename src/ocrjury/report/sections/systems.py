"""OCR systems side by side."""

import math
from collections.abc import Mapping

from ocrjury.estimate import Estimate
from ocrjury.findings.cover import Word
from ocrjury.findings.systems import (
    FEWEST_ITEMS,
    Preferences,
    SystemDifference,
    SystemMean,
    Systems,
)
from ocrjury.language import Phrase, counted, phrase, tr
from ocrjury.pages.numbers import (
    NOTHING,
    clauses,
    count,
    estimate_text,
    has_interval,
    interval_text,
    listing,
    paragraph,
    range_text,
    signed,
)
from ocrjury.report.data import ReportData
from ocrjury.report.outcome import Outcome, outcome_of
from ocrjury.report.sections import Section, system_leads, system_types, withheld_results
from ocrjury.report.sections.sources import uncorrected_note

CHANCE, LEAST = 0.05, 0.001
READING = phrase(
    "Outputs of each system were drawn separately, so the same place need not have been rated for "
    "all systems; the difference is between their means over the same pages of the pool."
)
PAIRED = phrase(
    "Pages were drawn for all systems, and the same raters judged all outputs of a page, without "
    "knowing which system had read what. The difference is taken page by page, so hard pages and "
    "strict raters cancel out; it need not be that of the two means."
)
RANGES = phrase(
    "The range for these raters covers the draw and the noise of ratings; the range for other "
    "raters also covers how differently raters see the systems."
)
AT_ONCE = phrase("The ranges of all differences on a dimension hold at once.")


def shown(report: ReportData) -> list[Systems]:
    """Dimensions of which a number is printed."""
    return [row for row in report.systems if report.verdict.shows(row.dimension)]


def lead(report: ReportData) -> str:
    """Clear differences, or that there is none."""
    if not shown(report):
        return withheld_results.text(report) or ""
    return paragraph([_compared(report), _left_out(shown(report)[0])])


def _left_out(row: Systems) -> str:
    """Systems of which too few items are rated, empty without any."""
    few = [
        tr("{name} ({n})", name=system.system, n=system.estimate.n_items)
        for system in row.systems
        if not system.estimate.defined
    ]
    if not few:
        return ""
    return tr(
        "Not compared, because fewer than {n} items of each are rated: {systems}.",
        n=FEWEST_ITEMS,
        systems=listing(few),
    )


def _compared(report: ReportData) -> str:
    """Clear differences between the systems with a mean; empty where fewer than two have one."""
    known = shown(report)[0].estimated
    if len(known) < 2:
        return ""
    names = listing([of.system for of in known])
    if not any(of.differences for of in shown(report)):
        return tr(
            "{systems} read different pages: their means stand here and are not compared.",
            systems=names,
        )
    clear = [
        tr("{text}.", text=system_leads.text(ahead, report.name(row.dimension)))
        for row in shown(report)
        for ahead in system_leads.leads(row)
    ]
    if not clear:
        return tr("No clear difference between {systems} on the pages of this pool.", systems=names)
    return paragraph(clear)


def on_headline(report: ReportData) -> Systems | None:
    """Systems on the headline's dimension, None where it is not printed or there is one system."""
    headline = report.shown_headline
    if headline is None:
        return None
    return next((row for row in shown(report) if row.dimension == headline.dimension), None)


def outcome(report: ReportData, row: Systems, system: SystemMean) -> Outcome | None:
    """Outcome of a system on its own; None where the target is about another dimension."""
    target = report.target
    estimate = system.share if target and target.is_share else system.estimate
    if target is None or estimate is None or target.dimension != row.dimension:
        return None
    return outcome_of(estimate, target, trusted=report.verdict.shows(row.dimension))


def outcome_word(report: ReportData, row: Systems, system: SystemMean) -> str:
    """Outcome of a system with its sign."""
    outcome_ = outcome(report, row, system)
    return NOTHING if outcome_ is None else _SIGNED[outcome_.word]


def each_text(report: ReportData) -> str | None:
    """The headline of each system in a sentence, None with one system."""
    row = on_headline(report)
    if row is None:
        return None
    share = bool(report.target and report.target.is_share)
    parts = [
        tr(
            "{name} {value}",
            name=system.system,
            value=estimate_text((system.share if share else None) or system.estimate, share=share),
        )
        for system in row.estimated
    ]
    each = parts and tr(
        "By system: {values}. The number above is over the outputs of all.", values=clauses(parts)
    )
    return paragraph([each or "", _left_out(row), uncorrected_note(report) if parts else ""])


def target_text(report: ReportData) -> str | None:
    """Outcome of each system on its own, None with one system or without a target."""
    row = on_headline(report)
    outcomes = (
        [] if row is None else [(system, outcome(report, row, system)) for system in row.estimated]
    )
    known = [_met(system.system, of.word) for system, of in outcomes if of is not None]
    if not known:
        return None
    return tr(
        "That is over the outputs of all systems; each alone: {outcomes}.", outcomes=listing(known)
    )


def _met(system: str, word: Word) -> str:
    if word == "MET":
        return tr("{system} met", system=system)
    if word == "NOT MET":
        return tr("{system} not met", system=system)
    return tr("{system} not shown", system=system)


_SIGNED: Mapping[Word, Phrase] = {
    "MET": phrase("✓ met"),
    "NOT MET": phrase("× not met"),
    "NOT SHOWN": phrase("? not shown"),
}


def reading(report: ReportData) -> str:
    """Method that measured the differences."""
    methods = [
        sentence
        for paired, sentence in ((True, PAIRED), (False, READING))
        if any(
            difference.paired is paired for row in shown(report) for difference in row.differences
        )
    ]
    several = any(len(row.differences) > 1 for row in shown(report))
    return paragraph(
        [
            *methods,
            RANGES if methods else "",
            AT_ONCE if several else "",
            system_types.text(shown(report)),
            uncorrected_note(report),
        ]
    )


def preferences(preferred: Preferences) -> str:
    """Share of the pages on which each system is preferred, and whether that is chance."""
    shares = listing(
        [
            tr(
                "{system} on {share}",
                system=row.system,
                share=estimate_text(row.estimate, share=True),
            )
            for row in preferred.systems
        ]
    )
    split = tr(
        "{raters} who saw all outputs of {pages} side by side prefer {shares} of the pool’s pages; "
        "on {same} they see no difference.",
        raters=counted(preferred.raters, "rater"),
        pages=counted(preferred.pages, "page"),
        shares=shares,
        same=estimate_text(preferred.same, share=True),
    )
    return paragraph([split, _to_others(preferred), _chance(preferred)])


def _to_others(preferred: Preferences) -> str:
    """Ranges for other raters, empty where one rater shows none."""
    ranges = [
        tr("{name} {value}", name=row.system, value=interval_text(row.others, share=True))
        for row in preferred.systems
        if has_interval(row.others)
    ]
    return tr("For other raters: {ranges}.", ranges=clauses(ranges)) if ranges else ""


def _chance(preferred: Preferences) -> str:
    p = preferred.p_value
    if math.isnan(p):
        return ""
    if p >= CHANCE:
        return tr(
            "Chance alone could split the pages like this (sign test, p = {p}).", p=f"{p:.2f}"
        )
    shown = f"p = {p:.3f}" if p >= LEAST else f"p < {LEAST}"
    return tr("A split of pages this uneven is unlikely to be chance (sign test, {p}).", p=shown)


def difference(difference_: SystemDifference) -> str:
    """A difference with its sign."""
    return signed(difference_.estimate.value)


def difference_range(by: Estimate) -> str:
    """Range of a difference."""
    if not has_interval(by):
        return NOTHING
    return range_text(signed(by.low), signed(by.high))


def basis(pair: SystemDifference) -> str:
    """Number of pages, or places on pages, rated for both."""
    return count(pair.both)


SECTION = Section(
    "systems",
    phrase("OCR systems side by side"),
    "report/systems.html.j2",
    lambda report: report.verdict.trusted and (report.systems or report.preferences),
)
