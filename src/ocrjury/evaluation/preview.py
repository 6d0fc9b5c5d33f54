"""The next round before it is opened.

Where an evaluation waits for people, the next round is the one that would follow if they were done
and the gate let it pass; `Preview.assuming` says so.
"""

import math
from collections import Counter
from dataclasses import replace
from typing import cast

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.campaign.decisions import AT_THE_GATE, LATE
from ocrjury.campaign.history import HeldReason, History, Step
from ocrjury.campaign.prices import currency_of
from ocrjury.campaign.state import next_step
from ocrjury.errors import InputError, StateError
from ocrjury.evaluation.adaptive import check_by_gold, decision_cost, for_the_adjudicator
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.inference import Inferred, infer_truths
from ocrjury.evaluation.next_rounds import foresee, plan_round_to_open
from ocrjury.findings.preview import (
    Assumption,
    Experts,
    ForExpert,
    GoldCheck,
    Lack,
    MostUncertain,
    NoRound,
    PlannedRound,
    Preview,
    RatedItem,
    Share,
    UncertainItem,
    UnderAnnotated,
)
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.store.pulse import read_rating_pulse
from ocrjury.store.results import Result, newest_inputs
from ocrjury.store.rounds import CHECKS, TAKES_OVER, RoundPlan

KIND = "preview"
SHOWN = 10
"""Items named of those that have few ratings, uncertain labels or need an expert."""


def is_preview_due(case: Case) -> bool:
    """Return whether ratings of any round came in since the newest preview."""
    last = case.standing.history.last
    return last.ratings > 0 and _new_inputs(case) is not None


def new_preview(case: Case, hold: Step | None = None) -> Result | None:
    """Preview to be stored, None if the newest one was computed from the same; see `preview`."""
    case = case if hold is None else _held(case, hold)
    inputs = _new_inputs(case)
    if inputs is None or not case.rounds:
        return None
    try:
        view = preview(case)
    except (InputError, StateError) as error:
        # Nothing rests on it: whatever is wrong stops the step that needs it.
        view = replace(_nothing_yet(case), because=NoRound(cause="refused", problem=str(error)))
    return Result(case.rounds[-1].round, KIND, ALL_DIMENSIONS, view, inputs)


def _new_inputs(case: Case) -> str | None:
    """Hash of what tells a preview from others, None where the newest one was computed from it."""
    inputs = content_hash(
        {
            "state": case.standing.history.place,
            "round": _number(case),
            "ratings": read_rating_pulse(case.work.engine, case.name)._asdict(),
            "not asked": [sorted(case.dropped), sorted(case.excluded), sorted(case.decided)],
        }
    )
    return None if newest_inputs(case.work.engine, case.name, KIND) == inputs else inputs


def preview(case: Case) -> Preview:
    """Plan the next round of an evaluation without opening it."""
    view, history = _nothing_yet(case), case.standing.history
    if history.estimated_once or case.row.state in {"closed", "aborted"}:
        return replace(view, because=NoRound(cause="estimated"))
    if not case.sample:
        return replace(view, because=NoRound(cause="not drawn"))
    if (obstacle := _obstacle(history)) is not None:
        return replace(view, because=obstacle)
    assumed, assuming = _assume_done(history)
    view = replace(view, assuming=assuming)
    if not case.first_pass.empty:
        view = _with_items(view, case, infer_truths(case))
    return _with_round(view, case.at(assumed))


def _held(case: Case, step: Step) -> Case:
    """Case as it will be once a step has held it."""
    history = case.standing.history
    reason = cast("HeldReason", step.what)
    history = replace(history, state="held", held_reason=reason, held_from=history.resumes_at)
    return case.at(history)


def _nothing_yet(case: Case) -> Preview:
    place = case.standing.history.place
    return Preview(evaluation=case.name, state=place, number=_number(case))


def _number(case: Case) -> int | None:
    """Number of the newest round, None before the first."""
    return case.rounds[-1].round if case.rounds else None


def _with_items(view: Preview, case: Case, inferred: Inferred) -> Preview:
    """Add the items that have few ratings, uncertain labels or need an expert."""
    view = replace(
        view,
        under_annotated=_under_annotated(case, inferred),
        most_uncertain=_most_uncertain(case, inferred),
    )
    if case.campaign.adaptive.policy != "gain" or not inferred.labelled:
        return view
    view = replace(view, experts=_experts(case, inferred.of_labels))
    if (check := check_by_gold(case)) is None:
        return view
    return replace(view, gold_check=GoldCheck(check.decision, check.reason, check.n_items))


def _with_round(view: Preview, case: Case) -> Preview:
    """Add the round that the table prescribes, or why there is none."""
    try:
        prospects = foresee(case)
        step = next_step(prospects.history)
        if step.to != "collecting" or step.rests:
            return replace(view, because=_instead(step))
        case = case.at(prospects.history)
        plan, _ = plan_round_to_open(case, step, planned=prospects.round)
    except (InputError, StateError) as error:
        return replace(view, because=NoRound(cause="refused", problem=str(error)))
    return replace(view, round=_planned(case, plan))


