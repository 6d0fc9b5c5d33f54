"""The cover: outcome, verdict, headline."""

import math
from typing import Literal

from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.findings.pool_scores import MetricSummary
from ocrjury.pages.numbers import (
    count,
    decimal,
    interval_text,
    listing,
    long_date,
    percent,
    plural,
    short_hash,
    value_text,
)
from ocrjury.report.data import Headline, ReportData
from ocrjury.report.outcome import Outcome, Target
from ocrjury.report.sections import systems, withheld
from ocrjury.report.sections.counts import Counts, rated_text
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.sections.scores import Scores
from ocrjury.report.sections.sources import others_label, these_text, uncorrected_text
from ocrjury.report.stored import Stored

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


def headline_of(stored: Stored) -> Headline | None:
    """Mean or share that the campaign's target is about, None before the estimates."""
    estimates = stored.estimates.get(stored.target_dimension)
    if estimates is None:
        return None
    target = stored.campaign.report.target
    chosen = estimates.target_share or estimates
    return Headline(
        dimension=stored.target_dimension,
        these=chosen.these,
        others=chosen.others,
        share_at_least=None if target is None else target.share_at_least,
        hajek=chosen.hajek,
        uncorrected=_uncorrected(estimates),
        sources=chosen.sources,
        naive=None if chosen.naive is None else chosen.naive.value,
    )


def _uncorrected(estimates: PoolEstimates) -> Estimate | None:
    """Headline without gold, None where there is no gold."""
    if estimates.target_share:
        return estimates.target_share.uncorrected
    return None if estimates.gold is None else estimates.gold.uncorrected


def tone(word: str) -> Tone:
    """Colour of an outcome or decision; the word is always printed too."""
    return _TONES.get(word, "open")


def outcome_word(report: ReportData) -> str:
    """One word of the cover: the outcome, or the gate's decision without a target."""
    return report.outcome.word if report.outcome else report.verdict.decision


def kind(report: ReportData) -> str:
    """Kind of the report."""
    who = report.identity
    words = ["Interim report" if who.kind == "interim" else "Report"]
    if who.version > 1:
        words.append(f"version {who.version}")
    return ", ".join(words)


def subtitle(report: ReportData) -> str:
    """Evaluation and period on one line."""
    who = report.identity
    said = who.period is None or who.evaluation.endswith(who.period)
    return who.evaluation if said else f"{who.evaluation} · {who.period}"


def outcome_title(report: ReportData) -> str:
    """Outcome as a headline."""
    if report.outcome is None:
        return _verdict_title(report)
    target = report.outcome.target
    return {
        "MET": f"Target met: {_goal(report, target)}",
        "NOT MET": f"Target not met: {_goal(report, target)}",
        "NOT SHOWN": f"Not shown: {_goal(report, target)}",
    }[report.outcome.word]


def _goal(report: ReportData, target: Target) -> str:
    name = report.name(target.dimension)
    if target.share_at_least is not None:
        return f"{percent(target.value, 0)} rated {target.share_at_least:g} or better on {name}"
    return f"mean {decimal(target.value, 1)} or better on {name}"


def _verdict_title(report: ReportData) -> str:
    return {
        "PASS": "The raters agree well enough to be believed",
        "FAIL": "The raters do not agree well enough to be believed",
        "INCONCLUSIVE": "Whether the raters agree well enough is not yet shown",
    }[report.verdict.decision]


def outcome_text(report: ReportData) -> str:
    """Reason for the outcome."""
    sentences = [_outcome_reason(report.outcome)] if report.outcome else []
    if each := systems.target_text(report):
        sentences.append(each)
    sentences.append(agreement_text(report))
    if hidden := withheld.cover_text(report):
        sentences.append(hidden)
    if report.verdict.release:
        sentences.append(release_text(report))
    return " ".join(sentences)


def _outcome_reason(outcome: Outcome) -> str:
    """The interval beside the target, in words."""
    share = outcome.target.is_share
    goal = percent(outcome.target.value, 0) if share else decimal(outcome.target.value, 1)
    value = value_text(outcome.estimate, share=share)
    interval = interval_text(outcome.estimate, share=share)
    return {
        "above": f"The whole 95% range, {interval}, lies at or above {goal}.",
        "below": f"The whole 95% range, {interval}, lies below {goal}.",
        "inside": f"The estimate is {value}, but the 95% range, {interval}, contains {goal}.",
        "no_interval": f"The estimate is {value}; its range is unknown "
        f"({reason_words(outcome.estimate.reason)}).",
        "undefined": f"There is no estimate: {reason_words(outcome.estimate.reason)}.",
        "not_agreed": "No result is shown while the raters’ agreement is in doubt.",
    }[outcome.why]


