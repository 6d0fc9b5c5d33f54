"""The gate's reasons and actions, in the names of the report."""

import math

from ocrjury.campaign.decision_targets import VerdictName
from ocrjury.findings.looks import Look
from ocrjury.gate.looks import total_error
from ocrjury.gate.policy import ENOUGH_ITEMS
from ocrjury.grades import WORDS
from ocrjury.language import said, tr, trn
from ocrjury.pages.numbers import count, paragraph, percent, plural, series, short
from ocrjury.pages.statistic_numbers import in_unit
from ocrjury.report.data import DimensionDecision, GateVerdict, Release, ReportData
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.cover import agreement_text as cover_text
from ocrjury.report.sections.cover import verdict_word
from ocrjury.report.stored_evaluation import Stored

_ROUNDING = 1e-4
"""Tolerance for the error of the gate above the planned one, where no look was added."""


def gate_verdict(stored: Stored) -> GateVerdict:
    """Newest verdict."""
    overall, *dimensions = stored.verdicts
    return GateVerdict(
        decision=overall.decision,
        grade=overall.grade,
        reasons=tuple(overall.reasons),
        actions=overall.actions,
        dimensions=tuple(
            DimensionDecision(
                dimension=verdict.dimension,
                decision=verdict.decision,
                grade=verdict.grade,
                reasons=tuple(verdict.reasons),
                needed_items=verdict.needed_items,
            )
            for verdict in sorted(
                dimensions, key=lambda v: stored.dimension_names.index(v.dimension)
            )
        ),
        policy=stored.campaign.gate.rules,
        looks=_looks(stored),
        release=_release(stored),
    )


def _looks(stored: Stored) -> tuple[tuple[int, Look], ...]:
    """Every look with its round, oldest first, in the rubric's order."""
    return tuple(
        (number, look)
        for number, looks in sorted(stored.looks.items())
        for name in stored.dimension_names
        if (look := looks.of(name)) is not None
    )


def _release(stored: Stored) -> Release | None:
    """Decision that let the newest verdict through, None if none did."""
    newest = stored.verdicts[0]
    about = VerdictName(round=newest.round, version=newest.version)
    for decision in reversed(stored.decisions):
        if decision.kind == "proceed" and decision.target.verdict == about:
            return Release(decision.actor, decision.reason, stored.local(decision.at))
    return None


def few_text(report: ReportData) -> str | None:
    """Caution about a gate that decided on few items, because the campaign lets it."""
    newest = max((number for number, _ in report.verdict.looks), default=0)
    early = [
        look.items
        for number, look in report.verdict.looks
        if number == newest
        and look.decision != "INCONCLUSIVE"
        and report.verdict.policy.min_items <= look.items < ENOUGH_ITEMS
    ]
    if not early:
        return None
    return tr(
        "Caution: the gate decided on {items}, because the campaign sets its minimum to {least}; "
        "the usual one is {usual}.",
        items=plural(min(early), "item"),
        least=report.verdict.policy.min_items,
        usual=ENOUGH_ITEMS,
    )


def agreement_text(report: ReportData) -> str:
    """Gate's decision by dimension, with the items that it needs."""
    return paragraph([cover_text(report), few_items_text(report)])


def few_items_text(report: ReportData) -> str:
    """Number of items that two raters rated, where the gate is in doubt and needs more."""
    verdict = report.verdict
    rated = [
        row.disagreements.n_items
        for row in report[Agreement].dimensions
        if (own := verdict.of(row.dimension)) and own.decision == "INCONCLUSIVE"
    ]
    if verdict.advisory or not rated or min(rated) >= verdict.policy.min_items:
        return ""
    return trn(
        "{n} item has two or more ratings; the gate needs at least {least}.",
        "{n} items have two or more ratings; the gate needs at least {least}.",
        min(rated),
        least=count(verdict.policy.min_items),
    )


def badge(report: ReportData) -> str:
    """Gate's decision with its grade, as it stands beside the outcome."""
    verdict = report.verdict
    word = verdict_word(verdict.decision)
    if verdict.grade:
        word = tr("{decision} ({grade} agreement)", decision=word, grade=WORDS[verdict.grade])
    if verdict.advisory:
        return tr("Advisory gate: {decision}", decision=word)
    if verdict.release:
        return tr("Gate: {decision}, released", decision=word)
    return tr("Gate: {decision}", decision=word)


def reasons(report: ReportData) -> list[str]:
    """Reasons of the gate."""
    return [said(report.with_names(text)) for text in report.verdict.reasons]


def bound_text(report: ReportData) -> str | None:
    """Difference between the gate's bound and the interval that the tables print."""
    if report.verdict.policy.primary.rule != "bound":
        return None
    return tr(
        "The gate’s bounds are one-sided, the 95% intervals of the tables two-sided: their ends "
        "differ."
    )


def looked_again(report: ReportData) -> bool:
    """Return whether the gate looked more than once at some dimension, as a table then shows."""
    return len({number for number, _ in report.verdict.looks}) > 1


