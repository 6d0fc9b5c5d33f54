"""The agreement as it is stored: of the judged rounds, of a pilot, or so far."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from ocrjury.campaign.config import Campaign
from ocrjury.estimate import Estimate
from ocrjury.frontends.web.desk.bodies import AgreementBody, MetricAgreement
from ocrjury.frontends.web.desk.colours import Score, tone
from ocrjury.gate.policy import GatePolicy
from ocrjury.statistics import reason_words
from ocrjury.store.database import Engine
from ocrjury.store.histories import Standing
from ocrjury.store.results import DatedResults, StoredVerdict, latest_verdicts, newest_results

Source = Literal["none", "interim", "pilot", "judged"]
Estimates = Mapping[str, Estimate]
KINDS: Final[tuple[tuple[str, Source], ...]] = (
    ("agreement", "judged"),
    ("interim", "interim"),
    ("pilot", "pilot"),
)


class Stored(NamedTuple):
    """The newest agreement: whose it is, and what is kept of each dimension."""

    source: Source
    results: DatedResults
    bodies: Mapping[str, Mapping[str, Any]]

    def estimates(self, dimension: str) -> dict[str, Estimate]:
        """Return what was measured on a dimension; {} if nothing was."""
        body = self.bodies.get(dimension, {})
        # Older interim results hold the estimates alone.
        found = body.get("estimates", body)
        return {
            name: Estimate.from_json(one)
            for name, one in found.items()
            if isinstance(one, dict) and "n_ratings" in one
        }


def stored_agreement(engine: Engine, evaluation: str) -> Stored | None:
    """Return the newest agreement; at one round what the gate judged comes before the rest."""
    found = [
        (source, results)
        for kind, source in KINDS
        if (results := newest_results(engine, evaluation, kind)) is not None
    ]
    if not found:
        return None
    source, results = max(found, key=lambda one: one[1].round)
    return Stored(source, results, _bodies(source, results))


def agreement_view(engine: Engine, standing: Standing, campaign: Campaign) -> AgreementBody:
    """Return the agreement with its colours, and what the gate asks and said."""
    name = standing.evaluation.evaluation
    stored, verdicts = stored_agreement(engine, name), latest_verdicts(engine, name)
    condition = GatePolicy.preset(campaign.gate.policy).conditions[0]
    metrics = {} if stored is None else _metrics(stored, verdicts, campaign)
    score, human = _mean(metrics, "score"), _mean(metrics, "human_agreement")
    return AgreementBody(
        evaluation=name,
        source="none" if stored is None else stored.source,
        round=None if stored is None else stored.results.round,
        at=None if stored is None else stored.results.at,
        score=score,
        colour=tone(score).colour,
        human_agreement=human,
        ready_to_proceed=_ready(stored, standing),
        threshold=condition.floor,
        threshold_statistic=condition.estimates[0],
        threshold_rule=condition.rule,
        num_raters=max((one.num_raters for one in metrics.values()), default=0),
        num_items=max((one.num_items for one in metrics.values()), default=0),
        metrics=metrics,
        problematic_patterns=[] if stored is None else _patterns(stored, campaign),
    )


def _bodies(source: Source, results: DatedResults) -> Mapping[str, Mapping[str, Any]]:
    """Return the bodies by dimension; a pilot keeps all of them in one."""
    if source == "pilot":
        return {
            name: {"estimates": one}
            for name, one in results.bodies.get("*", {}).get("agreement", {}).items()
        }
    return {name: body for name, body in results.bodies.items() if name != "*"}


def _metrics(
    stored: Stored, verdicts: Sequence[StoredVerdict], campaign: Campaign
) -> dict[str, MetricAgreement]:
    """Return what is stored of every dimension, in the rubric's order."""
    judged = {one.dimension: one.decision for one in verdicts}
    binary = campaign.rubric.scale.kind == "binary"
    found = {}
    for dimension in campaign.rubric.dimensions:
        estimates = stored.estimates(dimension.name)
        if estimates:
            body = stored.bodies[dimension.name]
            metric = _metric(estimates, body.get("suggestions", []), binary=binary)
            decision = judged.get(dimension.name) if stored.source == "judged" else None
            found[dimension.name] = metric.model_copy(
                update={"acceptable": None if decision is None else decision == "PASS"}
            )
    return found


def _metric(
    estimates: Estimates, suggestions: Sequence[Mapping[str, str]], *, binary: bool
) -> MetricAgreement:
    """Return one dimension: A^HH first, else the share of equal pairs."""
    statistic: Score = "human_agreement"
    if not _of(estimates, statistic).defined and _of(estimates, "exact_agreement").defined:
        statistic = "exact_agreement"
    primary = _of(estimates, statistic)
    score = _number(primary.value)
    colour, word = tone(score, statistic)
    return MetricAgreement(
        score=score,
        statistic=statistic,
        colour=colour,
        interpretation=word,
        acceptable=None,
        low=_number(max(primary.low, 0.0)),
        high=_number(min(primary.high, 1.0)),
        exact_agreement=_number(_of(estimates, "exact_agreement").value),
        adjacent_agreement=_number(_of(estimates, "adjacent_agreement").value),
        human_agreement=_number(_of(estimates, "human_agreement").value),
        krippendorff_alpha=_number(_of(estimates, "krippendorff_alpha").value),
        is_binary=binary,
        num_items=primary.n_items,
        num_raters=primary.n_raters,
        num_ratings=primary.n_ratings,
        reason=None if score is not None else reason_words(primary.reason),
        suggestions=[one["sentence"] for one in suggestions],
    )


def _of(estimates: Estimates, name: str) -> Estimate:
    """Return an estimate, an undefined one where it is missing."""
    return estimates.get(name) or Estimate(math.nan, reason="too_few_ratings")


def _number(value: float) -> float | None:
    """Number, None where there is none."""
    return value if math.isfinite(value) else None


def _mean(
    metrics: Mapping[str, MetricAgreement], name: Literal["score", "human_agreement"]
) -> float | None:
    """Return the plain mean over the dimensions where a number is defined."""
    values = [value for one in metrics.values() if (value := getattr(one, name)) is not None]
    return sum(values) / len(values) if values else None


def _ready(stored: Stored | None, standing: Standing) -> bool:
    """Return whether the gate lets the evaluation go on; what is interim never does."""
    if stored is None or stored.source != "judged":
        return False
    return standing.history.verdict == "PASS" or standing.history.released


def _patterns(stored: Stored, campaign: Campaign) -> list[str]:
    """Return the signs of trouble that were found, dimension by dimension."""
    return [
        f"{dimension.name}: {one['sentence']}"
        for dimension in campaign.rubric.dimensions
        for one in stored.bodies.get(dimension.name, {}).get("patterns", [])
    ]
