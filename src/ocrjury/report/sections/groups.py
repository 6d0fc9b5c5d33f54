"""Sentences about empty outputs, and about groups of documents such as those of poor scans."""

from collections.abc import Callable, Sequence

from ocrjury.estimate import reason_words
from ocrjury.findings.pool_metrics import GroupMean, GroupMeans, GroupRow, PoolGroups, PoolMetrics
from ocrjury.language import phrase, said, tr, trn
from ocrjury.pages.numbers import count, decimal, has_interval, listing, paragraph, percent
from ocrjury.report.data import ReportData
from ocrjury.report.sections.document_types import few_sentence
from ocrjury.report.sections.field_kinds import kind_name
from ocrjury.report.sections.sources import means_note
from ocrjury.report.ties import Row, foremost, whole_percent

TYPES, KINDS = "doc_type", "kind"
_ALIKE = 0.05
_COLUMNS = {
    TYPES: phrase("document type"),
    KINDS: phrase("kind"),
    "field": phrase("field"),
    "language": phrase("language"),
}
"""Printed names of columns that pools of every origin have."""


def means(report: ReportData) -> GroupMeans | None:
    """Means by group, None where the gate shows no estimates."""
    groups = report.get(GroupMeans)
    return groups if groups is not None and report.verdict.shows(groups.dimension) else None


def mean_of(report: ReportData | None, groups: PoolGroups, row: GroupRow) -> GroupMean | None:
    """Mean rating of a group, None where nothing is printed or nothing was drawn."""
    if report is None:
        return None
    if groups.column == TYPES:
        if report.shown_headline is None:
            return None
        types = {of.doc_type: of for of in report.types}
        of = types.get(row.name)
        return None if of is None else GroupMean(row.name, of.n, of.estimate, of.few, of.apart)
    metrics = means(report)
    rows = () if metrics is None else metrics.by_column.get(groups.column, ())
    return next((of for of in rows if of.name == row.name), None)


def name(groups: PoolGroups, row: GroupRow) -> str:
    """Printed name of a group."""
    return tr("(none)") if row.name is None else _value(groups, row.name)


def _value(groups: PoolGroups, value: str) -> str:
    """Printed value of a column."""
    return kind_name(value) if groups.column == KINDS else str(said(value))


def column_name(groups: PoolGroups) -> str:
    """Printed name of a column."""
    words = _COLUMNS.get(groups.column, groups.column.replace("_", " "))
    return tr("{column}, in quarters", column=words) if groups.quarters else str(said(words))


def hold_fields(report: ReportData, metrics: PoolMetrics) -> bool:
    """Return whether the table of groups has what a table of fields by kind would have."""
    errors = report.field_errors
    return (
        metrics.known
        and (errors is None or errors.exact)
        and any(of.column == KINDS for of in metrics.groups)
    )


def judged(metrics: PoolMetrics) -> bool:
    """Return whether a field rule judges some documents."""
    return any(row.judged for of in metrics.groups for row in of.rows)


def referenced(metrics: PoolMetrics) -> bool:
    """Return whether the quality of some group's reading is known."""
    return any(map(_known, metrics.groups))


def rated(report: ReportData | None, metrics: PoolMetrics) -> bool:
    """Return whether some group has a mean rating that is printed."""
    return any(mean_of(report, of, row) for of in metrics.groups for row in of.rows)


def ranged(report: ReportData | None, metrics: PoolMetrics) -> bool:
    """Return whether some group's mean has an interval."""
    means = (mean_of(report, of, row) for of in metrics.groups for row in of.rows)
    return any(mean is not None and has_interval(mean.estimate) for mean in means)


def empty_title(metrics: PoolMetrics) -> str:
    """Finding about empty outputs."""
    if not metrics.n_empty:
        return tr("No output is empty")
    whole = tr(
        "{share} of the outputs are empty: {empty} of {n}",
        share=percent(metrics.n_empty / metrics.n),
        empty=count(metrics.n_empty),
        n=count(metrics.n),
    )
    types = next((of for of in metrics.groups if of.column == TYPES), None)
    if types is None:
        return whole
    worst = foremost(types.rows, lambda row: row.empty / row.n, percent)
    if len(worst) == len(types.rows):
        return whole
    return tr(
        "{finding}; most often {type}, {share}",
        finding=whole,
        type=listing([name(types, row) for row in worst]),
        share=percent(worst[0].empty / worst[0].n),
    )


