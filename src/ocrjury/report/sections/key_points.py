"""Sentences to remember of a report on its parts: systems, types, groups and empty outputs."""

from typing import NamedTuple

from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.language import tr
from ocrjury.pages.numbers import clauses, count, estimate_text, percent, plural
from ocrjury.pages.unread_words import share_text, unread_share, unread_text
from ocrjury.report.data import ReportData
from ocrjury.report.sections import (
    choice,
    document_types,
    rating_chart,
    ratings,
    steps,
    systems,
)
from ocrjury.report.sections.counts import Counts, documents_text


class KeyPoint(NamedTuple):
    """A sentence to remember, and what it rests on.

    ``weight`` is the share of what was evaluated that it is about: of the pool's documents, of
    the ratings, or of the labels. The answer to the question of the report weighs 1, what keeps it
    from being an answer more, which of several systems is better a little more, what the campaign
    asks beside it somewhat less, and how the metrics go with the ratings, which is about no share,
    next to nothing.
    """

    title: str
    text: str
    weight: float


def of_systems(report: ReportData) -> KeyPoint | None:
    """Key point on the better of several OCR systems, None where they are not compared."""
    row = systems.on_headline(report)
    if row is None or not row.differences:
        return None
    title = tr("{text}.", text=choice.title(report, row))
    return KeyPoint(title, choice.text(row), weight=1.1)


def of_shares(report: ReportData) -> KeyPoint | None:
    """Shares of categories without an order, of which there is no mean."""
    rows = [
        row
        for row in ratings.counts(report)
        if row.n and not report.labels(row.dimension).ordered
        if report.verdict.shows(row.dimension)
    ]
    if not rows:
        return None
    shares = [
        tr(
            "{label}: {text}",
            label=report.name(row.dimension),
            text=rating_chart.shares_text(report, row),
        )
        for row in rows
    ]
    return KeyPoint(
        tr("{text}.", text=rating_chart.title(report, rows)),
        tr("{text}.", text=clauses(shares)),
        weight=1,
    )


def of_types(report: ReportData) -> KeyPoint | None:
    """Document types, and the one that is rated lowest."""
    known = [row for row in report.types if row.estimate.defined]
    if len(known) < 2 or report.shown_headline is None:
        return None
    pair = document_types.clear_pair(known)
    worst = min(known, key=lambda row: row.estimate.value) if pair is None else pair[0]
    return KeyPoint(
        tr("{text}.", text=document_types.title(report.types)),
        tr(
            "{type}: {mean} on {items}.",
            type=worst.name,
            mean=estimate_text(worst.estimate),
            items=plural(worst.n, "item"),
        ),
        weight=worst.pool / max(sum(row.pool for row in report.types), 1),
    )


def of_groups(report: ReportData) -> KeyPoint | None:
    """Group by one of the pool's own columns, such as scan quality, that is clearly worse."""
    metrics, weak = report.get(PoolMetrics), steps.weak_groups(report)
    if metrics is None or not weak:
        return None
    column, group, mean = weak[0]
    return KeyPoint(
        tr(
            "Where {column} is {value}, the mean is clearly below that of all.",
            column=column,
            value=group.name,
        ),
        tr(
            "{mean}; {n} of {documents} were rated.",
            mean=estimate_text(mean.estimate),
            n=count(mean.n),
            documents=documents_text(report.get(Counts), group.n),
        ),
        weight=group.n / metrics.n,
    )


def of_unread(report: ReportData) -> KeyPoint | None:
    """Part of the pool that could not be read, and that every number leaves out."""
    counts = report.get(Counts)
    if counts is None or not counts.unread:
        return None
    return KeyPoint(
        share_text(counts.unread, counts.documents),
        unread_text(counts.unread),
        weight=unread_share(counts.unread, counts.documents),
    )


def of_empty(report: ReportData) -> KeyPoint | None:
    """Outputs without a character."""
    metrics = report.get(PoolMetrics)
    if metrics is None or not metrics.n_empty:
        return None
    share = metrics.n_empty / metrics.n
    return KeyPoint(
        tr("{share} of the outputs are empty.", share=percent(share)),
        tr(
            "{n} of {documents}; nobody can use them.",
            n=count(metrics.n_empty),
            documents=documents_text(report.get(Counts), metrics.n),
        ),
        weight=share,
    )
