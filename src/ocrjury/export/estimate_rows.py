"""Rows of what is estimated about the pool, without what the gate withholds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ocrjury.estimate import Estimate
from ocrjury.export.cells import Row, estimate_cells
from ocrjury.export.tables import HUNDREDTHS
from ocrjury.findings.dimensions import Composite
from ocrjury.findings.field_errors import FieldErrors
from ocrjury.findings.judges import JudgeBiases
from ocrjury.findings.pool_estimates import PoolEstimates, TargetShare, TypeEstimate
from ocrjury.findings.pool_metrics import GroupMeans
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.findings.systems import Preferences, SystemMean, Systems
from ocrjury.findings.trend import Trend, TrendRow
from ocrjury.report.data import GateVerdict
from ocrjury.report.sections.joint_dimensions import untrusted_keys
from ocrjury.report.stored_evaluation import Stored

_QUARTILES = ("lower_quartile", "median", "upper_quartile")


def estimate_rows(stored: Stored, verdict: GateVerdict) -> Iterator[Row]:
    """Every estimate that the report may print."""
    for dimension in filter(verdict.shows, stored.dimension_names):
        yield from _on_dimension(stored, dimension)
    gold = any(row.gold is not None for row in stored.estimates.values())
    for row in stored.composites.rows:
        if verdict.trusted and not untrusted_keys(row, verdict):
            yield from _of_score(row, gold=gold)
    if stored.preferences is not None and verdict.trusted:
        yield from _of_preferences(stored.preferences)
    if stored.field_errors is not None:
        yield from _of_fields(stored.field_errors)


def _on_dimension(stored: Stored, dimension: str) -> Iterator[Row]:
    target = stored.campaign.report.target
    level = None if target is None else target.share_at_least
    lowest = stored.campaign.rubric.scales[dimension].low
    if dimension in stored.estimates:
        headline = dimension == stored.target_dimension
        estimates = stored.estimates[dimension]
        yield from _of_pool(estimates, lowest=lowest, level=level, headline=headline)
    if dimension in stored.group_means:
        yield from _of_columns(stored.group_means[dimension])
    if dimension in stored.systems:
        yield from _of_systems(stored.systems[dimension], level=level)
    if dimension in stored.trends:
        yield from _of_trend(stored.trends[dimension])
    if dimension in stored.judge_biases:
        yield from _of_judges(stored.judge_biases[dimension])


def _of_pool(
    row: PoolEstimates, *, lowest: float, level: float | None, headline: bool
) -> Iterator[Row]:
    is_mean = headline and row.target_share is None
    dimension = row.dimension
    yield _row(dimension, "mean", row.others, basis="others", headline=is_mean)
    ways = {"these": row.these, "hajek": row.hajek, "naive": row.naive, "inferred": row.inferred}
    for basis, estimate in _known(ways.items()):
        yield _row(dimension, "mean", estimate, basis=basis)
    if row.gold is not None:
        yield _row(dimension, "mean", row.gold.uncorrected, basis="uncorrected")
    if row.target_share is not None:
        yield from _of_target(row, row.target_share, level=level, headline=headline)
    gold = row.gold
    about_usable = {"level": row.usable_level, "few": "usable" in row.few}
    about_lowest = {"level": lowest, "few": "unusable" in row.few}
    shares = (
        ("usable_share", row.usable, gold.usable if gold else None, about_usable),
        ("lowest_share", row.unusable, gold.unusable if gold else None, about_lowest),
    )
    for statistic, share, plain, about in shares:
        for basis, estimate in _known([("others", share), ("uncorrected", plain)]):
            yield _share(dimension, statistic, estimate, basis=basis, **about)
    for statistic, quartile in zip(_QUARTILES, row.quartiles, strict=False):
        yield _row(dimension, statistic, quartile, basis="these")
    for of_type in row.types:
        yield _of_type(dimension, of_type, "doc_type", name=of_type.doc_type)
        part = {"group": "doc_type", "name": of_type.doc_type, "population": of_type.pool}
        yield from _apart(dimension, of_type.apart, **part)


def _apart(dimension: str, estimate: Estimate, **about: object) -> Iterator[Row]:
    """Row of the contrast of a part with the pool; none where it was not measured."""
    if estimate.defined or estimate.reason is not None:
        yield _row(dimension, "mean_less_pool", estimate, basis="others", **about)


def _of_target(
    row: PoolEstimates, share: TargetShare, *, level: float | None, headline: bool
) -> Iterator[Row]:
    bases = {
        "others": share.others,
        "these": share.these,
        "hajek": share.hajek,
        "naive": share.naive,
        "uncorrected": share.uncorrected,
    }
    for basis, estimate in _known(bases.items()):
        cover = headline and basis == "others"
        about = {"basis": basis, "level": level, "headline": cover}
        yield _share(row.dimension, "target_share", estimate, **about)


def _of_type(dimension: str, row: TypeEstimate, group: str, **names: str | None) -> Row:
    about = {"group": group, "population": row.pool, "few": row.few}
    return _row(dimension, "mean", row.estimate, basis="others", **about, **names)


def _of_columns(means: GroupMeans) -> Iterator[Row]:
    for column, rows in means.by_column.items():
        for row in rows:
            about = {"group": "column", "name": row.name, "other": column}
            mean = {"few": row.few, **about}
            yield _row(means.dimension, "mean", row.estimate, basis="others", **mean)
            yield from _apart(means.dimension, row.apart, **about)


def _of_systems(row: Systems, *, level: float | None) -> Iterator[Row]:
    for system in row.systems:
        yield from _of_system(row.dimension, system, level=level)
    for pair in row.differences:
        about = {"group": "system_pair", "name": pair.a, "other": pair.b}
        for basis, estimate in (("others", pair.others), ("these", pair.estimate)):
            yield _row(row.dimension, "difference", estimate, basis=basis, **about)


def _of_system(dimension: str, row: SystemMean, *, level: float | None) -> Iterator[Row]:
    about = {
        "group": "system",
        "name": row.system,
        "population": row.pool,
        "basis": "others",
    }
    yield _row(dimension, "mean", row.estimate, **about)
    if row.share is not None:
        yield _share(dimension, "target_share", row.share, level=level, **about)
    for of_type in row.types:
        names = {"name": row.system, "other": of_type.doc_type}
        yield _of_type(dimension, of_type, "system_doc_type", **names)


def _of_trend(trend: Trend) -> Iterator[Row]:
    for row in trend.mean:
        yield from _of_evaluation(trend.dimension, "mean", row, make=_row)
    for row in trend.share:
        yield from _of_evaluation(
            trend.dimension, "target_share", row, make=_share, level=trend.share_at_least
        )


def _of_evaluation(
    dimension: str,
    statistic: str,
    row: TrendRow,
    *,
    make: Callable[..., Row],
    **others: float | None,
) -> Iterator[Row]:
    about = {"group": "evaluation", "name": row.evaluation, "other": row.period, **others}
    yield make(dimension, statistic, row.mean, basis="others", **about)
    yield make(dimension, f"{statistic}_change", row.change, basis="others", **about)


def _of_judges(biases: JudgeBiases) -> Iterator[Row]:
    for judge in biases.judges:
        for row in judge.rows:
            about = {"group": "judge", "name": judge.judge, "other": row.period}
            yield _row(biases.dimension, "judge_bias", row.mean, basis="others", **about)
            yield _row(biases.dimension, "judge_bias_change", row.change, basis="others", **about)


def _of_score(row: Composite, *, gold: bool) -> Iterator[Row]:
    """Score of all dimensions, which gold never corrects, with what its method could not do."""
    about = {
        "group": "score",
        "name": row.method,
        "unit": HUNDREDTHS if row.stretched else "points",
    }
    notes = () if row.note is None else (row.note,)
    for basis, estimate in (
        ("uncorrected" if gold else "others", row.others),
        ("these", row.these),
    ):
        cautioned = replace(estimate, warnings=(*notes, *estimate.warnings))
        yield _row(ALL_DIMENSIONS, "mean", cautioned, basis=basis, **about)


def _of_preferences(preferences: Preferences) -> Iterator[Row]:
    for row in preferences.systems:
        about = {"group": "system", "name": row.system}
        for basis, estimate in (("others", row.others), ("these", row.estimate)):
            yield _share(ALL_DIMENSIONS, "preferred_share", estimate, basis=basis, **about)
    yield _share(ALL_DIMENSIONS, "no_difference_share", preferences.same)


def _of_fields(errors: FieldErrors) -> Iterator[Row]:
    total = sum(row.pool for row in errors.by_kind)
    statistic = "critical_error_share"
    yield _share(ALL_DIMENSIONS, statistic, errors.share, population=total, few=errors.few)
    for row in errors.by_kind:
        about = {"group": "field_kind", "name": row.kind, "population": row.pool, "few": row.few}
        yield _share(ALL_DIMENSIONS, statistic, row.estimate, **about)


def _known(
    estimates: Iterable[tuple[str, Estimate | None]],
) -> Iterator[tuple[str, Estimate]]:
    """Estimates that were made."""
    return ((name, estimate) for name, estimate in estimates if estimate is not None)


def _share(dimension: str, statistic: str, estimate: Estimate, **others: object) -> Row:
    return {**_row(dimension, statistic, estimate, **others), "unit": "share"}


def _row(dimension: str, statistic: str, estimate: Estimate, **others: object) -> Row:
    return {
        "dimension": dimension,
        "statistic": statistic,
        "group": "pool",
        "headline": False,
        "few": estimate.few,
        "unit": "points",
        **others,
        **estimate_cells(estimate),
    }
