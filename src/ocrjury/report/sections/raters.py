"""Each rater."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.ratings import RatingsFinding
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
from ocrjury.ratings.by_dimension import are_stretched
from ocrjury.report.data import ReportData
from ocrjury.report.distributions import at_levels
from ocrjury.report.findings import pace_flags, rater_flags
from ocrjury.report.mean_interval import mean_over_items
from ocrjury.report.sections import Section
from ocrjury.report.severity_tolerance import is_outside, is_within, tolerance_of
from ocrjury.report.stored import Stored


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
    accuracy: float | None = None
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
    """Why the tests did not use the order of the ratings, None if they did."""


def raters_of(stored: Stored) -> Raters:
    """Raters of the main rounds, on the headline's dimension."""
    dimension = stored.target_dimension
    given = stored.first_pass[stored.first_pass["dimension"] == dimension]
    finding = stored.agreement.get(dimension)
    severity = {} if finding is None else {row.rater: row.severity for row in finding.profiles}
    scale = stored.campaign.rubric.scales[dimension]
    flags, labels = _flags(stored), _labels(stored, dimension)
    rows = [
        RaterRow(
            rater=str(rater),
            n_ratings=len(own),
            mean=mean_over_items(
                own["value"].tolist(),
                scale,
                cluster=stored.item_design.draws(own["item"].tolist()),
            ),
            severity=severity.get(str(rater), Estimate(math.nan)),
            counts=at_levels(own["value"].tolist(), scale),
            accuracy=None if labels is None else _accuracy(own, labels),
            flags=flags.get(str(rater), ()),
        )
        for rater, own in given.groupby("rater")
    ]
    return Raters(
        rows=tuple(rows),
        dimension=dimension,
        mean=float(given["value"].mean()) if scale.ordered else math.nan,
        tolerance=tolerance_of(scale),
        tested=stored.bias is not None,
        bias=bias_rows(() if stored.bias is None else stored.bias.findings),
    )


def _flags(stored: Stored) -> dict[str, tuple[str, ...]]:
    names = stored.campaign.rubric.titles(language())
    tests = stored.bias or BiasTests()
    stretched = are_stretched(stored.campaign.rubric.scales)
    biased = rater_flags(tests.findings, tests.gains, names=names, stretched=stretched)
    rushed = pace_flags(stored.rushed, seconds=stored.campaign.rounds.page.hasty_seconds)
    return {r: biased.get(r, ()) + rushed.get(r, ()) for r in {**biased, **rushed}}


def _labels(stored: Stored, dimension: str) -> dict[str, float | None] | None:
    """Label of each item, as raters' values are; a continuous scale has none."""
    scale = stored.campaign.rubric.scales[dimension]
    if scale.kind == "interval":
        return None
    codes = dict(zip(scale.categories, scale.numbers, strict=True))
    return {
        truth.item: codes.get(truth.label)
        for truth in stored.truths
        if truth.dimension == dimension
    }


def _accuracy(own: pd.DataFrame, labels: Mapping[str, float | None]) -> float:
    """Share of a rater's ratings that equal the label."""
    return float((own["value"] == own["item"].map(labels)).mean())


def raters_of_table(
    finding: RatingsFinding,
    tables: Mapping[str, RatingTable],
    *,
    dimension: str,
    names: Mapping[str, str],
) -> Raters:
    """Raters on a dimension, in order of name.

    Parameters
    ----------
    tables
        Of every dimension.
    names
        Printed names of the dimensions.
    """
    table = tables[dimension]
    own = next(each for each in finding.dimensions if each.dimension == dimension)
    stretched = are_stretched({name: each.scale for name, each in tables.items()})
    flags = rater_flags(finding.bias.findings, finding.bias.gains, names=names, stretched=stretched)
    return Raters(
        rows=tuple(
            RaterRow(
                rater=profile.rater,
                n_ratings=profile.count,
                mean=_own_mean(table, profile.rater),
                severity=profile.severity,
                counts=profile.counts,
                flags=flags.get(profile.rater, ()),
            )
            for profile in sorted(own.profiles, key=lambda profile: profile.rater)
        ),
        dimension=dimension,
        mean=float(np.mean(table.values)) if table.scale.ordered else math.nan,
        tolerance=tolerance_of(table.scale),
        tested=bool(finding.bias.findings),
        bias=bias_rows(finding.bias.findings),
        order_refused=finding.order_refused,
    )


def _own_mean(table: RatingTable, rater: str) -> Estimate:
    """Mean of the ratings of one rater of a table."""
    mine = table.rater == list(map(str, table.raters)).index(rater)
    pages = None if table.cluster is None else table.cluster[table.item[mine]].tolist()
    own = table.values[mine].tolist()  # noqa: PD011  # no frame
    return mean_over_items(own, table.scale, cluster=pages)


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
    """Whether the table has a column of what to look at."""
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
    n = sum(has_interval(row.severity) for row in raters.rows)
    return [row for row in raters.rows if is_outside(row.severity, raters.tolerance, of=n)]


def has_severity(raters: Raters) -> bool:
    """Whether the severity of anybody is known, so that there is a chart to draw."""
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
