"""The three numbers of the cover: mean, share that can be used, critical errors."""

from typing import NamedTuple

from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.pages.numbers import count, interval_text, listing, percent, plural, value_text
from ocrjury.report.data import ReportData
from ocrjury.report.sections.counts import Counts


class KeyNumber(NamedTuple):
    """A number in large type, what it is a share of, and how sure it is."""

    value: str
    text: str
    sure: str


def beside_the_mean(report: ReportData) -> list[KeyNumber]:
    """Share that can be used, and share with a critical error, where they are known."""
    found = [_usable(report), _critical(report)]
    return [number for number in found if number is not None]


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
    few = "; few cases, a rough guide" if "usable" in row.few else ""
    return KeyNumber(
        percent(row.usable.value, 0),
        f"of {_everything(report)} can be used: rated {row.usable_level:g} or better on "
        f"{report.name(row.dimension)}",
        f"95% range {interval_text(row.usable, share=True)}{few}",
    )


def _critical(report: ReportData) -> KeyNumber | None:
    errors = report.field_errors
    if errors is None or not errors.share.defined:
        return None
    kinds = listing([row.kind for row in errors.by_kind], "or")
    fields = plural(sum(row.pool for row in errors.by_kind), "field")
    few = "; few cases, a rough guide" if errors.few else ""
    return KeyNumber(
        value_text(errors.share, share=True) if errors.exact else percent(errors.share.value, 0),
        f"of the {fields} that hold {_article(kinds)} {kinds} have a critical error",
        "exact: every field was compared"
        if errors.exact
        else f"95% range {interval_text(errors.share, share=True)}{few}",
    )


def _everything(report: ReportData) -> str:
    counts = report.get(Counts)
    return "the pool" if counts is None else f"the {count(counts.documents)} {counts.noun}s"


def _article(words: str) -> str:
    return "an" if words[:1] in "aeiou" else "a"
