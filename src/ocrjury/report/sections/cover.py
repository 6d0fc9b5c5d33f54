"""The cover: outcome, verdict, headline."""

import math
from typing import Literal

from ocrjury.estimate import reason_words
from ocrjury.findings.pool_scores import MetricSummary
from ocrjury.gate.verdict import VERDICT_WORDS
from ocrjury.language import said, tr, trn
from ocrjury.pages.document_text import cut
from ocrjury.pages.numbers import (
    clauses,
    count,
    interval_text,
    listing,
    long_date,
    paragraph,
    percent,
    plural,
    value_text,
)
from ocrjury.report.data import Headline, ReportData
from ocrjury.report.outcome import Outcome, PrintedTarget, goal_text, range_beside
from ocrjury.report.sections import systems, undesigned_ratings, withheld_results
from ocrjury.report.sections.counts import Counts, documents_text, rated_text
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.sections.scores import Scores
from ocrjury.report.sections.sources import others_label, these_text, uncorrected_text
from ocrjury.rounding import given

Tone = Literal["good", "bad", "open"]
MARKS: dict[Tone, str] = {"good": "✓", "bad": "×", "open": "?"}
_TONES: dict[str, Tone] = {
    "MET": "good",
    "NOT MET": "bad",
    "NOT SHOWN": "open",
    "PASS": "good",
    "FAIL": "bad",
    "INCONCLUSIVE": "open",
}
LONGEST_REASON = 200
"""Characters of a reason on the cover; the summary has all of it."""


def tone(word: str) -> Tone:
    """Colour of an outcome or decision; the word is always printed too."""
    return _TONES.get(word, "open")


def verdict_word(decision: str) -> str:
    """A decision of the gate with its sign."""
    return f"{MARKS[tone(decision)]} {said(VERDICT_WORDS[decision])}"


def outcome_word(report: ReportData) -> str:
    """One word of the cover: the outcome, or the gate's decision without a target."""
    return report.outcome.word if report.outcome else report.verdict.decision


def subtitle(report: ReportData) -> str:
    """Evaluation and period on one line."""
    who = report.identity
    named = who.period is None or who.evaluation.endswith(who.period)
    return who.evaluation if named else f"{who.evaluation} · {who.period}"


def outcome_title(report: ReportData) -> str:
    """Outcome as a headline."""
    if report.outcome is None:
        return _verdict_title(report)
    goal = _goal(report, report.outcome.target)
    return {
        "MET": tr("Target met: {goal}", goal=goal),
        "NOT MET": tr("Target not met: {goal}", goal=goal),
        "NOT SHOWN": tr("Not shown: {goal}", goal=goal),
    }[report.outcome.word]


def _goal(report: ReportData, target: PrintedTarget) -> str:
    name, value = report.name(target.dimension), goal_text(target)
    if target.share_at_least is None:
        return tr("mean {value} or better on {dimension}", value=value, dimension=name)
    return tr(
        "{share} rated {level} or better on {dimension}",
        share=value,
        level=given(target.share_at_least),
        dimension=name,
    )


def _verdict_title(report: ReportData) -> str:
    return {
        "PASS": tr("The raters agree well enough to be believed"),
        "FAIL": tr("The raters do not agree well enough to be believed"),
        "INCONCLUSIVE": tr("Whether the raters agree well enough is not yet shown"),
    }[report.verdict.decision]


def outcome_text(report: ReportData) -> str:
    """Reason for the outcome."""
    sentences = [
        _outcome_reason(report, report.outcome) if report.outcome else "",
        systems.target_text(report) or "",
        agreement_text(report),
        withheld_results.cover_text(report) or "",
        release_text(report, longest=LONGEST_REASON),
    ]
    return paragraph(sentences)


def _outcome_reason(report: ReportData, outcome: Outcome) -> str:
    """The interval beside the target, in words."""
    share = outcome.target.is_share
    reason = reason_words(outcome.estimate.reason)
    known = {
        "goal": goal_text(outcome.target),
        "value": value_text(outcome.estimate, share=share),
        "range": range_beside(outcome),
    }
    return {
        "above": tr("The whole 95% range, {range}, lies at or above {goal}.", **known),
        "below": tr("The whole 95% range, {range}, lies below {goal}.", **known),
        "inside": tr(
            "The estimate is {value}, but the 95% range, {range}, contains {goal}.", **known
        ),
        "no_interval": tr(
            "The estimate is {value}; its range is unknown ({reason}).", reason=reason, **known
        ),
        "undefined": tr("There is no estimate: {reason}.", reason=reason),
        "not_agreed": not_agreed_text(report),
    }[outcome.why]


def not_agreed_text(report: ReportData) -> str:
    """Reason why a result is withheld on which agreement was not shown."""
    if report.verdict.trusted:
        return tr("No result is shown: no release prints what raters do not agree on.")
    return tr("No result is shown while the raters’ agreement is in doubt.")