def agreement_text(report: ReportData) -> str:
    """Gate's decision by dimension, in one sentence."""
    by_decision: dict[str, list[str]] = {"PASS": [], "FAIL": [], "INCONCLUSIVE": []}
    for row in report.verdict.dimensions:
        by_decision[row.decision].append(report.name(row.dimension))
    phrases = {
        "PASS": "Raters agree well enough on {}",
        "FAIL": "Raters do not agree well enough on {}",
        "INCONCLUSIVE": "Too little is known about agreement on {}",
    }
    decided = [phrases[word].format(listing(names)) for word, names in by_decision.items() if names]
    return ". ".join(decided) + "." if decided else f"The gate says {report.verdict.decision}."


def release_text(report: ReportData) -> str:
    """Who let the evaluation through, and why."""
    release = report.verdict.release
    if release is None:
        return ""
    return (
        f"Released by {release.name} against the gate on {long_date(release.at)}: {release.reason}"
    )


def caption(report: ReportData, headline: Headline) -> str:
    """Caption of the large number."""
    name = report.name(headline.dimension)
    what = "these items only" if headline.items_only else "the whole pool"
    if headline.share_at_least is not None:
        return f"Share of {what} rated {headline.share_at_least:g} or better on {name}"
    return f"Mean rating of {what} on {name}, {report.scale.low:g} to {report.scale.high:g}"


def big_number(headline: Headline) -> str:
    """Headline value, a dash where there is none."""
    if not headline.others.defined:
        return "—"
    return value_text(headline.others, share=headline.is_share)


def ranges(headline: Headline) -> list[tuple[str, str]]:
    """Headline's ranges: label and text."""
    share = headline.is_share
    if headline.items_only:
        return [("95% interval (t), these items only", interval_text(headline.these, share=share))]
    known = [
        (others_label(headline), interval_text(headline.others, share=share)),
        ("Without gold", uncorrected_text(headline)),
        ("These raters, each counting alike", these_text(headline)),
    ]
    return [(label, text) for label, text in known if text is not None]


def gauge_title(report: ReportData, headline: Headline) -> str:
    """Cover chart as a sentence."""
    words = [f"{caption(report, headline)}: {big_number(headline)}"]
    words += [f"{label}: {text}" for label, text in ranges(headline)]
    if report.target:
        share = report.target.is_share
        goal = percent(report.target.value, 0) if share else decimal(report.target.value, 1)
        words.append(f"target: {goal}")
    return "; ".join(words) + "."


def facts(report: ReportData) -> list[tuple[str, str]]:
    """Key facts: number and what it counts."""
    counted = {"rater": len(report[Raters].rows)}
    if rounds := report.get(Rounds):
        counted["round"] = len(rounds.rows)
    found = [_items_fact(report), _ratings_fact(report)]
    found += [(count(number), _noun(number, noun)) for noun, number in counted.items()]
    cer = pool_cer(report)
    return [*found, (percent(cer.micro), cer_words(report))] if cer else found


def _ratings_fact(report: ReportData) -> tuple[str, str]:
    counted = sum(row.n for row in report.counts)
    what = "first-pass rating" if report.get(Rounds) else "rating"
    if counted:
        where = f"on {plural(len(report.dimensions), 'dimension')}"
    else:  # a scale without levels has no counts
        counted = sum(row.n_ratings for row in report[Raters].rows)
        where = f"on {report.name(report[Raters].dimension)}"
    return count(counted), f"{_noun(counted, what)} {where}"


def pool_cer(report: ReportData) -> MetricSummary | None:
    """Pool's character error rate, None where it is unknown."""
    scores = report.get(Scores)
    rows = scores.metrics if scores else ()
    return next((row for row in rows if row.metric == "cer" and math.isfinite(row.micro)), None)


def cer_words(report: ReportData) -> str:
    """Population of the pool's character error rate."""
    scores = report.get(Scores)
    if scores is None or scores.n_reference >= scores.pool_size:
        return "character error rate of the pool"
    n = plural(scores.n_reference, "document")
    return f"character error rate of the pool’s {n} with a reference"


def _items_fact(report: ReportData) -> tuple[str, str]:
    counts = report.get(Counts)
    if counts is None:
        return count(report.items.n_rated), "items rated"
    return count(counts.rated), rated_text(counts)


def _noun(number: int, noun: str) -> str:
    return plural(number, noun).partition(" ")[2]


def issued(report: ReportData) -> str:
    """Time and sources of the report."""
    who = report.identity
    return f"Issued {long_date(who.issued_at)} · {kind(report)} · ocrjury {who.package_version}"


def provenance(report: ReportData) -> str:
    """Seed and hashes on one line."""
    who = report.identity
    parts = [f"seed {who.seed}"] if who.seed is not None else []
    parts += [f"{word} {short_hash(digest)}" for word, digest in who.digests.items()]
    return " · ".join(parts)


def footer(report: ReportData) -> str:
    """Footer of every page."""
    who = report.identity
    known = [(word, who.digests.get(word)) for word in ("configuration", "pool")]
    parts = [f"{word} {short_hash(digest)}" for word, digest in known if digest]
    return " · ".join([who.evaluation, *parts])
