"""The next round before it is opened.

Nothing is written. Where an evaluation waits for people, the next round is the one
that would follow if they were done and the gate let it pass; ``assuming`` says so.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

from ocrjury.campaign.decisions import AT_THE_GATE, LATE
from ocrjury.campaign.history import History
from ocrjury.campaign.state import next_step
from ocrjury.errors import InputError, StateError
from ocrjury.evaluation.adaptive import check_by_gold, decision_cost, for_the_adjudicator
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.inference import Inferred, infer_truths
from ocrjury.evaluation.next_rounds import plan_next_round
from ocrjury.evaluation.prospects import foresee
from ocrjury.store.rounds import RoundPlan

SHOWN = 10
"""Items named of those that are under-annotated or uncertain."""


def preview(case: Case) -> dict[str, Any]:
    """Return the next round of an evaluation as plain values; ``because`` says why there is none.

    ``under_annotated``, ``most_uncertain``, ``gold_check`` and ``experts`` are None before anybody
    has rated, the last two also where items are not chosen by gain or have no labels.
    """
    body: dict[str, Any] = {
        "evaluation": case.name,
        "state": case.standing.history.place,
        "assuming": "",
        "because": "",
        "round": None,
        "under_annotated": None,
        "most_uncertain": None,
        "gold_check": None,
        "experts": None,
    }
    if case.standing.history.estimated_once or case.row.state in {"closed", "aborted"}:
        return body | {"because": "the pool is estimated, and no round opens after that"}
    if not case.sample:
        return body | {"because": "the sample is not drawn yet"}
    assumed, body["assuming"] = _assume(case.standing.history)
    if assumed is None:
        return body | {"because": body["assuming"], "assuming": ""}
    rated = not case.first_pass.empty
    if rated:
        inferred = infer_truths(case)
        body["under_annotated"] = _under_annotated(case, inferred)
        body["most_uncertain"] = _most_uncertain(case, inferred)
        body |= _by_gain(case, inferred)
    return body | _next_round(replace(case, standing=case.standing._replace(history=assumed)))


def _assume(history: History) -> tuple[History | None, str]:
    """Return the history from which the next round follows, and what it assumes.

    Without one, the sentence says why.
    """
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


def _next_round(case: Case) -> dict[str, Any]:
    """Return the round that the table prescribes, or why there is none."""
    try:
        standing = foresee(case)
        step = next_step(standing.history)
        if step.to != "collecting" or step.rests:
            return {"because": _why_none(step.to, step.what)}
        plan, _ = plan_next_round(replace(case, standing=standing), step)
    except (InputError, StateError) as error:
        return {"because": f"it cannot be planned: {error}"}
    return {"round": _describe(case, plan)}


def _why_none(to: str, what: str) -> str:
    """Return in words where an evaluation goes instead of a round."""
    if to == "estimated":
        return "no further rating pays: the pool is estimated next"
    return f"it is {to} next ({what})"


def _describe(case: Case, plan: RoundPlan) -> dict[str, Any]:
    """Return a planned round: its size, its cost, and who gets how much."""
    people = {person.pseudonym: person for person in case.raters}
    minutes = case.campaign.raters.minutes_per_item
    load = Counter(one.rater for one in plan.assignments)
    reasons = Counter(one.reason for one in plan.assignments)
    gains = [one.gain for one in plan.assignments if one.gain is not None]
    allocation = [
        {
            "rater": rater,
            "assignments": number,
            "minutes": number * (people[rater].minutes_per_item or minutes),
            "sessions": max(one.session for one in plan.assignments if one.rater == rater),
            "cost": number * people[rater].cost,
        }
        for rater, number in sorted(load.items())
    ]
    own = {one.item for one in plan.assignments if one.reason not in {"gold", "repeat"}}
    return {
        "kind": plan.kind,
        "rule": plan.rule,
        "dimensions": list(plan.dimensions),
        "items": len(own),
        "assignments": len(plan.assignments),
        "gold": reasons["gold"],
        "second": reasons["repeat"],
        "raters": len(load),
        "cost": sum(one["cost"] for one in allocation),
        "expected_gain": sum(gains) if gains else None,
        "by_reason": dict(sorted(reasons.items())),
        "allocation": allocation,
    }


def _under_annotated(case: Case, inferred: Inferred) -> dict[str, Any]:
    """Return the items with fewer ratings than the campaign asks for, those with fewest first."""
    wanted = case.campaign.raters.per_item
    rated = {
        name: dict(zip(table.items, table.counts().sum(axis=1).tolist(), strict=True))
        for name, table in inferred.tables.items()
    }
    fewest = {
        item.item: min(counts.get(item.item, 0) for counts in rated.values())
        for item in case.sample
    }
    short = sorted((number, item) for item, number in fewest.items() if number < wanted)
    return {
        "wanted": wanted,
        "count": len(short),
        "items": [{"item": item, "ratings": int(number)} for number, item in short[:SHOWN]],
    }


def _by_gain(case: Case, inferred: Inferred) -> dict[str, Any]:
    """Return whether gold says that choosing pays, and which items are worth a decision."""
    labelled = case.campaign.rubric.scale.kind != "interval"
    if case.campaign.adaptive.policy != "gain" or not labelled:
        return {}
    check = check_by_gold(case)
    experts = for_the_adjudicator(case, inferred)
    return {
        "gold_check": None
        if check is None
        else {"decision": check.decision, "reason": check.reason, "n_items": check.n_items},
        "experts": {
            "decision_cost": decision_cost(case),
            "count": len(experts),
            "items": experts.head(SHOWN)[["item", "reason"]].to_dict(orient="records"),
        },
    }


def _most_uncertain(case: Case, inferred: Inferred) -> dict[str, Any]:
    """Return the items whose labels are least sure, with the dimension where that is so."""
    target = case.campaign.truth.target_confidence
    found: dict[str, tuple[float, str, int]] = {}
    for name, truth in inferred.truths.items():
        if not inferred.has_labels(name):
            continue
        counts = inferred.tables[name].counts().sum(axis=1).tolist()
        for item, sure, n in zip(truth.items, truth.confidence.tolist(), counts, strict=True):
            before = found.get(str(item))
            if before is None or sure < before[0]:
                found[str(item)] = (sure, name, int(n))
    unsure = sorted((sure, item) for item, (sure, _, _) in found.items() if sure < target)
    calibrated = all(t.calibration is not None for t in inferred.truths.values())
    return {
        "target": target,
        "calibrated": calibrated,
        "count": len(unsure),
        "items": [
            {
                "item": item,
                "dimension": found[item][1],
                "confidence": sure,
                "ratings": found[item][2],
            }
            for sure, item in unsure[:SHOWN]
        ],
    }