def first_look_text(report: ReportData) -> str | None:
    """Bounds of the only look; None where there are several, or none that was stored."""
    looks = [look for _, look in report.verdict.looks if math.isfinite(look.lower)]
    if not looks or looked_again(report) or report.verdict.policy.primary.rule != "bound":
        return None
    bounds = series(
        f"{report.name(look.dimension)} {in_unit(look.lower, look.statistic, 3)}" for look in looks
    )
    planned, confidence = looks[0].planned, percent(looks[0].confidence)
    if len({percent(look.confidence) for look in looks}) > 1:
        return tr("Lower bounds: {bounds}.", bounds=series(_bound_at(report, x) for x in looks))
    if planned in {None, 1}:
        return tr("Lower bounds at {confidence}: {bounds}.", confidence=confidence, bounds=bounds)
    return tr(
        "Lower bounds at {confidence} (look 1 of {planned}): {bounds}.",
        confidence=confidence,
        planned=planned,
        bounds=bounds,
    )


def _bound_at(report: ReportData, look: Look) -> str:
    """Bound on a dimension with its confidence, which goes by the number of items."""
    return tr(
        "{dimension} {bound} at {confidence}",
        dimension=report.name(look.dimension),
        bound=in_unit(look.lower, look.statistic, 3),
        confidence=percent(look.confidence),
    )


def look_rows(report: ReportData) -> list[dict[str, str]]:
    """Cells of the table of looks."""
    return [
        {
            "round": str(number),
            "dimension": report.name(look.dimension),
            "look": _place(look),
            "items": count(look.items),
            "value": in_unit(look.value, look.statistic, 3),
            "bound": in_unit(look.lower, look.statistic, 3),
            "confidence": percent(look.confidence),
            "decision": verdict_word(look.decision),
        }
        for number, look in report.verdict.looks
    ]


def _place(look: Look) -> str:
    """Number of the look, and of all looks planned."""
    if look.planned is None:
        return str(look.look)
    return tr("{look} of {planned}", look=look.look, planned=look.planned)


def looks_text(report: ReportData) -> str:
    """Number of looks; those after a recalibration begin anew."""
    own = [_looks_on(report, name) for name in {look.dimension for _, look in report.verdict.looks}]
    made = max((sum(series[-1].look for series in all_of) for all_of in own), default=1)
    number = trn("{n} look was made.", "{n} looks were made.", made)
    anew = tr(
        "A recalibration begins the looks anew: those before it and those after it each have an "
        "error of their own."
    )
    return paragraph([number, anew if any(len(all_of) > 1 for all_of in own) else ""])


def confidence_text(report: ReportData) -> str | None:
    """Error of the gate over all its looks; None where it goes by the value."""
    verdict = report.verdict
    if not verdict.policy.has_bound:
        return None
    confidence = short_percent(verdict.policy.confidence)
    planned = max((look.planned or 0 for _, look in verdict.looks), default=1)
    if planned == 1:
        return tr("The bounds have a confidence of {confidence}.", confidence=confidence)
    if planned == 0:
        return tr(
            "The bounds are a confidence sequence of {confidence} (Waudby-Smith and others 2024): "
            "they hold however often the gate looks.",
            confidence=confidence,
        )
    error = max(_error_on(report, name) for name in {look.dimension for _, look in verdict.looks})
    allowed = 1 - verdict.policy.confidence
    if error < allowed + _ROUNDING:
        return tr(
            "Every look at more ratings is another chance to pass, so the error of {allowed} is "
            "spent over {planned} looks (Hwang, Shih and De Cani 1990): raters at the floor pass "
            "at one of them in about {allowed} of evaluations at most.",
            planned=planned,
            allowed=short_percent(allowed),
        )
    return tr(
        "Every look at more ratings is another chance to pass, so the error of {allowed} is spent "
        "over {planned} looks (Hwang, Shih and De Cani 1990): raters at the floor pass at one of "
        "them in up to {error} of evaluations, because a look was added that was not planned.",
        planned=planned,
        allowed=short_percent(allowed),
        error=percent(error),
    )


def short_percent(share: float) -> str:
    """A percentage without decimals that are 0.

    Examples
    --------
    >>> short_percent(0.95), short_percent(0.975)
    ('95%', '97.5%')
    """
    return f"{short(100 * share)}%"


def _error_on(report: ReportData, dimension: str) -> float:
    """Chance at most that raters at the floor passed at one of the looks at a dimension."""
    own, confidence = _looks_on(report, dimension)[-1], report.verdict.policy.confidence
    return total_error(confidence, [(look.look, look.planned or 1) for look in own])


def _looks_on(report: ReportData, dimension: str) -> list[list[Look]]:
    """Looks at a dimension, those after each recalibration by themselves."""
    series: list[list[Look]] = []
    for _, look in report.verdict.looks:
        if look.dimension == dimension:
            if not series or look.look == 1:
                series.append([])
            series[-1].append(look)
    return series
