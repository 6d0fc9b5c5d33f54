"""Looks of the gate at an evaluation: which one comes next, and what the earlier ones saw."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import undrawn
from ocrjury.evaluation.recalibrated_people import may_practise_alone
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.looks import Look, Looks
from ocrjury.findings.measurement.looks import Glance, grows, seen
from ocrjury.gate import Diagnosis, GatePolicy, Verdict, judge
from ocrjury.gate.fitting import items_seen
from ocrjury.store.database import reading
from ocrjury.store.decisions import list_set_aside
from ocrjury.store.practice_items import may_practise
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
    before = {
        name: items
        for name, own in earlier.items()
        if name in estimates
        and grows([*(items := [look.items for look in own]), items_seen(policy, estimates[name])])
    }
    look = {name: len(earlier.get(name, ())) + 1 for name in estimates}
    glance = Glance(policy=policy, look=look, items_before=before)
    verdict = judge(
        estimates,
        policy,
        diagnosis=replace(
            diagnosis,
            never_alone=_never_alone(case, agreement),
            anything_fresh=undrawn(case) > 0 and _may_practise(case),
        ),
        population=case.row.pool_size,
        fresh=undrawn(case),
        look=glance.look,
        items_before=glance.items_before,
    )
    return verdict, seen(verdict, glance, estimates)


def _may_practise(case: Case) -> bool:
    """Return whether enough is left for at least one rater to practise on."""
    with reading(case.work.engine) as connection:
        return case.name in may_practise(connection, [case.row])


def _never_alone(case: Case, dimensions: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of rater and dimension that no recalibration without others can be about."""
    raters = [person.pseudonym for person in case.raters if person.role == "rater"]
    return [
        (rater, dimension)
        for dimension in dimensions
        for rater in raters
        if not may_practise_alone(case, rater, [dimension])
    ]


def _policy(case: Case, *, looks: int) -> GatePolicy:
    """Policy with a look for every top-up that the campaign allows, and those that a lead added."""
    policy = case.campaign.gate.rules
    if policy.looks is None:
        return policy
    return replace(policy, looks=max(1 + case.campaign.rounds.top_ups, looks))


def looks_at_ratings(case: Case) -> dict[tuple[int, str], tuple[int, int | None]]:
    """Look that saw the ratings of a main round first, and the number planned, by dimension."""
    policy, begun = _policy(case, looks=1), _rounds_recalibrated(case)
    series = _looks_by_round(case, begun)
    mains = [row.round for row in case.rounds if row.kind == "main"]
    seen_first: dict[tuple[int, str], tuple[int, int | None]] = {}
    for name, own in series.items():
        planned = own[max(own)].planned if own else policy.looks
        for number in mains:
            look = 1 + sum(judged < number for judged in own)
            seen_first[number, name] = (look, planned)
    return seen_first


def _earlier_looks(case: Case, *, before: int) -> dict[str, list[Look]]:
    """Looks of earlier rounds since a dimension's raters were last recalibrated, oldest first."""
    series = _looks_by_round(case, _rounds_recalibrated(case))
    return {
        name: [look for number, look in own.items() if number < before]
        for name, own in series.items()
    }


def _looks_by_round(case: Case, begun: Mapping[str, int]) -> dict[str, dict[int, Look]]:
    """Looks of the rounds after a dimension's last recalibration, oldest first."""
    by_round = findings_by_round(case.work.engine, case.name, Looks, kind="looks")
    return {
        name: {
            number: look
            for number, looks in sorted(by_round.items())
            if number > begun.get(name, 0) and (look := looks.of(name)) is not None
        }
        for name in case.dimensions
    }


def _rounds_recalibrated(case: Case) -> dict[str, int]:
    """Last round of which ratings were set aside for a recalibration, by dimension."""
    round_of = {assignment.assignment: assignment.round for assignment in case.assignments}
    recalibrated: dict[str, int] = {}
    for assignment, dimension, _ in list_set_aside(case.work.engine, case.name):
        last = recalibrated.get(dimension, 0)
        recalibrated[dimension] = max(last, round_of[assignment])
    return recalibrated
