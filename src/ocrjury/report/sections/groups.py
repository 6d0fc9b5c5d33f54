"""Sentences about empty outputs, and about groups of documents such as those of poor scans."""

from ocrjury.findings.pool_metrics import GroupMean, GroupMeans, GroupRow, PoolGroups, PoolMetrics
from ocrjury.pages.numbers import count, decimal, has_interval, percent, plural
from ocrjury.report.data import ReportData

TYPES, KINDS = "doc_type", "kind"
_ALIKE = 0.05


def means(report: ReportData) -> GroupMeans | None:
    """Means by group, None where the gate shows no estimates."""
    found = report.get(GroupMeans)
    return found if found is not None and report.verdict.shows(found.dimension) else None


def mean_of(report: ReportData | None, groups: PoolGroups, row: GroupRow) -> GroupMean | None:
    """Mean rating of a group, None where nothing is printed or nothing was drawn."""
    if report is None:
        return None
    if groups.column == TYPES:
        if report.shown_headline is None:
            return None
        types = {of.doc_type: of for of in report.types}
        of = types.get(row.name)
        return None if of is None else GroupMean(row.name, of.n, of.estimate, of.few)
    found = means(report)
    rows = () if found is None else found.by_column.get(groups.column, ())
    return next((of for of in rows if of.name == row.name), None)


def name(row: GroupRow) -> str:
    """Printed name of a group."""
    return "(none)" if row.name is None else row.name


def column_name(groups: PoolGroups) -> str:
    """Printed name of a column."""
    words = groups.column.replace("_", " ")
    return f"{words}, in quarters" if groups.quarters else words


def hold_fields(report: ReportData, metrics: PoolMetrics | None) -> bool:
    """Whether the table of groups has what a table of fields by kind would have."""
    errors = report.field_errors
    return (
        metrics is not None
        and metrics.known
        and (errors is None or errors.exact)
        and any(of.column == KINDS for of in metrics.groups)
    )


def judged(metrics: PoolMetrics) -> bool:
    """Whether a field rule judges some documents."""
    return any(row.judged for of in metrics.groups for row in of.rows)


def empty_title(metrics: PoolMetrics) -> str:
    """Finding about empty outputs."""
    if not metrics.n_empty:
        return "No output is empty"
    share = percent(metrics.n_empty / metrics.n)
    whole = f"{share} of the outputs are empty: {count(metrics.n_empty)} of {count(metrics.n)}"
    types = next((of for of in metrics.groups if of.column == TYPES), None)
    if types is None:
        return whole
    worst = max(types.rows, key=lambda row: row.empty / row.n)
    return f"{whole}; most often {name(worst)}, {percent(worst.empty / worst.n)}"


def groups_title(report: ReportData | None, metrics: PoolMetrics) -> str:
    """Finding of the table of groups: the column that separates ratings or exact outputs most."""
    apart = [found for of in metrics.groups if (found := _apart(report, of)) is not None]
    if apart:
        _, column, low, high = max(apart, key=lambda found: found[0])
        return (
            f"By {column_name(column)}, the rating falls from "
            f"{decimal(high.estimate.value)} ({high.name or 'none'}) to "
            f"{decimal(low.estimate.value)} ({low.name or 'none'})"
        )
    widest = max(metrics.groups, key=_spread, default=None)
    if widest is None or _spread(widest) < _ALIKE:
        return "Groups of documents are read about equally well"
    rows = sorted(_known(widest), key=lambda row: row.exact)
    return (
        f"By {column_name(widest)}, {percent(rows[0].exact, 0)} ({name(rows[0])}) to "
        f"{percent(rows[-1].exact, 0)} ({name(rows[-1])}) are read exactly"
    )


def _apart(
    report: ReportData | None, groups: PoolGroups
) -> tuple[float, PoolGroups, GroupMean, GroupMean] | None:
    """Distance between the lowest and highest mean of a column whose ranges do not meet."""
    rows = [
        mean
        for row in groups.rows
        if (mean := mean_of(report, groups, row)) is not None
        and has_interval(mean.estimate)
        and not mean.few
    ]
    if len(rows) < 2:
        return None
    low, *_, high = sorted(rows, key=lambda row: row.estimate.value)
    if low.estimate.high >= high.estimate.low:
        return None
    return high.estimate.value - low.estimate.value, groups, low, high


def _known(groups: PoolGroups) -> list[GroupRow]:
    return [row for row in groups.rows if row.exact == row.exact]


def _spread(groups: PoolGroups) -> float:
    """Distance between the lowest and the highest exact share."""
    shares = [row.exact for row in _known(groups)]
    return max(shares) - min(shares) if shares else 0.0


def groups_text(report: ReportData | None, metrics: PoolMetrics) -> str:
    """What the columns of the table are."""
    known = (
        "Counts, CER and shares are those of the whole pool, without sampling error."
        if metrics.known
        else f"CER and exact share: {plural(metrics.n_reference, 'document')} with a reference."
    )
    if report is None:
        return known
    headline = report.shown_headline
    if headline is None:
        return f"{known} Ratings are not printed, because agreement was not shown."
    return (
        f"{known} Mean rating on {report.name(headline.dimension)}: estimated from the rated "
        "sample with its weights; the 95% ranges of a column hold at once."
    )
