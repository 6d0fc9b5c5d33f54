"""An evaluation beside another one."""

from ocrjury.findings.comparison import ComparedDimension, Comparison
from ocrjury.findings.pool_scores import MetricSummary
from ocrjury.language import phrase, said, tr
from ocrjury.metrics import METRICS
from ocrjury.pages.document_text import visible
from ocrjury.pages.numbers import NOTHING, has_interval, paragraph, range_text, signed
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section, trend
from ocrjury.report.sections.metric_table import metric_value


def cover_text(compared: Comparison) -> str:
    """Sentence on the evaluations compared, and on whose outcome the cover prints."""
    return tr(
        "Compared with {earlier}. Outcome and numbers below are those of {later}.",
        earlier=visible(compared.earlier),
        later=visible(compared.later),
    )


def lead(report: ReportData, compared: Comparison) -> str:
    """Change of the headline, or why there is none, and whether the texts may have changed."""
    target = None if report.headline is None else report.headline.dimension
    changed = [row.trend for row in compared.dimensions if row.trend is not None]
    first = next((change for change in changed if change.dimension == target), None)
    if first is None:
        text = tr(
            "No change of the mean is shown: on the dimension of the target one of the two has no "
            "mean that may be printed."
        )
    elif compared.same_outputs:
        text = trend.difference_text(report, first)
    else:
        text = trend.lead(report, first)
    same = tr(
        "Both evaluations rated the same outputs: a difference shows how ratings vary, and no "
        "change in the texts."
    )
    return paragraph([same, text]) if compared.same_outputs else text


def agreement_change(row: ComparedDimension) -> str:
    """Gain of agreement with its range."""
    difference = row.difference
    if not difference.defined:
        return NOTHING
    if not has_interval(difference):
        return signed(difference.value)
    ends = range_text(signed(difference.low), signed(difference.high))
    return tr("{value} ({range})", value=signed(difference.value), range=ends)


def metric_rows(compared: Comparison) -> list[tuple[str, str, str]]:
    """Automatic metrics of both pools: name, before, now."""
    before = {row.metric: row for row in compared.metrics_before}
    return [
        (said(METRICS[row.metric].title), _value(before[row.metric]), _value(row))
        for row in compared.metrics_after
        if row.metric in before
    ]


def _value(row: MetricSummary) -> str:
    """Value over all characters, or the mean of the documents where there is none."""
    pooled = metric_value(row.metric, row.micro)
    return metric_value(row.metric, row.macro) if pooled == NOTHING else pooled


SECTION = Section(
    "comparison",
    phrase("Compared with another evaluation"),
    "report/comparison.html.j2",
    lambda report: report.get(Comparison),
)
