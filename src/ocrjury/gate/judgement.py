"""Judgement of the agreement on every dimension by a policy."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite, isnan, nan

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.gate.actions import Diagnosis, suggest_actions
from ocrjury.gate.conditions import ConditionResult, check_condition
from ocrjury.gate.fitting import items_seen
from ocrjury.gate.looks import Looks
from ocrjury.gate.policy import ENOUGH_ITEMS, GatePolicy
from ocrjury.gate.reading import Reading
from ocrjury.gate.verdict import GRADED, WORST_FIRST, Decision, DimensionVerdict, Verdict
from ocrjury.gate.wording import (
    early_sentence,
    enough_sentence,
    few_sentence,
    overall_sentence,
    paradox_sentence,
    rare_sentence,
)
from ocrjury.grades import lowest_word
from ocrjury.statistics import grade

_COMMON = 0.8  # share of the ratings from which a category is called common


def judge(
    estimates_by_dimension: Mapping[str, Mapping[str, Estimate]],
    policy: GatePolicy,
    *,
    diagnosis: Diagnosis | None = None,
    population: int | None = None,
    fresh: int | None = None,
    look: int | Mapping[str, int] = 1,
    items_before: Mapping[str, Sequence[int]] | None = None,
) -> Verdict:
    """Judge the agreement of the raters, per dimension and overall.

    Parameters
    ----------
    estimates_by_dimension
        Result of `ocrjury.agreement.measure_agreement` for every dimension, or at least the
        estimates that the policy names.
    diagnosis
        Evidence that informs the actions only.
    population
        Number of items available for rating, including those already rated; no more are asked for.
        None: as many as needed, up to ten times those rated.
    fresh
        Number of items that nobody was asked about yet. None: all of the population without two
        ratings.
    look
        Which of the policy's looks this is, from 1; for each dimension if they differ.
    items_before
        Number of items at every earlier look, for each dimension. None, or a dimension left out:
        the bounds assume nothing about how the looks go together, and need more confidence.

    Returns
    -------
    Verdict
        PASS if every condition holds; FAIL if the upper bound of some condition is below its
        floor, or the point is, on enough items; else INCONCLUSIVE. Undefined estimates are
        INCONCLUSIVE.

    Raises
    ------
    InputError
        Without a dimension, without an estimate that the policy names, or for a look that the
        policy does not plan.

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
        name: judge_dimension(
            name,
            estimates,
            policy,
            population=population,
            fresh=fresh,
            look=look if isinstance(look, int) else look[name],
            items_before=None if items_before is None else items_before.get(name),
        )
        for name, estimates in estimates_by_dimension.items()
    }
    ranked = sorted(by_dimension.values(), key=lambda verdict: WORST_FIRST.index(verdict.decision))
    overall = [overall_sentence(by_dimension)] if len(ranked) > 1 else []
    verdict = Verdict(
        ranked[0].decision,
        lowest_word(verdict.grade for verdict in ranked),
        by_dimension,
        (*(reason for verdict in ranked for reason in verdict.reasons), *overall),
        needed_items=_needed(ranked),
    )
    return replace(verdict, actions=tuple(suggest_actions(diagnosis or Diagnosis(), verdict)))


def judge_dimension(
    dimension: str,
    estimates: Mapping[str, Estimate],
    policy: GatePolicy,
    *,
    population: int | None = None,
    fresh: int | None = None,
    look: int = 1,
    items_before: Sequence[int] | None = None,
) -> DimensionVerdict:
    """Verdict on one dimension."""
    looks = _looks(policy, look, items_before=items_before, estimates=estimates)
    outcomes = [
        check_condition(
            dimension,
            condition,
            estimates,
            policy=policy,
            looks=looks,
            population=population,
            fresh=fresh,
        )
        for condition in policy.conditions
    ]
    ranked = sorted(outcomes, key=lambda outcome: WORST_FIRST.index(outcome.decision))
    decision = ranked[0].decision
    reasons = [outcome.sentence for outcome in ranked]
    primary = outcomes[0].reading
    paradox = decision == "FAIL" and has_paradox(estimates, policy)
    if paradox:
        decision = "INCONCLUSIVE"
        reasons.append(paradox_sentence(dimension, estimates))
    else:
        reasons += _ground(decision, primary, estimates, policy=policy)
        if decision == "INCONCLUSIVE":
            reasons += dict.fromkeys(
                outcome.out_of_reach for outcome in outcomes if outcome.out_of_reach
            )
    return DimensionVerdict(
        decision,
        _grade(decision, estimates, primary=primary),
        tuple(reasons),
        None if paradox else _needed(ranked),
        primary.name,
        primary.estimate.value,
        paradox,
        decision == "INCONCLUSIVE" and population is not None and population < policy.min_items,
        uniform=not primary.estimate.defined and primary.estimate.reason == "no_variation",
        lower=primary.lower if isfinite(primary.lower) else nan,
        confidence=primary.confidence,
    )


def _looks(
    policy: GatePolicy,
    look: int,
    *,
    items_before: Sequence[int] | None,
    estimates: Mapping[str, Estimate],
) -> Looks:
    """Looks of the policy up to the present one."""
    before = None if items_before is None else tuple(items_before)
    return Looks(policy.confidence, policy.looks, look, items_seen(policy, estimates), before)


def _ground(
    decision: Decision,
    primary: Reading,
    estimates: Mapping[str, Estimate],
    *,
    policy: GatePolicy,
) -> list[str]:
    """Sentences on the amount of evidence."""
    dimension, n_items = primary.dimension, primary.estimate.n_items
    if decision != "INCONCLUSIVE":
        rests = enough_sentence(dimension, n_items, primary.estimate.n_raters)
        early = policy.min_items <= n_items < ENOUGH_ITEMS
        caution = early_sentence(dimension, n_items)
        return [rests] * (decision == "PASS") + [caution] * early
    few = n_items < policy.min_items
    sentences = [few_sentence(dimension, n_items, policy.min_items)] if few else []
    modal = estimates.get("modal_share")
    if modal is not None and _COMMON <= modal.value < 1:
        sentences.append(rare_sentence(dimension, modal, n_items))
    return sentences


def has_paradox(estimates: Mapping[str, Estimate], policy: GatePolicy) -> bool:
    """Return whether one category is so common that alpha is low despite high agreement."""
    agreement, gwet = estimates.get("percent_agreement"), estimates.get("gwet_ac")
    alpha = estimates.get("krippendorff_alpha")
    if agreement is None or gwet is None or alpha is None or isnan(alpha.value):
        return False
    return (
        agreement.value >= policy.paradox_agreement
        and gwet.value - alpha.value >= policy.paradox_gap
    )


def _grade(
    decision: Decision, estimates: Mapping[str, Estimate], *, primary: Reading
) -> str | None:
    """Grade of a PASS; none where it is poor."""
    if decision != "PASS":
        return None
    key = GRADED if GRADED in estimates else primary.name
    graded = grade(key, estimates[key].value)
    return str(graded.word) if graded is not None and graded.level else None


def _needed(ranked: Sequence[ConditionResult] | Sequence[DimensionVerdict]) -> int | None:
    """Largest number of items needed where the worst is undecided, None if more do not help."""
    needs = [part.needed_items for part in ranked if part.decision == ranked[0].decision]
    known = [need for need in needs if need is not None]
    return max(known) if len(known) == len(needs) else None