def groups_title(report: ReportData | None, metrics: PoolMetrics) -> str:
    """Finding of the table of groups: the column that separates ratings or exact outputs most."""
    apart = [text for of in metrics.groups if (text := _apart(report, of)) is not None]
    if apart:
        _, column, means = max(apart, key=lambda text: text[0])
        low, high = _ends(means, lambda mean: mean.estimate.value, decimal)
        return tr(
            "By {column}, {worst} ({low}) is rated clearly below {best} ({high})",
            column=column_name(column),
            high=decimal(high[0].estimate.value),
            best=listing([_value(column, mean.name or phrase("none")) for mean in high]),
            low=decimal(low[0].estimate.value),
            worst=listing([_value(column, mean.name or phrase("none")) for mean in low]),
        )
    if not referenced(metrics):
        return tr("Groups of documents: nothing tells how well they are read")
    widest = max(metrics.groups, key=_spread, default=None)
    if widest is None or _spread(widest) < _ALIKE:
        return tr("Groups of documents are read about equally well")
    least, most = _ends(_known(widest), lambda row: row.exact, whole_percent)
    return tr(
        "By {column}, {low} ({worst}) to {high} ({best}) are read exactly",
        column=column_name(widest),
        low=whole_percent(least[0].exact),
        worst=listing([_value(widest, row.name or phrase("none")) for row in least]),
        high=whole_percent(most[0].exact),
        best=listing([_value(widest, row.name or phrase("none")) for row in most]),
    )


def _ends(
    rows: Sequence[Row], value: Callable[[Row], float], printed: Callable[[float], str]
) -> tuple[list[Row], list[Row]]:
    """Rows with the least and with the greatest number as it is printed."""
    return foremost(rows, value, printed, of=min), foremost(rows, value, printed)


def _apart(
    report: ReportData | None, groups: PoolGroups
) -> tuple[float, PoolGroups, list[GroupMean]] | None:
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
    return high.estimate.value - low.estimate.value, groups, rows


def _known(groups: PoolGroups) -> list[GroupRow]:
    return [row for row in groups.rows if row.exact == row.exact]


def _spread(groups: PoolGroups) -> float:
    """Distance between the lowest and the highest exact share."""
    shares = [row.exact for row in _known(groups)]
    return max(shares) - min(shares) if shares else 0.0


def groups_text(report: ReportData | None, metrics: PoolMetrics) -> str:
    """Legend of the columns of the table."""
    if report is None:
        return _errors_text(metrics)
    return paragraph(
        [
            _errors_text(metrics),
            _ratings_text(report),
            _few_text(report, metrics),
            _ranges_text(report, metrics),
        ]
    )


def _few_text(report: ReportData, metrics: PoolMetrics) -> str:
    """Meaning of the mark of a mean that rests on few items; empty where none bears it."""
    means = (mean_of(report, of, row) for of in metrics.groups for row in of.rows)
    return few_sentence([mean for mean in means if mean is not None])


def _ranges_text(report: ReportData, metrics: PoolMetrics) -> str:
    """Reason why no mean has a range, where none has and all for the same reason."""
    means = [mean_of(report, of, row) for of in metrics.groups for row in of.rows]
    reasons = {mean.estimate.reason for mean in means if mean is not None and mean.estimate.defined}
    if ranged(report, metrics) or len(reasons) != 1 or not (reason := reasons.pop()):
        return ""
    return tr("No mean has a range: {reason}.", reason=reason_words(reason))


def _errors_text(metrics: PoolMetrics) -> str:
    """Source of the columns of errors; that there are none stands above the table."""
    if metrics.known:
        source = tr("Counts, CER and shares are those of the whole pool, without sampling error.")
    elif metrics.n_reference:
        source = trn(
            "CER and exact share: {n} output with a reference.",
            "CER and exact share: {n} outputs with a reference.",
            metrics.n_reference,
        )
    else:
        return ""
    return paragraph([source, _critical_text(metrics)])


def _critical_text(metrics: PoolMetrics) -> str:
    """Fields of which a column tells the share with a critical error; empty without the column."""
    kinds = [
        kind_name(str(row.name))
        for of in metrics.groups
        if of.column == KINDS
        for row in of.rows
        if row.judged
    ]
    if not kinds:
        return ""
    return tr(
        "Critical: of the group’s fields of kind {kinds}.", kinds=listing(sorted(kinds), "or")
    )


def _ratings_text(report: ReportData) -> str:
    """Source of the column of ratings."""
    headline = report.shown_headline
    if headline is None and not report.scale.ordered:
        return tr("The categories have no order, so ratings have no mean.")
    if headline is None:
        return tr("Ratings are not printed, because agreement was not shown.")
    means = tr(
        "Mean rating on {dimension}: estimated from the rated sample with its weights; the 95% "
        "ranges of a column hold at once.",
        dimension=report.name(headline.dimension),
    )
    return paragraph([means, means_note(report)])
