"""Summary for decision makers: the findings, the weightiest first."""

from collections.abc import Sequence

from ocrjury.gate.verdict import VERDICT_WORDS
from ocrjury.grades import WORDS
from ocrjury.language import phrase, said, tr, trn
from ocrjury.pages.numbers import (
    has_interval,
    listing,
    paragraph,
    percent,
    plural,
    series,
    signed,
    value_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import (
    Section,
    cover,
    gate,
    key_numbers,
    key_points,
    raters,
    request,
    round_chart,
    rounds,
    routing,
    scores,
    sources,
    steps,
    trend,
)
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.counts import Counts, apart_text
from ocrjury.report.sections.field_kinds import critical_share, kind_shares
from ocrjury.report.sections.key_points import KeyPoint
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.sections.scores import Scores
from ocrjury.statistics import statistic

_ALPHA = "krippendorff_alpha"
MOST = 5
"""Findings that a reader keeps in mind."""


def lead(report: ReportData) -> str:
    """Items, raters and dimensions in a sentence."""
    counts = report.get(Counts)
    n = report.items.n_rated if counts is None else counts.rated
    n_raters = len(report[Raters].rows)
    simulated = report.identity.simulated
    sentence = trn(
        "{n} item was rated by {raters} on {dimensions}.",
        "{n} items were rated by {raters} on {dimensions}.",
        n,
        raters=plural(n_raters, "simulated rater") if simulated else plural(n_raters, "rater"),
        dimensions=listing([row.name for row in report.dimensions]),
    )
    apart = None if counts is None else apart_text(counts)
    return paragraph([sentence, apart or ""])


def findings(report: ReportData) -> list[KeyPoint]:
    """At most `MOST` findings, the weightiest first."""
    makers = (
        _agreement,
        key_points.of_systems,
        _score,
        _critical,
        _routing,
        _change,
        key_points.of_shares,
        key_points.of_types,
        key_points.of_groups,
        key_points.of_empty,
        key_points.of_unread,
        _raters,
        _metrics,
        _rounds,
    )
    findings_ = [finding for make in makers if (finding := make(report)) is not None]
    return sorted(findings_, key=lambda finding: -finding.weight)[:MOST]


def _agreement(report: ReportData) -> KeyPoint | None:
    values = [
        f"{report.name(row.dimension)} {value_text(row.get(_ALPHA))}"
        for row in report[Agreement].dimensions
    ]
    if not values:
        return None
    decision, grade = VERDICT_WORDS[report.verdict.decision], report.verdict.grade
    title = tr("Agreement: {decision}.", decision=decision)
    if grade:
        title = tr("Agreement: {decision} ({grade}).", decision=decision, grade=WORDS[grade])
    return KeyPoint(
        title,
        paragraph([gate.agreement_text(report), _of_dimensions(values)]),
        weight=0.5 if report.verdict.decision == "PASS" else 2,
    )


def _of_dimensions(values: Sequence[str]) -> str:
    """Alpha of every dimension."""
    label = said(statistic(_ALPHA).short_label)
    return tr("{statistic}: {values}.", statistic=label, values=series(values))


def _sentence(text: str) -> str:
    """A title, or a list, as a sentence."""
    return tr("{text}.", text=text)


def _score(report: ReportData) -> KeyPoint | None:
    if report.shown_headline is None or not report.shown_headline.others.defined:
        return None
    label, interval = cover.ranges(report.shown_headline)[0]
    return KeyPoint(
        key_numbers.headline_title(report, report.shown_headline),
        paragraph(
            [
                tr("{label}: {value}.", label=label, value=interval),
                sources.moved_text(report) or "",
            ]
        ),
        weight=1,
    )


def _critical(report: ReportData) -> KeyPoint | None:
    errors = report.field_errors
    worst = steps.most_errors(report)
    if errors is None or not worst:
        return None
    basis = (
        tr("Every field was compared.")
        if errors.exact
        else tr("Estimated from the fields that have a reference.")
    )
    return KeyPoint(
        critical_share(report.get(Counts), errors, worst),
        paragraph([_sentence(kind_shares(errors)), basis]),
        weight=errors.share.value,
    )


def _routing(report: ReportData) -> KeyPoint | None:
    shown = routing.shown(report)
    if shown is None:
        return None
    return KeyPoint(
        _sentence(routing.title(report, shown)), routing.text(report, shown), weight=0.6
    )


def _change(report: ReportData) -> KeyPoint | None:
    if report.trend is None or report.shown_headline is None:
        return None
    if not report.trend.newest.change.defined:
        return None
    change = report.trend.newest.change
    clear = has_interval(change) and not change.low <= 0 <= change.high
    return KeyPoint(
        trend.change_text(report, report.trend),
        trn(
            "{n} item rated in both evaluations.",
            "{n} items rated in both evaluations.",
            report.trend.newest.both,
        ),
        weight=0.9 if clear else 0.1,
    )


def _raters(report: ReportData) -> KeyPoint | None:
    rows = raters.outside(report[Raters])
    if not rows:
        return None
    parts = [f"{row.rater} {signed(row.severity.value)}" for row in rows]
    return KeyPoint(
        _sentence(raters.severity_title(report[Raters])),
        tr(
            "Difference from colleagues on the same items, on {dimension}, in points: "
            "{differences}.",
            dimension=report.name(report[Raters].dimension),
            differences=series(parts),
        ),
        weight=sum(row.n_ratings for row in rows)
        / max(sum(row.n_ratings for row in report[Raters].rows), 1),
    )


def _metrics(report: ReportData) -> KeyPoint | None:
    measured = report.get(Scores)
    if measured is None or not measured.rho.defined:
        return None
    measured_on = trn("Measured on {n} item.", "Measured on {n} items.", len(measured.points))
    return KeyPoint(
        _sentence(scores.scatter_title(measured)),
        paragraph([measured_on, _pool_cer(report)]),
        weight=0.05,
    )


def _pool_cer(report: ReportData) -> str:
    cer, documents = cover.pool_cer(report), cover.with_reference(report)
    if cer is None:
        return ""
    if documents is None:
        return tr("The character error rate of the pool is {value}.", value=percent(cer.micro))
    return tr(
        "The character error rate of the pool’s {documents} with a reference is {value}.",
        documents=documents,
        value=percent(cer.micro),
    )


def _rounds(report: ReportData) -> KeyPoint | None:
    held = report.get(Rounds)
    if held is None or len(rounds.measured(held)) < 2:
        return None
    uncertain = rounds.measured(held)[-1].uncertain or 0
    return KeyPoint(_sentence(round_chart.title(held)), round_chart.text(held), uncertain / 2)


SECTION = Section(
    "summary",
    phrase("Summary"),
    "report/summary.html.j2",
    lambda _: True,
    {"request": request.request_of, "routing": lambda stored: stored.routing},
)
