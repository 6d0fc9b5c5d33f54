"""Distribution of each rater's ratings."""

import math
from operator import attrgetter

from ocrjury.findings.agreement import AgreementFinding, Profile
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import (
    NOTHING,
    count,
    decimal,
    paragraph,
    plural,
    range_text,
    series,
    short,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.raters import level_count
from ocrjury.report.table_columns import Column, known_columns
from ocrjury.statistics import statistic


def ends_text(row: Profile) -> str:
    """Lowest and the highest rating."""
    if not (math.isfinite(row.low) and math.isfinite(row.high)):
        return NOTHING
    return range_text(short(row.low), short(row.high))


def _decimals(name: str, head: str, places: int = 2) -> Column[Profile]:
    number = attrgetter(name)
    return Column(head, lambda row: decimal(number(row), places), number)


COLUMNS: tuple[Column[Profile], ...] = (
    Column(phrase("Rank"), lambda row: count(row.rank), attrgetter("rank")),
    Column(phrase("Ratings"), lambda row: count(row.count), attrgetter("count")),
    _decimals("mean.value", statistic("rater_mean").short_label),
    _decimals("sd", phrase("SD")),
    _decimals("median", phrase("Median"), 1),
    _decimals("skew", phrase("Skew")),
    _decimals("kurtosis", phrase("Kurtosis")),
    Column(phrase("Range"), ends_text, attrgetter("low"), "nowrap"),
)
_RANK = phrase(
    "Rank 1 is the strictest, judged on the same items where raters share some, else by the mean."
)
_MOMENTS = phrase(
    "SD divides by n − 1; skew and kurtosis (excess) are moment ratios: below 0, ratings have "
    "their longer tail at the low end, or are flatter than a bell."
)


def dimensions(report: ReportData) -> list[AgreementFinding]:
    """Dimensions that somebody rated."""
    return [row for row in report[Agreement].dimensions if row.profiles]


def columns(finding: AgreementFinding) -> list[Column[Profile]]:
    """Columns in which somebody has a number; one rater alone has no rank."""
    alone = len(finding.profiles) == 1
    return known_columns(COLUMNS[1:] if alone else COLUMNS, finding.profiles)


def ranked(report: ReportData) -> bool:
    """Return whether raters can be more or less strict: unordered categories have no mean."""
    rows = [row for finding in dimensions(report) for row in finding.profiles]
    return any(row.mean.defined for row in rows)


def reading(report: ReportData) -> str:
    """Legend of the tables."""
    several = _most(report) > 1
    same = all(finding.complete for finding in dimensions(report))
    apart = tr("Raters saw different items.") if several and not same else ""
    if ranked(report):
        return paragraph([_RANK.said() if several else "", _MOMENTS.said(), apart])
    return paragraph([tr("The scale has no order: ratings have no mean, spread or rank."), apart])


def _most(report: ReportData) -> int:
    """Raters of the dimension that most rated."""
    return max(len(row.profiles) for row in dimensions(report))


def lead(report: ReportData) -> str:
    """Contents of the tables."""
    raters = plural(_most(report), "rater")
    on = plural(len(dimensions(report)), "dimension")
    if not ranked(report) or _most(report) == 1:
        return tr("{raters} on {dimensions}.", raters=raters, dimensions=on)
    # Ratings without a campaign have the names of their file.
    if not report.identity.config_hash:
        return tr("{raters} on {dimensions}, the strictest first.", raters=raters, dimensions=on)
    return tr(
        "{raters} on {dimensions}, the strictest first, under their pseudonyms.",
        raters=raters,
        dimensions=on,
    )


def caption(report: ReportData, finding: AgreementFinding) -> str:
    """Finding of a table: how far means and spreads of raters differ."""
    name = report.name(finding.dimension)
    means = [row.mean.value for row in finding.profiles if row.mean.defined]
    spreads = [row.sd for row in finding.profiles if math.isfinite(row.sd)]
    if not means or len(finding.profiles) < 2:
        return name
    by = decimal(max(means) - min(means))
    if not spreads:
        return tr("{name}: means differ by {means}", name=name, means=by)
    return tr(
        "{name}: means differ by {means}, standard deviations by {spreads}",
        name=name,
        means=by,
        spreads=decimal(max(spreads) - min(spreads)),
    )


def strip_alternative(report: ReportData, dimension: str, row: Profile) -> str:
    """One rater's ratings on a dimension in words."""
    labels = report.labels(dimension)
    levels = zip(labels.levels, row.counts, strict=True)
    parts = series(level_count(labels.name(level), n) for level, n in levels)
    return tr("{rater}: {parts}.", rater=row.rater, parts=parts)


SECTION = Section(
    "profiles",
    phrase("Appendix: rater profiles"),
    "report/profiles.html.j2",
    dimensions,
)