def _instead(step: Step) -> NoRound:
    """Step that the table prescribes in place of a round."""
    if step.to == "estimated":
        return NoRound(cause="nothing pays")
    return NoRound(cause="other step", state=f"{step.to} ({step.what})")


def _obstacle(history: History) -> NoRound | None:
    """Obstacle to a round from the present state of an evaluation, None if one may follow."""
    if history.state in {"sampled", "judged"} or _at_the_gate(history):
        return None
    if history.state != "collecting" and not _is_late(history):
        return NoRound(cause="elsewhere", state=history.place)
    if not history.last.ratings:
        return NoRound(cause="no ratings", number=history.last.number)
    return None


def _at_the_gate(history: History) -> bool:
    return history.state == "held" and history.held_reason in AT_THE_GATE


def _is_late(history: History) -> bool:
    return history.state == "held" and history.held_reason in LATE


def _assume_done(history: History) -> tuple[History, Assumption | None]:
    """History from which the next round follows, and the event that it assumes."""
    if history.state in {"sampled", "judged"}:
        return history, None
    judged = replace(history, state="judged", held_reason=None, held_from=None)
    if _at_the_gate(history):
        return replace(judged, released=True), Assumption(event="proceed")
    last = replace(history.last, state="closed", open=0)
    passed = replace(
        judged,
        rounds=(*history.rounds[:-1], last),
        verdict="PASS" if last.kind == "main" else history.verdict,
        pilot_met=True,
    )
    return passed, Assumption(event="close", number=last.number, kind=last.kind)


def _planned(case: Case, plan: RoundPlan) -> PlannedRound:
    reasons = Counter(row.reason for row in plan.assignments)
    gains = [row.gain for row in plan.assignments if row.gain is not None]
    allocation = _allocation(case, plan)
    checks = {"gold", "repeat"}
    return PlannedRound(
        kind=plan.kind,
        rule=plan.rule,
        dimensions=tuple(plan.dimensions),
        items=len({row.item for row in plan.assignments if row.reason not in checks}),
        assignments=len(plan.assignments),
        gold=reasons["gold"],
        second=reasons["repeat"],
        raters=len(allocation),
        hours=sum(share.minutes for share in allocation) / 60,
        cost=sum(share.cost for share in allocation),
        currency=currency_of(case.row.config),
        lacks=_lacks(case, plan),
        expected_gain=sum(gains) if gains else math.nan,
        allocation=allocation,
    )


def _lacks(case: Case, plan: RoundPlan) -> Lack:
    """Reason why the cost of a round has no currency or no amount; empty if it has both."""
    raters = {row.rater for row in plan.assignments}
    if any(person.price is None for person in case.raters if person.pseudonym in raters):
        return "no price"
    return "" if currency_of(case.row.config) else "no currency"


def _allocation(case: Case, plan: RoundPlan) -> tuple[Share, ...]:
    people = {person.pseudonym: person for person in case.raters}
    usual = case.campaign.raters.minutes_per_item
    load = Counter(row.rater for row in plan.assignments)
    sessions: dict[str, int] = {}
    for row in plan.assignments:
        sessions[row.rater] = max(row.session, sessions.get(row.rater, 0))
    return tuple(
        Share(
            rater=rater,
            assignments=number,
            minutes=number * (people[rater].minutes_per_item or usual),
            sessions=sessions[rater],
            cost=number * people[rater].cost,
        )
        for rater, number in sorted(load.items())
    )


def _under_annotated(case: Case, inferred: Inferred) -> UnderAnnotated:
    wanted = _wanted(case)
    rated = [
        dict(zip(table.items, table.counts().sum(axis=1).tolist(), strict=True))
        for table in inferred.tables.values()
    ]
    names = [item.item for item in case.sample if item.item not in case.excluded]
    fewest = {name: min(counts.get(name, 0) for counts in rated) for name in names}
    short = sorted((number, item) for item, number in fewest.items() if number < wanted[item])
    items = tuple(RatedItem(item, int(number)) for number, item in short[:SHOWN])
    return UnderAnnotated(case.campaign.raters.per_item, len(short), items)


def _wanted(case: Case) -> dict[str, int]:
    """Number of ratings that main rounds asked for of each sampled item; one at least.

    Where part of the items get two raters, the others lack no second one.
    """
    requested = Counter(
        row.item
        for row in case.assignments
        if case.kinds[row.round] == "main" and row.reason not in {*CHECKS, TAKES_OVER}
    )
    return {item.item: max(requested[item.item], 1) for item in case.sample}


def _experts(case: Case, inferred: Inferred) -> Experts:
    worth = for_the_adjudicator(case, inferred)
    shown = worth.head(SHOWN)
    rows = zip(shown["item"], shown["reason"], strict=True)
    items = tuple(ForExpert(str(item), reason) for item, reason in rows)
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
    return MostUncertain(target, calibrated, len(unsure), tuple(unsure[:SHOWN]))
