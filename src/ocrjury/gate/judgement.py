"""Compare the agreement of every dimension with a policy."""

from collections.abc import Mapping
from dataclasses import replace
from math import isnan

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.gate.actions import suggest_actions
from ocrjury.gate.conditions import Outcome, check_condition
from ocrjury.gate.evidence import Diagnosis
from ocrjury.gate.policy import GatePolicy
from ocrjury.gate.verdict import WORST_FIRST, Decision, DimensionVerdict, Grade, Verdict
from ocrjury.gate.wording import (
    Reading,
    enough_sentence,
    few_sentence,
    overall_sentence,
    paradox_sentence,
    rare_sentence,
)

_COMMON = 0.8  # share of the ratings from which one category is said to be common


def judge(
    estimates_by_dimension: Mapping[str, Mapping[str, Estimate]],
    policy: GatePolicy,
    *,
    diagnosis: Diagnosis | None = None,
    population: int | None = None,
) -> Verdict:
    """Whether the raters agree well enough, per dimension and overall.

    Parameters
    ----------
    estimates_by_dimension
        For every dimension what `ocrjury.agreement.measure_agreement` returned, or at least the
        estimates that the policy names.
    diagnosis
        Evidence that informs the actions only.
    population
        Items that there are to rate, those rated already among them; no more are asked for. None:
        as many as it takes, up to ten times those there.

    Returns
    -------
    Verdict
        PASS if every condition holds; FAIL if the upper bound of some condition is below its
        floor, or the point is, on enough items; else INCONCLUSIVE. Undefined estimates are
        INCONCLUSIVE.

    Raises
    ------
    InputError
        Without a dimension, or without an estimate that the policy names.

    Examples
    --------
    >>> alpha = Estimate(0.81, se=0.03, n_items=120)
    >>> verdict = judge({"meaning": {"krippendorff_alpha": alpha}}, GatePolicy.preset("default"))
    >>> verdict.decision, verdict.grade
    ('PASS', 'reliable')
    """
    if not estimates_by_dimension:
        raise InputError(
            "the gate needs the agreement of at least one dimension; found none. "
            "Pass {dimension: measure_agreement(table)}."
        )
    by_dimension = {
        name: judge_dimension(name, estimates, policy, population=population)
        for name, estimates in estimates_by_dimension.items()
    }
    decision = min((one.decision for one in by_dimension.values()), key=WORST_FIRST.index)
    verdict = Verdict(
        decision,
        _overall_grade(decision, by_dimension),
        by_dimension,
        _overall_reasons(by_dimension),
        needed_items=_overall_need(decision, by_dimension),
    )
    return replace(verdict, actions=tuple(suggest_actions(diagnosis or Diagnosis(), verdict)))


def judge_dimension(
    dimension: str,
    estimates: Mapping[str, Estimate],
    policy: GatePolicy,
    *,
    population: int | None = None,
) -> DimensionVerdict:
    """Verdict on one dimension."""
    outcomes = [
        check_condition(dimension, one, estimates, policy=policy, population=population)
        for one in policy.conditions
    ]
    decision: Decision = min((one.decision for one in outcomes), key=WORST_FIRST.index)
    reasons = [one.sentence for one in sorted(outcomes, key=_by_severity)]
    primary = outcomes[0].reading
    paradox = decision == "FAIL" and has_paradox(estimates, policy)
    if paradox:
        decision = "INCONCLUSIVE"
        reasons.append(paradox_sentence(dimension, estimates))
    else:
        reasons += _ground(decision, primary, estimates, policy=policy)
        if decision == "INCONCLUSIVE":
            reasons += dict.fromkeys(one.out_of_reach for one in outcomes if one.out_of_reach)
    return DimensionVerdict(
        decision,
        _grade(decision, estimates, primary=primary, policy=policy),
        tuple(reasons),
        None if paradox or decision != "INCONCLUSIVE" else _need(outcomes),
        primary.name,
        primary.estimate.value,
        paradox,
        decision == "INCONCLUSIVE" and population is not None and population < policy.min_items,
    )


def _ground(
    decision: Decision,
    primary: Reading,
    estimates: Mapping[str, Estimate],
    *,
    policy: GatePolicy,
) -> list[str]:
    """Sentences on how much evidence there is."""
    dimension, n_items = primary.dimension, primary.estimate.n_items
    if decision == "PASS":
        return [enough_sentence(dimension, n_items, primary.estimate.n_raters)]
    if decision == "FAIL":
        return []
    few = n_items < policy.min_items
    said = [few_sentence(dimension, n_items, policy.min_items)] if few else []
    modal = estimates.get("modal_share")
    if modal is not None and _COMMON <= modal.value < 1:
        said.append(rare_sentence(dimension, modal, n_items))
    return said


def _overall_reasons(by_dimension: Mapping[str, DimensionVerdict]) -> tuple[str, ...]:
    """Reasons of all dimensions, the worst first, and which one decides."""
    worst_first = sorted(by_dimension.values(), key=lambda one: WORST_FIRST.index(one.decision))
    said = [reason for one in worst_first for reason in one.reasons]
    return (*said, overall_sentence(by_dimension)) if len(by_dimension) > 1 else tuple(said)


def has_paradox(estimates: Mapping[str, Estimate], policy: GatePolicy) -> bool:
    """Whether one category is so common that alpha is low beside high agreement."""
    names = ("percent_agreement", "gwet_ac", "krippendorff_alpha")
    agreement, gwet, alpha = (estimates.get(name) for name in names)
    if agreement is None or gwet is None or alpha is None or isnan(alpha.value):
        return False
    return (
        agreement.value >= policy.paradox_agreement
        and gwet.value - alpha.value >= policy.paradox_gap
    )


def _by_severity(outcome: Outcome) -> int:
    """Place of an outcome, the worst first."""
    return WORST_FIRST.index(outcome.decision)


def _grade(
    decision: Decision, estimates: Mapping[str, Estimate], *, primary: Reading, policy: GatePolicy
) -> Grade | None:
    """How good a PASS is: by alpha, whatever the policy looked at."""
    if decision != "PASS":
        return None
    alpha = estimates.get("krippendorff_alpha", primary.estimate)
    return "reliable" if alpha.value >= policy.reliable_from else "tentative"


def _need(outcomes: list[Outcome]) -> int | None:
    """Most items that an undecided condition still needs, None if they do not help."""
    return _most([one.needed_items for one in outcomes if one.decision == "INCONCLUSIVE"])


def _overall_grade(
    decision: Decision, by_dimension: Mapping[str, DimensionVerdict]
) -> Grade | None:
    """Lower of the grades of a PASS."""
    if decision != "PASS":
        return None
    grades = {one.grade for one in by_dimension.values()}
    return "tentative" if "tentative" in grades else "reliable"


def _overall_need(decision: Decision, by_dimension: Mapping[str, DimensionVerdict]) -> int | None:
    """Most items that a dimension needs, None if that would not settle all."""
    if decision != "INCONCLUSIVE":
        return None
    return _most(
        [one.needed_items for one in by_dimension.values() if one.decision == "INCONCLUSIVE"]
    )


def _most(needs: list[int | None]) -> int | None:
    """Largest number, None if any is unknown."""
    known = [need for need in needs if need is not None]
    return max(known) if known and len(known) == len(needs) else None
