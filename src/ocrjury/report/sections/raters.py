"""Each rater."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.agreement import AgreementFinding, Profile
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.ratings import RatingsFinding
from ocrjury.findings.record import UNKNOWN
from ocrjury.findings.severity_tolerance import is_outside, is_within, tolerance_of
from ocrjury.language import language, phrase, said, tr, trn
from ocrjury.pages.bias_rows import BiasRow, bias_rows
from ocrjury.pages.numbers import (
    NOTHING,
    clauses,
    decimal,
    has_interval,
    interval_text,
    listing,
    paragraph,
    plural,
    series,
    signed,
)
from ocrjury.ratings import RatingTable
from ocrjury.ratings.dimension_tables import are_stretched
from ocrjury.report.data import ReportData
from ocrjury.report.findings import pace_flags, rater_flags
from ocrjury.report.sections import Section
from ocrjury.report.stored_evaluation import Stored
from ocrjury.scales import Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRow:
    """One rater.

    ``mean`` is that of plain ratings, with an interval over items (Student's t); ``severity`` is
    the difference from colleagues on the same items, in points.
    """

    rater: str
    n_ratings: int
    mean: Estimate
    severity: Estimate
    counts: tuple[int, ...] = ()
    """Ratings per level of the scale on the headline dimension."""
    equal_to_label: Estimate = UNKNOWN
    """Share of ratings equal to the inferred label."""
    flags: tuple[str, ...] = ()
    """Findings that survived adjustment for many tests, and haste, in words."""


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
    order_refused: str | None = None
    """Reason why the tests did not use the order of the ratings, None if they did."""
    n_severities: int = 0
    """Severities with an interval that the report looks at, on all dimensions."""


def raters_of(stored: Stored) -> Raters:
    """Raters of the main rounds, on the headline's dimension."""
    dimension, scales = stored.target_dimension, stored.campaign.rubric.scales
    finding = stored.agreement.get(dimension)
    truths = stored.newest_truths
    truth = None if truths is None else truths.dimensions.get(dimension)
    raters = _raters(
        () if finding is None else finding.profiles,
        stored.bias or BiasTests(),
        dimension=dimension,
        scales=scales,
        names=stored.campaign.rubric.titles(language()),
        rushed=pace_flags(stored.rushed, seconds=stored.campaign.rounds.page.hasty_seconds),
        equal={} if truth is None else truth.equal_to_label,
    )
    n = known_severities(stored.agreement.values())
    return replace(raters, tested=stored.bias is not None, n_severities=n)


def known_severities(findings: Iterable[AgreementFinding]) -> int:
    """Number of severities with an interval, on all dimensions."""
    return sum(has_interval(row.severity) for each in findings for row in each.profiles)


def raters_of_table(
    finding: RatingsFinding,
    tables: Mapping[str, RatingTable],
    *,
    dimension: str,
    names: Mapping[str, str],
) -> Raters:
    """Raters on a dimension.

    Parameters
    ----------
    tables
        Of every dimension.
    names
        Printed names of the dimensions.
    """
    own = next(each for each in finding.dimensions if each.dimension == dimension)
    raters = _raters(
        own.profiles,
        finding.bias,
        dimension=dimension,
        scales={name: each.scale for name, each in tables.items()},
        names=names,
    )
    n = known_severities(finding.dimensions)
    return replace(raters, order_refused=finding.order_refused, n_severities=n)


def _raters(
    profiles: Sequence[Profile],
    tests: BiasTests,
    *,
    dimension: str,
    scales: Mapping[str, Scale],
    names: Mapping[str, str],
    rushed: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    equal: Mapping[str, Estimate] = MappingProxyType({}),
) -> Raters:
    """Raters on a dimension, in order of name."""
    biased = rater_flags(tests.findings, tests.gains, names=names, stretched=are_stretched(scales))
    counts = [profile.count for profile in profiles]
    means = [profile.mean.value for profile in profiles]
    return Raters(
        rows=tuple(
            RaterRow(
                rater=profile.rater,
                n_ratings=profile.count,
                mean=profile.mean,
                severity=profile.severity,
                counts=profile.counts,
                equal_to_label=equal.get(profile.rater, UNKNOWN),
                flags=biased.get(profile.rater, ()) + rushed.get(profile.rater, ()),
            )
            for profile in sorted(profiles, key=lambda profile: profile.rater)
        ),
        dimension=dimension,
        mean=float(np.average(means, weights=counts)) if profiles else math.nan,
        tolerance=tolerance_of(scales[dimension]),
        tested=bool(tests.findings),
        bias=bias_rows(tests.findings),
    )


def lead(report: ReportData) -> str:
    """Section in a sentence."""
    raters = report[Raters]
    n = sum(row.n_ratings for row in raters.rows)
    people = len(raters.rows)
    return tr(
        "{raters} gave {ratings} on {dimension}.",
        raters=plural(people, "simulated rater")
        if report.identity.simulated
        else plural(people, "rater"),
        ratings=plural(n, "rating"),
        dimension=report.name(raters.dimension),
    )


def has_flags(raters: Raters) -> bool:
    """Return whether the table has a column of points to check."""
    return any(row.flags for row in raters.rows)


def flags_text(report: ReportData, row: RaterRow) -> str:
    """Findings on a rater."""
    return clauses(map(report.with_names, row.flags)) or NOTHING


def severity_interval(row: RaterRow) -> str:
    """Interval of a rater's severity."""
    if not row.severity.defined:
        return str(said(reason_words(row.severity.reason)))
    return interval_text(row.severity)


def strip_alternative(report: ReportData, row: RaterRow) -> str:
    """One rater's ratings in words."""
    levels = zip(report.scale.levels, row.counts, strict=True)
    parts = series(level_count(report.scale.name(level), n) for level, n in levels)
    return tr("{rater}: {parts}.", rater=row.rater, parts=parts)


def level_count(level: str, number: int) -> str:
    """A level, and how often it was given."""
    return trn("{level} ({n} time)", "{level} ({n} times)", number, level=level)


def outside(raters: Raters) -> list[RaterRow]:
    """Raters beyond the tolerance who differ from zero though all raters are looked at."""
    own = sum(has_interval(row.severity) for row in raters.rows)
    n = max(own, raters.n_severities)
    return [row for row in raters.rows if is_outside(row.severity, raters.tolerance, of=n)]


def has_severity(raters: Raters) -> bool:
    """Return whether the severity of any rater is known, so that there is a chart to draw."""
    return any(row.severity.defined for row in raters.rows)


def without_severity(raters: Raters) -> str:
    """Text in place of the chart of severities, with the reason if there is one."""
    reasons = {row.severity.reason for row in raters.rows}
    if len(reasons) == 1 and (reason := reasons.pop()):
        return tr("No rater’s severity can be estimated: {reason}.", reason=reason_words(reason))
    return tr("{sentence}.", sentence=severity_title(raters))


def severity_title(raters: Raters) -> str:
    """Finding of the severity chart."""
    strict = [row.rater for row in outside(raters) if row.severity.value < 0]
    mild = [row.rater for row in outside(raters) if row.severity.value > 0]
    parts = []
    if strict:
        words = trn("{raters} rates low", "{raters} rate low", len(strict), raters=listing(strict))
        parts.append(words)
    if mild:
        words = trn("{raters} rates high", "{raters} rate high", len(mild), raters=listing(mild))
        parts.append(words)
    if parts:
        return clauses(parts)
    if has_severity(raters):
        tolerance = decimal(raters.tolerance)
        if all(is_within(row.severity, raters.tolerance) for row in raters.rows):
            return tr("Every rater is within ±{tolerance} of colleagues", tolerance=tolerance)
        return tr("No rater is shown to be beyond ±{tolerance} of colleagues", tolerance=tolerance)
    return tr("Severity cannot be told apart from the items")


def severity_alternative(raters: Raters) -> str:
    """Severity chart in words."""
    parts = [
        f"{row.rater} {signed(row.severity.value)}"
        if row.severity.defined
        else tr(
            "{rater} undefined ({reason})",
            rater=row.rater,
            reason=reason_words(row.severity.reason),
        )
        for row in raters.rows
    ]
    differences = tr("Difference from colleagues in points: {parts}.", parts=series(parts))
    return paragraph([tr("{sentence}.", sentence=severity_title(raters)), differences])


def severity_range(raters: Raters) -> float:
    """Half-width of the severity axis."""
    numbers = [n for r in raters.rows for n in (r.severity.value, r.severity.low, r.severity.high)]
    ends = [2 * raters.tolerance, *(abs(number) for number in numbers if math.isfinite(number))]
    return math.ceil(max(ends) * 4 + 0.2) / 4


SECTION = Section(
    "raters", phrase("Each rater"), "report/raters.html.j2", lambda _: True, {"raters": raters_of}
)
