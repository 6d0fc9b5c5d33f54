"""Agreement as it is stored: of judged rounds, of a pilot, or so far."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple

from ocrjury.campaign.config import Campaign
from ocrjury.estimate import reason_words
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.dimensions import MeanOver, mean_over_dimensions
from ocrjury.findings.pilots import PilotFinding
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.frontends.web.desk.agreement_bodies import (
    AgreementBody,
    AgreementSource,
    MetricAgreement,
)
from ocrjury.frontends.web.desk.gate_tone import gate_tone, worst
from ocrjury.gate.policy import Condition, GatePolicy
from ocrjury.language import language, said, tr
from ocrjury.pages.numbers import bounded
from ocrjury.statistics import grade
from ocrjury.store.database import Engine
from ocrjury.store.histories import Standing
from ocrjury.store.results import VerdictRow, latest_verdicts, newest_findings

Score = Literal["human_agreement", "exact_agreement"]
KINDS: Final[tuple[tuple[AgreementSource, str], ...]] = (
    ("judged", "agreement"),
    ("interim", "interim"),
)
"""Kinds of findings by dimension; those of a pilot are in one record."""


def finite(value: float) -> float | None:
    """Number, None where there is none."""
    return value if math.isfinite(value) else None


class Stored(NamedTuple):
    """The newest agreement: whose it is, and what was measured on each dimension."""

    source: AgreementSource
    round: int
    at: datetime
    findings: Mapping[str, AgreementFinding]


def stored_agreement(engine: Engine, evaluation: str) -> Stored | None:
    """Newest agreement; at one round what the gate judged comes before the rest."""
    stored = [
        Stored(source, *dated)
        for source, kind in KINDS
        if (dated := newest_findings(engine, evaluation, AgreementFinding, kind=kind)) is not None
    ]
    if (pilot := newest_findings(engine, evaluation, PilotFinding, kind="pilot")) is not None:
        agreement = pilot.findings[ALL_DIMENSIONS].agreement
        stored.append(Stored("pilot", pilot.round, pilot.at, agreement))
    return max(stored, key=lambda agreement: agreement.round, default=None)


def agreement_view(engine: Engine, standing: Standing, campaign: Campaign) -> AgreementBody:
    """Agreement with its colours, and what the gate asks and said."""
    name = standing.evaluation.evaluation
    stored, verdicts = stored_agreement(engine, name), latest_verdicts(engine, name)
    condition = campaign.gate.rules.primary
    metrics = {} if stored is None else _metrics(stored, verdicts, campaign)
    means = {} if stored is None else mean_over_dimensions(stored.findings.values())
    return AgreementBody(
        evaluation=name,
        source="none" if stored is None else stored.source,
        round=None if stored is None else stored.round,
        at=None if stored is None else stored.at,
        score=_score(metrics, means),
        colour=worst([metric.colour for metric in metrics.values()]),
        human_agreement=_value(means, "human_agreement"),
        # What is interim never lets the evaluation go on.
        ready_to_proceed=stored is not None
        and stored.source == "judged"
        and (standing.history.verdict == "PASS" or standing.history.released),
        threshold=condition.floor,
        threshold_statistic=_judged(metrics, condition),
        threshold_rule=condition.rule,
        num_raters=max((metric.num_raters for metric in metrics.values()), default=0),
        num_items=max((metric.num_items for metric in metrics.values()), default=0),
        metrics=metrics,
        problematic_patterns=[] if stored is None else _patterns(stored, campaign),
    )


def _judged(metrics: Mapping[str, MetricAgreement], condition: Condition) -> str:
    """Statistic of the gate's floor: of the first dimension, if one was measured."""
    return next((metric.gate_statistic for metric in metrics.values()), condition.estimates[0])


def _metrics(
    stored: Stored, verdicts: Sequence[VerdictRow], campaign: Campaign
) -> dict[str, MetricAgreement]:
    """Metrics of every dimension that was measured, in the rubric's order."""
    judged = {verdict.dimension: verdict.decision for verdict in verdicts}
    scales = campaign.rubric.scales
    metrics = {}
    for dimension in campaign.rubric.dimensions:
        if dimension.name in stored.findings:
            binary = scales[dimension.name].kind == "binary"
            decision = judged.get(dimension.name) if stored.source == "judged" else None
            metrics[dimension.name] = _metric(
                stored.findings[dimension.name],
                policy=campaign.gate.rules,
                decision=decision,
                binary=binary,
            )
    return metrics


def _metric(
    finding: AgreementFinding, *, policy: GatePolicy, decision: str | None, binary: bool
) -> MetricAgreement:
    """One dimension: A^HH first, else the share of equal pairs; in the colour of the gate."""
    key: Score = "human_agreement"
    if not finding.get(key).defined and finding.get("exact_agreement").defined:
        key = "exact_agreement"
    primary = bounded(key, finding.get(key))
    score = finite(primary.value)
    gate = gate_tone(finding.dimension, finding.estimates, policy, decision=decision)
    at_gate = bounded(gate.statistic, gate.estimate)
    is_graded = decision is not None or gate.tone.colour != "none"  # like the report, once judged
    return MetricAgreement(
        score=score,
        statistic=key,
        gate_statistic=gate.statistic,
        gate_value=finite(at_gate.value),
        gate_low=finite(at_gate.low),
        gate_high=finite(at_gate.high),
        colour=gate.tone.colour,
        interpretation=said(gate.tone.word),
        acceptable=None if decision is None else decision == "PASS",
        low=finite(primary.low),
        high=finite(primary.high),
        exact_agreement=finite(finding.get("exact_agreement").value),
        adjacent_agreement=finite(finding.get("adjacent_agreement").value),
        human_agreement=finite(finding.get("human_agreement").value),
        grades={
            name: said(graded.common)
            for name, estimate in finding.estimates.items()
            if is_graded and (graded := grade(name, estimate.value))
        },
        krippendorff_alpha=finite(finding.get("krippendorff_alpha").value),
        is_binary=binary,
        num_items=primary.n_items,
        num_raters=primary.n_raters,
        num_ratings=primary.n_ratings,
        reason=None if at_gate.defined else said(reason_words(at_gate.reason)),
        suggestions=[said(suggestion.sentence) for suggestion in finding.suggestions],
    )


def _score(metrics: Mapping[str, MetricAgreement], means: Mapping[str, MeanOver]) -> float | None:
    """Mean over the dimensions, None where they do not all have the same statistic."""
    statistics = {metric.statistic for metric in metrics.values()}
    return _value(means, statistics.pop()) if len(statistics) == 1 else None


def _value(means: Mapping[str, MeanOver], key: Score) -> float | None:
    return finite(means[key].value) if key in means else None


def _patterns(stored: Stored, campaign: Campaign) -> list[str]:
    """Signs of trouble that were found, dimension by dimension."""
    return [
        tr("{name}: {sentence}", name=title, sentence=pattern.sentence)
        for dimension, title in campaign.rubric.titles(language()).items()
        if dimension in stored.findings
        for pattern in stored.findings[dimension].patterns
    ]
