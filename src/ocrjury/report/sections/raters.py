"""Each rater."""

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.pages.bias_rows import BiasRow
from ocrjury.pages.numbers import decimal, interval_text, listing, plural, signed
from ocrjury.report.data import ReportData
from ocrjury.report.profile_section import Profiles
from ocrjury.report.sections import Section
from ocrjury.report.sections.gate import with_names
from ocrjury.statistics import reason_words


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRow:
    """One rater. ``severity`` is the difference from colleagues on the same items, in points."""

    rater: str
    n_ratings: int
    mean: float
    severity: Estimate
    counts: tuple[int, ...] = ()
    """Ratings per level of the scale on the headline dimension."""
    accuracy: float | None = None
    """Share of ratings equal to the inferred label."""
    flags: tuple[str, ...] = ()
    """Findings that survived adjustment for many tests, as `ocrjury.report.findings` words them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raters:
    """All raters; ``tolerance`` is the severity that nobody need worry about.

    ``tested`` tells whether anybody looked for findings, so that none means none; ``bias`` are
    those tests.
    """

    rows: tuple[RaterRow, ...]
    dimension: str
    mean: float
    tolerance: float = 0.25
    tested: bool = False
    bias: tuple[BiasRow, ...] = ()
    profiles: tuple[Profiles, ...] = ()


class Box(NamedTuple):
    """One rater's ratings: lowest, first quartile, median, third quartile, highest."""

    rater: str
    mean: float
    ends: tuple[float, ...]


def lead(report: ReportData) -> str:
    """Return the section in a sentence."""
    raters = report.raters
    n = sum(row.n_ratings for row in raters.rows)
    simulated = "simulated " if report.identity.simulated else ""
    people = plural(len(raters.rows), f"{simulated}rater")
    return f"{people} gave {plural(n, 'rating')} on {report.name(raters.dimension)}."


def has_flags(raters: Raters) -> bool:
    """Return whether the table has a column of what to look at."""
    return any(row.flags for row in raters.rows)


def flags_text(report: ReportData, row: RaterRow) -> str:
    """Return what was found about a rater."""
    return with_names(report, "; ".join(row.flags)) or "—"


def tests_text(raters: Raters) -> str | None:
    """Return what the tests found where the table does not say it; nothing if nobody tested."""
    if not raters.tested or has_flags(raters):
        return None
    return f"Tests of bias found nothing about any of the {plural(len(raters.rows), 'rater')}."


def boxes(report: ReportData) -> list[Box]:
    """Return what the chart of means draws."""
    levels = report.scale.levels
    return [Box(row.rater, row.mean, _ends(levels, row.counts)) for row in report.raters.rows]


def _ends(levels: tuple[float, ...], counts: tuple[int, ...]) -> tuple[float, ...]:
    """Return the five numbers of a box, nothing without counts."""
    total = sum(counts)
    if not total:
        return ()
    reached = list(accumulate(counts))
    places = (1, total / 4, total / 2, 3 * total / 4, total)
    return tuple(levels[next(k for k, n in enumerate(reached) if n >= at)] for at in places)


def means_title(raters: Raters) -> str:
    """Return the finding of the chart of means."""
    means = [row.mean for row in raters.rows if math.isfinite(row.mean)]
    if not means:
        return "No rater gave a rating"
    return f"Means lie between {decimal(min(means))} and {decimal(max(means))}"


def means_alternative(raters: Raters) -> str:
    """Return the chart of means in words."""
    rows = ", ".join(f"{row.rater} {decimal(row.mean)}" for row in raters.rows)
    return f"{means_title(raters)}. Mean of each rater: {rows}; all {decimal(raters.mean)}."


def severity_interval(row: RaterRow) -> str:
    """Return the interval of a rater's severity."""
    if not row.severity.defined:
        return reason_words(row.severity.reason)
    return interval_text(row.severity)


def strip_alternative(report: ReportData, row: RaterRow) -> str:
    """Return one rater's ratings in words."""
    levels = zip(report.scale.levels, row.counts, strict=True)
    return f"{row.rater}: {', '.join(f'{number} times {level:g}' for level, number in levels)}."


def outside(raters: Raters) -> list[RaterRow]:
    """Return raters beyond the tolerance whose interval, where known, excludes zero."""
    return [row for row in raters.rows if _is_outside(row, raters.tolerance)]


def _is_outside(row: RaterRow, tolerance: float) -> bool:
    """Return whether a rater's severity is worth a word."""
    severity = row.severity
    sure = math.isnan(severity.low) or severity.low > 0 or severity.high < 0
    return severity.defined and abs(severity.value) > tolerance and sure


def severity_title(raters: Raters) -> str:
    """Return the finding of the severity chart."""
    strict = [row.rater for row in outside(raters) if row.severity.value < 0]
    mild = [row.rater for row in outside(raters) if row.severity.value > 0]
    said = [
        f"{listing(names)} {'rates' if len(names) == 1 else 'rate'} {how}"
        for names, how in ((strict, "low"), (mild, "high"))
        if names
    ]
    if said:
        return "; ".join(said)
    if any(row.severity.defined for row in raters.rows):
        return f"Every rater is within ±{decimal(raters.tolerance)} of colleagues"
    return "Severity cannot be told apart from the items"


def severity_alternative(raters: Raters) -> str:
    """Return the severity chart in words."""
    parts = [
        f"{row.rater} {signed(row.severity.value)}"
        if row.severity.defined
        else f"{row.rater} undefined ({reason_words(row.severity.reason)})"
        for row in raters.rows
    ]
    return f"{severity_title(raters)}. Difference from colleagues in points: {', '.join(parts)}."


def severity_range(raters: Raters) -> float:
    """Return how far the severity axis reaches on both sides."""
    ends = [0.0, 2 * raters.tolerance]
    for row in raters.rows:
        numbers = (row.severity.value, row.severity.low, row.severity.high)
        ends += [abs(number) for number in numbers if math.isfinite(number)]
    return math.ceil(max(ends) * 4 + 0.2) / 4


SECTION = Section("raters", "Each rater", "report/raters.html.j2", lambda _: True)