def agreement_text(report: ReportData) -> str:
    """Gate's decision by dimension, a sentence for each word."""
    if not report.verdict.dimensions:
        return tr("The gate says {decision}.", decision=VERDICT_WORDS[report.verdict.decision])
    passed, failed, unknown = (
        listing(
            [
                report.name(row.dimension)
                for row in report.verdict.dimensions
                if row.decision == word
            ]
        )
        for word in ("PASS", "FAIL", "INCONCLUSIVE")
    )
    return paragraph(
        [
            passed and tr("Raters agree well enough on {dimensions}.", dimensions=passed),
            failed and tr("Raters do not agree well enough on {dimensions}.", dimensions=failed),
            unknown
            and tr("Too little is known about agreement on {dimensions}.", dimensions=unknown),
        ]
    )


def release_text(report: ReportData, *, longest: int | None = None) -> str:
    """Name of whoever let the evaluation through, with the reason or its beginning."""
    release = report.verdict.release
    if release is None:
        return ""
    reason = release.reason.rstrip(" .。")
    return tr(
        "Released by {name} against the gate on {date}: {reason}.",
        name=release.name,
        date=long_date(release.at),
        reason=reason if longest is None else cut(reason, longest),
    )


def caption(report: ReportData, headline: Headline) -> str:
    """Caption of the large number."""
    name = report.name(headline.dimension)
    rated = undesigned_ratings.items(headline) if headline.items_only else tr("the whole pool")
    if headline.share_at_least is not None:
        return tr(
            "Share of {rated} rated {level} or better on {dimension}",
            rated=rated,
            level=given(headline.share_at_least),
            dimension=name,
        )
    return tr(
        "Mean rating of {rated} on {dimension}, {low} to {high}",
        rated=rated,
        dimension=name,
        low=given(report.scale.low),
        high=given(report.scale.high),
    )


def big_number(headline: Headline) -> str:
    """Headline value, a dash where there is none."""
    if not headline.others.defined:
        return "—"
    return value_text(headline.others, share=headline.is_share)


def ranges(headline: Headline) -> list[tuple[str, str]]:
    """Headline's ranges: label and text."""
    share = headline.is_share
    if headline.items_only:
        these = interval_text(headline.these, share=share)
        return [(undesigned_ratings.interval_label(headline), these)]
    known = [
        (others_label(headline), interval_text(headline.others, share=share)),
        (tr("Without gold"), uncorrected_text(headline)),
        (tr("These raters, each counting alike"), these_text(headline)),
    ]
    return [(label, text) for label, text in known if text is not None]


def gauge_title(report: ReportData, headline: Headline) -> str:
    """Cover chart as a sentence."""
    parts = [(caption(report, headline), big_number(headline)), *ranges(headline)]
    if report.target:
        parts.append((tr("target"), goal_text(report.target)))
    labelled = clauses(tr("{label}: {text}", label=label, text=text) for label, text in parts)
    return tr("{text}.", text=labelled)


def facts(report: ReportData) -> list[tuple[str, str]]:
    """Key facts: number and what it counts."""
    n_raters = len(report[Raters].rows)
    facts_ = [_items_fact(report), _ratings_fact(report)]
    facts_.append((count(n_raters), trn("rater", "raters", n_raters)))
    if rounds := report.get(Rounds):
        n_rounds = len(rounds.rows)
        facts_.append((count(n_rounds), trn("round", "rounds", n_rounds)))
    cer = pool_cer(report)
    return [*facts_, (percent(cer.micro), _cer_words(report))] if cer else facts_


def _ratings_fact(report: ReportData) -> tuple[str, str]:
    n, where = report.n_ratings, plural(len(report.dimensions), "dimension")
    if report.get(Rounds):
        return count(n), trn(
            "first-pass rating on {where}", "first-pass ratings on {where}", n, where=where
        )
    return count(n), trn("rating on {where}", "ratings on {where}", n, where=where)


def pool_cer(report: ReportData) -> MetricSummary | None:
    """Pool's character error rate, None where it is unknown."""
    scores = report.get(Scores)
    rows = scores.metrics if scores else ()
    return next((row for row in rows if row.metric == "cer" and math.isfinite(row.micro)), None)


def with_reference(report: ReportData) -> str | None:
    """Documents whose error rate is that of the pool, None where they are all of it."""
    scores = report.get(Scores)
    if scores is None or scores.n_reference >= scores.pool_size:
        return None
    return documents_text(report.get(Counts), scores.n_reference)


def _cer_words(report: ReportData) -> str:
    """Population of the pool's character error rate."""
    documents = with_reference(report)
    if documents is None:
        return tr("character error rate of the pool")
    return tr(
        "character error rate of the pool’s {documents} with a reference", documents=documents
    )


def _items_fact(report: ReportData) -> tuple[str, str]:
    counts = report.get(Counts)
    if counts is None:
        return count(report.items.n_rated), trn("item rated", "items rated", report.items.n_rated)
    return count(counts.rated), rated_text(counts)
