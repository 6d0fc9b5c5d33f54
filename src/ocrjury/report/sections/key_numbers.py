"""The three numbers of the cover: mean, share that can be used, critical errors."""

from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.findings.field_errors import FieldErrors
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.language import tr
from ocrjury.pages.numbers import has_interval, interval_text, listing, percent, value_text
from ocrjury.report.data import Headline, ReportData
from ocrjury.report.outcome import goal_text
from ocrjury.report.sections import cover
from ocrjury.report.sections.certainty import beside_gold
from ocrjury.report.sections.counts import Counts, documents_text, fields_text
from ocrjury.report.sections.field_kinds import kind_names
from ocrjury.rounding import given


class KeyNumber(NamedTuple):
    """A number in large type, what it is a share of, and how sure it is."""

    value: str
    text: str
    sure: str


def headline_title(report: ReportData, headline: Headline) -> str:
    """Headline with its value and, where there is one, what became of the target."""
    label = cover.caption(report, headline)
    value = value_text(headline.others, share=headline.is_share)
    if report.outcome is None:
        return tr("{label}: {value}.", label=label, value=value)
    known = {"label": label, "value": value, "goal": goal_text(report.outcome.target)}
    return {
        "MET": tr("{label}: {value}; the target of {goal} is met.", **known),
        "NOT MET": tr("{label}: {value}; the target of {goal} is not met.", **known),
        "NOT SHOWN": tr("{label}: {value}; the target of {goal} is not shown to be met.", **known),
    }[report.outcome.word]


def beside_the_mean(report: ReportData) -> list[KeyNumber]:
    """Share that can be used, and share with a critical error, where they are known."""
    numbers = [_usable(report), _critical(report)]
    return [number for number in numbers if number is not None]


def usable_on(report: ReportData) -> PoolEstimates | None:
    """Estimates whose usable share is printed beside the headline, None without one."""
    headline = report.shown_headline
    if headline is None or headline.is_share:
        return None
    known = (row for row in report.estimates if row.dimension == headline.dimension)
    row = next(known, None)
    return row if row and row.usable is not None and row.usable.defined else None


def _usable(report: ReportData) -> KeyNumber | None:
    row = usable_on(report)
    if row is None or row.usable is None:
        return None
    return KeyNumber(
        percent(row.usable.value, 0),
        tr(
            "of {pool} can be used: rated {level} or better on {dimension}",
            pool=_everything(report),
            level=given(row.usable_level),
            dimension=report.name(row.dimension),
        ),
        beside_gold(_range_text(row.usable, few="usable" in row.few), row, "usable"),
    )


def _critical(report: ReportData) -> KeyNumber | None:
    errors = report.field_errors
    if errors is None or not errors.share.defined:
        return None
    share = value_text(errors.share, share=True)
    return KeyNumber(
        share if errors.exact else percent(errors.share.value, 0),
        _of_fields(report, errors),
        tr("exact: every field was compared")
        if errors.exact
        else _range_text(errors.share, few=errors.few),
    )


def _of_fields(report: ReportData, errors: FieldErrors) -> str:
    """Fields of which the share has a critical error."""
    kinds = listing(kind_names(errors), "or")
    fields = fields_text(report.get(Counts), sum(row.pool for row in errors.by_kind))
    if kinds[:1] in "aeiou":
        return tr(
            "of the {fields} that hold an {kinds} have a critical error", fields=fields, kinds=kinds
        )
    return tr(
        "of the {fields} that hold a {kinds} have a critical error", fields=fields, kinds=kinds
    )


def _range_text(share: Estimate, *, few: bool) -> str:
    interval = interval_text(share, share=True)
    if not has_interval(share):
        return interval
    if few:
        return tr("95% range {range}; few cases, a rough guide", range=interval)
    return tr("95% range {range}", range=interval)


def _everything(report: ReportData) -> str:
    counts = report.get(Counts)
    if counts is None:
        return tr("the pool")
    return tr("the {documents}", documents=documents_text(counts, counts.documents))
