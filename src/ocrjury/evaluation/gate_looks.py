"""Looks of the gate at an evaluation: which one comes next, and what the earlier ones saw."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from ocrjury.estimate import Estimate
from ocrjury.evaluation.case import Case
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.looks import Look, Looks
from ocrjury.gate import Diagnosis, GatePolicy, Verdict, judge
from ocrjury.store.decisions import list_set_aside
from ocrjury.store.results import findings_by_round


def take_look(
    case: Case,
    agreement: Mapping[str, AgreementFinding],
    *,
    number: int,
    diagnosis: Diagnosis,
) -> tuple[Verdict, Looks]:
    """Verdict of the campaign's gate after a main round, and what it saw.

    Every round that the gate judges is a look; judging a round anew is the same look again. Raters
    who were recalibrated on a dimension are others than before, so its looks begin anew.
    """
    earlier = _earlier_looks(case, before=number)
    policy = _policy(case, looks=1 + max((len(own) for own in earlier.values()), default=0))
    estimates = {name: finding.estimates for name, finding in agreement.items()}
    items = {name: _items(policy, of) for name, of in estimates.items()}
    verdict = judge(
        estimates,
        policy,
        diagnosis=diagnosis,
        population=case.row.pool_size,
        look={name: len(earlier.get(name, ())) + 1 for name in estimates},
        items_before={
            name: [look.items for look in own]
            for name, own in earlier.items()
            if _grows([*(look.items for look in own), items.get(name, 0)])
        },
    )
    rows = [
        Look(
            dimension=name,
            look=len(earlier.get(name, ())) + 1,
            planned=policy.looks,
            items=items[name],
            statistic=part.primary,
            value=part.value,
            lower=part.lower,
            confidence=part.confidence,
            decision=part.decision,
        )
        for name, part in verdict.by_dimension.items()
    ]
    return verdict, Looks(tuple(rows))


def _policy(case: Case, *, looks: int) -> GatePolicy:
    """Policy with a look for every top-up that the campaign allows, and those that a lead added."""
    policy = case.campaign.gate.rules
    if policy.looks is None:
        return policy
    return replace(policy, looks=max(1 + case.campaign.rounds.top_ups, looks))


def _earlier_looks(case: Case, *, before: int) -> dict[str, list[Look]]:
    """Looks of earlier rounds since a dimension's raters were last recalibrated, oldest first."""
    by_round = findings_by_round(case.work.engine, case.name, Looks, kind="looks")
    round_of = {assignment.assignment: assignment.round for assignment in case.assignments}
    recalibrated: dict[str, int] = {}
    for assignment, dimension, _ in list_set_aside(case.work.engine, case.name):
        last = recalibrated.get(dimension, 0)
        recalibrated[dimension] = max(last, round_of[assignment])
    return {
        name: [
            look
            for number, looks in sorted(by_round.items())
            if recalibrated.get(name, 0) < number < before and (look := looks.of(name)) is not None
        ]
        for name in case.dimensions
    }


def _items(policy: GatePolicy, estimates: Mapping[str, Estimate]) -> int:
    """Number of items behind the primary estimate."""
    names = policy.conditions[0].estimates
    return next((estimates[name].n_items for name in names if name in estimates), 0)


def _grows(items: Sequence[int]) -> bool:
    """Whether every look holds the items of those before; ratings may have been withdrawn."""
    return min(items) > 0 and all(earlier <= later for earlier, later in pairwise(items))
