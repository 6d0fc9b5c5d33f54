"""For decision makers: findings, decisions, next steps."""

from typing import NamedTuple

from ocrjury.pages.numbers import (
    decimal,
    estimate_text,
    interval_text,
    listing,
    percent,
    plural,
    signed,
    value_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import (
    Section,
    agreement,
    cover,
    raters,
    ratings,
    rounds,
    scores,
    sources,
    trend,
)
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.counts import Counts, apart_text
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.sections.scores import Scores


class Finding(NamedTuple):
    """A sentence to remember, and what it rests on."""

    title: str
    text: str


class DecisionRow(NamedTuple):
    """One criterion: what was found, the rule, and the word for it."""

    criterion: str
    result: str
    rule: str
    interval: str = "—"
    word: str = "Information"
    tone: cover.Tone = "open"

    @property
    def mark(self) -> str:
        """Sign before the word, which says the same without colour."""
        return {"Look": "!", "Information": "·"}.get(self.word, cover.MARKS[self.tone])


def lead(report: ReportData) -> str:
    """Items, raters and dimensions in a sentence."""
    counts = report.get(Counts)
    n = report.items.n_rated if counts is None else counts.rated
    people = plural(len(report[Raters].rows), "rater")
    simulated = "simulated " if report.identity.simulated else ""
    people = people.replace("rater", f"{simulated}rater")
    names = listing([row.name for row in report.dimensions])
    were = "was" if n == 1 else "were"
    apart = None if counts is None else apart_text(counts)
    sentence = f"{plural(n, 'item')} {were} rated by {people} on {names}."
    return sentence if apart is None else f"{sentence} {apart}"


def findings(report: ReportData) -> list[Finding]:
    """At most five findings, the most important first."""
    makers = (_agreement, _score, _change, _types, _raters, _metrics, _rounds)
    return [finding for make in makers if (finding := make(report)) is not None][:5]


def _agreement(report: ReportData) -> Finding | None:
    parts = [
        f"{report.name(row.dimension)} α {value_text(row.get('krippendorff_alpha'))}"
        for row in report[Agreement].dimensions
    ]
    if not parts:
        return None
    grade = f" ({report.verdict.grade})" if report.verdict.grade else ""
    return Finding(
        f"Agreement: {report.verdict.decision}{grade}.",
        f"{cover.agreement_text(report)} {', '.join(parts)}.",
    )


def _score(report: ReportData) -> Finding | None:
    if report.shown_headline is None or not report.shown_headline.others.defined:
        return None
    share = report.shown_headline.is_share
    label, interval = cover.ranges(report.shown_headline)[0]
    extra = sources.moved_text(report) or ""
    value = value_text(report.shown_headline.others, share=share)
    return Finding(
        f"{cover.caption(report, report.shown_headline)}: {value}.",
        f"{label}: {interval}. {extra}".strip(),
    )


def _change(report: ReportData) -> Finding | None:
    if report.trend is None or report.shown_headline is None:
        return None
    if not report.trend.newest.change.defined:
        return None
    both = plural(report.trend.newest.both, "document")
    return Finding(trend.change_text(report, report.trend), f"{both} rated in both evaluations.")


def _types(report: ReportData) -> Finding | None:
    known = [row for row in report.types if row.estimate.defined]
    if len(known) < 2 or report.shown_headline is None:
        return None
    worst = min(known, key=lambda row: row.estimate.value)
    return Finding(
        f"{ratings.forest_title(report.types)}.",
        f"{worst.name}: {estimate_text(worst.estimate)} on {plural(worst.n, 'item')}.",
    )


def _raters(report: ReportData) -> Finding | None:
    rows = raters.outside(report[Raters])
    if not rows:
        return None
    parts = [f"{row.rater} {signed(row.severity.value)}" for row in rows]
    return Finding(
        f"{raters.severity_title(report[Raters])}.",
        f"Difference from colleagues on the same items, in points: {', '.join(parts)}.",
    )


def _metrics(report: ReportData) -> Finding | None:
    measured = report.get(Scores)
    if measured is None or not measured.rho.defined:
        return None
    n = plural(len(measured.points), "item")
    sentence = f"Measured on {n}. {_pool_cer(report)}".strip()
    return Finding(f"{scores.scatter_title(measured)}.", sentence)


def _pool_cer(report: ReportData) -> str:
    cer = cover.pool_cer(report)
    if cer is None:
        return ""
    return f"The {cover.cer_words(report)} is {percent(cer.micro)}."


def _rounds(report: ReportData) -> Finding | None:
    held = report.get(Rounds)
    if held is None or len(rounds.measured(held)) < 2:
        return None
    return Finding(f"{rounds.chart_title(held)}.", rounds.lead(held))


def decisions(report: ReportData) -> list[DecisionRow]:
    """Decision table."""
    makers = (
        _agreement_row,
        _mean_row,
        _target_row,
        _field_row,
        _severity_row,
        _recommendation_row,
        _uncertain_row,
    )
    return [row for make in makers if (row := make(report)) is not None]


def _agreement_row(report: ReportData) -> DecisionRow | None:
    statistic = report.verdict.statistic
    worst = agreement.lowest(report)
    if worst is None:
        return None
    found = worst.get(statistic)
    return DecisionRow(
        f"Agreement, lowest: {report.name(worst.dimension)}",
        value_text(found),
        agreement.rule_text(report),
        interval_text(found) if found.defined else "—",
        report.verdict.decision,
        cover.tone(report.verdict.decision),
    )


def _mean_row(report: ReportData) -> DecisionRow | None:
    """Mean of the gate's statistic over dimensions, for information."""
    mean = report[Agreement].means.get(report.verdict.statistic)
    if mean is None or mean.n < 2:
        return None
    return DecisionRow(
        f"Agreement, mean of {plural(mean.n, 'dimension')}",
        decimal(mean.value),
        "for information; the weakest dimension decides",
    )


def _target_row(report: ReportData) -> DecisionRow | None:
    outcome = report.outcome
    if outcome is None:
        return None
    share = outcome.target.is_share
    goal = percent(outcome.target.value, 0) if share else decimal(outcome.target.value, 1)
    hidden = outcome.why == "not_agreed"
    return DecisionRow(
        f"Target on {report.name(outcome.target.dimension)}",
        "not printed" if hidden else value_text(outcome.estimate, share=share),
        f"whole 95% range at or above {goal}",
        "—" if hidden else interval_text(outcome.estimate, share=share),
        outcome.word,
        cover.tone(outcome.word),
    )


def _field_row(report: ReportData) -> DecisionRow | None:
    errors = report.field_errors
    if errors is None or not errors.share.defined:
        return None
    kinds = listing([row.kind for row in errors.by_kind])
    return DecisionRow(
        "Critical field errors",
        f"{value_text(errors.share, share=True)}{' (too few)' if errors.few else ''}",
        f"for information: fields of kind {kinds}",
        "exact" if errors.exact else interval_text(errors.share, share=True),
    )


def _severity_row(report: ReportData) -> DecisionRow | None:
    rows = [row for row in report[Raters].rows if row.severity.defined]
    if not rows:
        return None
    n = len(raters.outside(report[Raters]))
    return DecisionRow(
        "Rater severity",
        f"{n} of {len(rows)}",
        f"none beyond ±{decimal(report[Raters].tolerance)}",
        word="Look" if n else "Good",
        tone="open" if n else "good",
    )


def _recommendation_row(report: ReportData) -> DecisionRow | None:
    rows = report.sections.get("recommendations")
    if not rows:
        return None
    met = sum(row.met for row in rows)
    return DecisionRow(
        "Recommendations",
        f"{met} of {len(rows)}",
        "all met",
        word="Good" if met == len(rows) else "Look",
        tone="good" if met == len(rows) else "open",
    )


def _uncertain_row(report: ReportData) -> DecisionRow | None:
    held = report.get(Rounds)
    rows = rounds.measured(held) if held else []
    if not rows or held is None:
        return None
    level = decimal(held.target_confidence)
    settled = "; a settled label counts as certain" if held.settled else ""
    return DecisionRow(
        "Uncertain items after the last round",
        percent(rows[-1].uncertain),
        f"for information: label below {held.confidence} {level}{settled}",
    )


SECTION = Section("summary", "Summary", "report/summary.html.j2", lambda _: True)
