"""The next round before it is opened.

Nothing is written. Where an evaluation waits for people, the next round is the one that would
follow if they were done and the gate let it pass; `Preview.assuming` says so.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ocrjury.campaign.decisions import AT_THE_GATE, LATE
from ocrjury.campaign.history import History
from ocrjury.campaign.state import next_step
from ocrjury.errors import InputError, StateError
from ocrjury.evaluation.adaptive import check_by_gold, decision_cost, for_the_adjudicator
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.inference import Inferred, infer_truths
from ocrjury.evaluation.next_rounds import foresee, plan_next_round
from ocrjury.store.rounds import RoundPlan

SHOWN = 10
"""Items named of those that have few ratings, uncertain labels or need an expert."""


@dataclass(frozen=True, slots=True)
class Share:
    """Share of a round that one rater gets."""

    rater: str
    assignments: int
    minutes: float
    sessions: int
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """Size, cost and expected gain (in bits) of a round that is not open yet.

    `assignments` include those of `gold` and those for the `second` time.
    """

    kind: str
    rule: str
    dimensions: Sequence[str]
    items: int
    assignments: int
    gold: int
    second: int
    raters: int
    cost: float
    expected_gain: float | None
    by_reason: Mapping[str, int]
    allocation: Sequence[Share]


@dataclass(frozen=True, slots=True)
class RatedItem:
    """An item and how many ratings it has."""

    item: str
    ratings: int


@dataclass(frozen=True, slots=True)
class UnderAnnotated:
    """Items with fewer ratings than the campaign asks for, those with fewest first."""

    wanted: int
    count: int
    items: Sequence[RatedItem]


@dataclass(frozen=True, slots=True)
class UncertainItem:
    """An item, and the dimension on which its label is least certain."""

    item: str
    dimension: str
    confidence: float
    ratings: int


@dataclass(frozen=True, slots=True)
class MostUncertain:
    """Items below the target confidence, the least certain first."""

    target: float
    calibrated: bool
    count: int
    items: Sequence[UncertainItem]


@dataclass(frozen=True, slots=True)
class GoldCheck:
    """Whether gold shows that choosing items pays, and why."""

    decision: str
    reason: str
    n_items: int


@dataclass(frozen=True, slots=True)
class ForExpert:
    """An item on which a decision is worth its price, and why."""

    item: str
    reason: str


@dataclass(frozen=True, slots=True)
class Experts:
    """Items that are worth an adjudicator's decision, at what price."""

    decision_cost: float
    count: int
    items: Sequence[ForExpert]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The next round of an evaluation, or the reason why none follows.

    `under_annotated`, `most_uncertain`, `gold_check` and `experts` are None before anybody has
    rated, the last two also where items are not chosen by gain or have no labels.
    """

    evaluation: str
    state: str
    assuming: str = ""
    because: str = ""
    round: PlannedRound | None = None
    under_annotated: UnderAnnotated | None = None
    most_uncertain: MostUncertain | None = None
    gold_check: GoldCheck | None = None
    experts: Experts | None = None


def preview(case: Case) -> Preview:
    """Plan the next round of an evaluation without opening it."""
    view = Preview(evaluation=case.name, state=case.standing.history.place)
    if case.standing.history.estimated_once or case.row.state in {"closed", "aborted"}:
        return replace(view, because="the pool is estimated, and no round opens after that")
    if not case.sample:
        return replace(view, because="the sample is not drawn yet")
    assumed, assuming = _assume_done(case.standing.history)
    if assumed is None:
        return replace(view, because=assuming)
    view, inferred = replace(view, assuming=assuming), None
    if not case.first_pass.empty:
        inferred = infer_truths(case)
        view = replace(
            view,
            under_annotated=_under_annotated(case, inferred),
            most_uncertain=_most_uncertain(case, inferred),
        )
        if case.campaign.adaptive.policy == "gain" and inferred.labelled:
            check, experts = check_by_gold(case), _experts(case, inferred.of_labels)
            view = replace(view, experts=experts)
            if check is not None:
                shown = GoldCheck(check.decision, check.reason, check.n_items)
                view = replace(view, gold_check=shown)
    case = replace(case, standing=case.standing._replace(history=assumed))
    return _with_round(view, case, inferred)


def _with_round(view: Preview, case: Case, inferred: Inferred | None) -> Preview:
    """Add the round that the table prescribes, or why there is none."""
    try:
        prospects = foresee(case, inferred=inferred)
        step = next_step(prospects.history)
        if step.to != "collecting" or step.rests:
            ends = "no further rating pays: the pool is estimated next"
            other = f"it is {step.to} next ({step.what})"
            return replace(view, because=ends if step.to == "estimated" else other)
        case = replace(case, standing=prospects.standing)
        plan, _ = plan_next_round(case, step, planned=prospects.round)
    except (InputError, StateError) as error:
        return replace(view, because=f"it cannot be planned: {error}")
    return replace(view, round=_planned(case, plan))


def _assume_done(history: History) -> tuple[History | None, str]:
    """History from which the next round follows, and what it assumes; None and why, without one."""
    if history.state in {"sampled", "judged"}:
        return history, ""
    if history.state == "held" and history.held_reason in AT_THE_GATE:
        judged = replace(history, state="judged", held_reason=None, held_from=None, released=True)
        return judged, "a lead proceeds"
    late = history.state == "held" and history.held_reason in LATE
    if not late and history.state != "collecting":
        return None, f"it is {history.place}"
    if not history.last.ratings:
        return None, f"nobody has rated anything in round {history.last.number}"
    last = replace(history.last, state="closed", open=0)
    judged = replace(
        history,
        state="judged",
        held_reason=None,
        held_from=None,
        rounds=(*history.rounds[:-1], last),
        verdict="PASS" if last.kind == "main" else history.verdict,
        pilot_met=True,
    )
    gate = {"pilot": ", and all meet its criterion", "main": ", and the gate passes"}
    return judged, f"round {last.number} closes as it is{gate.get(last.kind, '')}"


def _planned(case: Case, plan: RoundPlan) -> PlannedRound:
    reasons = Counter(row.reason for row in plan.assignments)
    gains = [row.gain for row in plan.assignments if row.gain is not None]
    allocation = _allocation(case, plan)
    checks = {"gold", "repeat"}
    return PlannedRound(
        kind=plan.kind,
        rule=plan.rule,
        dimensions=list(plan.dimensions),
        items=len({row.item for row in plan.assignments if row.reason not in checks}),
        assignments=len(plan.assignments),
        gold=reasons["gold"],
        second=reasons["repeat"],
        raters=len(allocation),
        cost=sum(share.cost for share in allocation),
        expected_gain=sum(gains) if gains else None,
        by_reason=dict(sorted(reasons.items())),
        allocation=allocation,
    )


def _allocation(case: Case, plan: RoundPlan) -> list[Share]:
    people = {person.pseudonym: person for person in case.raters}
    usual = case.campaign.raters.minutes_per_item
    load = Counter(row.rater for row in plan.assignments)
    sessions = {
        rater: max(own.session for own in plan.assignments if own.rater == rater) for rater in load
    }
    return [
        Share(
            rater,
            number,
            number * (people[rater].minutes_per_item or usual),
            sessions[rater],
            number * people[rater].cost,
        )
        for rater, number in sorted(load.items())
    ]


def _under_annotated(case: Case, inferred: Inferred) -> UnderAnnotated:
    wanted = case.campaign.raters.per_item
    rated = [
        dict(zip(table.items, table.counts().sum(axis=1).tolist(), strict=True))
        for table in inferred.tables.values()
    ]
    fewest = {item.item: min(counts.get(item.item, 0) for counts in rated) for item in case.sample}
    short = sorted((number, item) for item, number in fewest.items() if number < wanted)
    items = [RatedItem(item, int(number)) for number, item in short[:SHOWN]]
    return UnderAnnotated(wanted, len(short), items)


def _experts(case: Case, inferred: Inferred) -> Experts:
    worth = for_the_adjudicator(case, inferred)
    shown = worth.head(SHOWN)
    items = [ForExpert(*row) for row in zip(shown["item"], shown["reason"], strict=True)]
    return Experts(decision_cost(case), len(worth), items)


def _most_uncertain(case: Case, inferred: Inferred) -> MostUncertain:
    target = case.campaign.truth.target_confidence
    least: dict[str, UncertainItem] = {}
    for name in inferred.labelled:
        truth, counts = inferred.truths[name], inferred.tables[name].counts().sum(axis=1)
        for item, confidence, n in zip(truth.items, truth.confidence, counts, strict=True):
            known = least.get(str(item))
            if known is None or confidence < known.confidence:
                least[str(item)] = UncertainItem(str(item), name, float(confidence), int(n))
    unsure = sorted(
        (item for item in least.values() if item.confidence < target),
        key=lambda item: (item.confidence, item.item),
    )
    calibrated = all(truth.calibration is not None for truth in inferred.truths.values())
    return MostUncertain(target, calibrated, len(unsure), unsure[:SHOWN])
