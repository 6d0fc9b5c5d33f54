"""What each rater's ratings look like."""

import math

from ocrjury.findings.agreement import AgreementFinding, Profile
from ocrjury.pages.numbers import decimal, plural, short
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.agreement import Agreement

READING = (
    "Rank 1 is the strictest, judged on the same items where raters share some, else by the mean. "
    "SD divides by n − 1; skew and kurtosis (excess) are moment ratios: below 0, ratings have "
    "their longer tail at the low end, or are flatter than a bell. Raters saw different items."
)


def dimensions(report: ReportData) -> list[AgreementFinding]:
    """Dimensions that somebody rated."""
    return [row for row in report[Agreement].dimensions if row.profiles]


def lead(report: ReportData) -> str:
    """Contents of the tables."""
    rated = dimensions(report)
    n = max(len(row.profiles) for row in rated)
    # Ratings without a campaign have the names of their file.
    known_as = ", under their pseudonyms" if report.identity.config_hash else ""
    return (
        f"{plural(n, 'rater')} on {plural(len(rated), 'dimension')}, the strictest first{known_as}."
    )


def caption(report: ReportData, finding: AgreementFinding) -> str:
    """Finding of a table: how far means and spreads of raters differ."""
    name = report.name(finding.dimension)
    means = [row.mean for row in finding.profiles if math.isfinite(row.mean)]
    spreads = [row.sd for row in finding.profiles if math.isfinite(row.sd)]
    if not means:
        return name
    title = f"{name}: means differ by {decimal(max(means) - min(means))}"
    if not spreads:
        return title
    return f"{title}, standard deviations by {decimal(max(spreads) - min(spreads))}"


def range_text(row: Profile) -> str:
    """Lowest and the highest rating."""
    if not (math.isfinite(row.low) and math.isfinite(row.high)):
        return "—"
    return f"{short(row.low)} to {short(row.high)}"


def strip_alternative(report: ReportData, dimension: str, row: Profile) -> str:
    """One rater's ratings on a dimension in words."""
    labels = report.labels(dimension)
    levels = zip(labels.levels, row.counts, strict=True)
    parts = [f"{n} times {labels.name(level)}" for level, n in levels]
    return f"{row.rater}: {', '.join(parts)}."


SECTION = Section(
    "profiles",
    "Appendix: rater profiles",
    "report/profiles.html.j2",
    dimensions,
)
