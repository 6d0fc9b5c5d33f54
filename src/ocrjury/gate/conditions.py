"""Check of one condition of a policy, with one-sided bounds from value and standard error.

Disagreements are counts, and the variance of a count grows with the count. A sample that agrees
well by chance therefore also has a small standard error, and the bound value - 1.645 se passes
raters at the floor in up to 12 % of evaluations instead of 5 % (``benchmarks/results/gate.md``).
The bound L therefore uses the error of raters at L, in proportion to the root of their
disagreement: (value - L)^2 = z^2 se^2 (1 - L) / (1 - value), as Wilson (1927, JASA 22, 209-212) did
for a share. For items that were drawn together, z is Student's t (`bound_quantile`).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ocrjury.estimate import Estimate
from ocrjury.gate.fitting import fitting_estimate
from ocrjury.gate.looks import Looks
from ocrjury.gate.needed_items import bound_quantile, missing_items, needed_items, unseen_share
from ocrjury.gate.policy import Condition, GatePolicy
from ocrjury.gate.reading import Reading
from ocrjury.gate.verdict import Decision
from ocrjury.gate.wording import (
    Promise,
    bound_sentence,
    point_sentence,
    reach_sentence,
    undefined_sentence,
)

# More items cannot remove these reasons.
_HOPELESS = frozenset({"fewer_than_two_raters", "fewer_than_two_categories", "scale_mismatch"})
_NO_ERROR = 1e-9  # a standard error below this is 0 up to rounding
# Just above the floor the number of items grows without limit; at most ten times as many are asked.
_TOO_MANY = 10


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """Result of checking a condition.

    ``out_of_reach`` says why no number of items is given although more of them would help.
    """

    reading: Reading
    decision: Decision
    sentence: str
    needed_items: int | None = None
    out_of_reach: str = ""


def check_condition(
    dimension: str,
    condition: Condition,
    estimates: Mapping[str, Estimate],
    *,
    policy: GatePolicy,
    looks: Looks,
    population: int | None = None,
    fresh: int | None = None,
) -> ConditionResult:
    """Check a condition on one dimension.

    ``population`` is the number of items available for rating, None if unlimited; ``fresh`` of
    those that nobody was asked about yet, None if that is all without two ratings.
    """
    outcome = _checked(dimension, condition, estimates, policy=policy, looks=looks)
    need, reading = outcome.needed_items, outcome.reading
    present = reading.estimate.n_items
    left = math.inf if population is None else max(population - present, 0)
    left = left if fresh is None else fresh
    most = _TOO_MANY * max(present, policy.min_items)
    if need is None or need <= min(left, most):
        return outcome
    out_of_reach = reach_sentence(reading, need, left=left, most=most)
    sentence = outcome.sentence
    if condition.rule == "bound" and not math.isnan(reading.estimate.value):
        sentence = bound_sentence(reading, outcome.decision)
    return replace(outcome, sentence=sentence, needed_items=None, out_of_reach=out_of_reach)


def _checked(
    dimension: str,
    condition: Condition,
    estimates: Mapping[str, Estimate],
    *,
    policy: GatePolicy,
    looks: Looks,
) -> ConditionResult:
    """Check a condition as if the number of items were unlimited."""
    name = fitting_estimate(dimension, condition, estimates)
    reading = _read(dimension, name, estimates, condition=condition, enough=policy.min_items)
    reading = _with_bounds(reading, estimates, looks.bound_confidence)
    if math.isnan(reading.estimate.value):
        hopeless = reading.estimate.reason in _HOPELESS
        need = None if hopeless else missing_items(reading, policy)
        return ConditionResult(reading, "INCONCLUSIVE", undefined_sentence(reading), need)
    if condition.rule == "point":
        return _by_point(reading, condition, policy)
    return _by_bound(reading, condition, policy=policy, looks=looks)


def _by_point(reading: Reading, condition: Condition, policy: GatePolicy) -> ConditionResult:
    """Outcome where the value itself must reach the floor."""
    decision: Decision = "INCONCLUSIVE"
    if reading.enough:
        decision = "PASS" if _reaches(reading.estimate.value, condition) else "FAIL"
    elif reading.upper < condition.floor:
        decision = "FAIL"
    need = missing_items(reading, policy) if decision == "INCONCLUSIVE" else None
    return ConditionResult(reading, decision, point_sentence(reading, decision), need)


def _by_bound(
    reading: Reading, condition: Condition, *, policy: GatePolicy, looks: Looks
) -> ConditionResult:
    """Outcome where the one-sided lower bound must reach the floor."""
    below = reading.estimate.value < condition.floor
    decision: Decision = "INCONCLUSIVE"
    if reading.enough and _reaches(reading.lower, condition):
        decision = "PASS"
    elif reading.upper < condition.floor or (reading.enough and below):
        decision = "FAIL"
    need = needed_items(reading, policy, looks) if decision == "INCONCLUSIVE" else None
    promise = None if need is None else Promise(need, policy.chance)
    return ConditionResult(reading, decision, bound_sentence(reading, decision, promise), need)


def _read(
    dimension: str,
    name: str,
    estimates: Mapping[str, Estimate],
    *,
    condition: Condition,
    enough: int,
) -> Reading:
    """Estimate before its bounds."""
    return Reading(
        dimension,
        name,
        estimates[name],
        floor=condition.floor,
        enough=estimates[name].n_items >= enough,
        continuous=_is_continuous(estimates),
    )


def _with_bounds(reading: Reading, estimates: Mapping[str, Estimate], confidence: float) -> Reading:
    """Estimate with its bounds."""
    lower, upper = one_sided_bounds(reading.estimate, estimates, confidence)
    return replace(reading, lower=lower, upper=upper, confidence=confidence)


def one_sided_bounds(
    estimate: Estimate, estimates: Mapping[str, Estimate], confidence: float
) -> tuple[float, float]:
    """Lower and upper bound by which a condition holds or not, infinite without a standard error.

    ``estimates`` are all of the dimension.
    """
    if estimate.value >= 1 and math.isfinite(estimate.se):
        return _bound_of_perfection(estimate, estimates, confidence), 1.0
    return _bounds(estimate, confidence)


def _is_continuous(estimates: Mapping[str, Estimate]) -> bool:
    """Return whether the scale is continuous: only there kappa does not fit."""
    kappa = estimates.get("fleiss_kappa")
    return kappa is not None and kappa.reason == "scale_mismatch"


def _bounds(estimate: Estimate, confidence: float) -> tuple[float, float]:
    """One-sided lower and upper bound, infinite without a standard error."""
    if not math.isfinite(estimate.se):
        return -math.inf, math.inf
    value, room = estimate.value, 1 - estimate.value
    square = (bound_quantile(estimate, confidence) * estimate.se) ** 2
    centre, reach = value - square / room / 2, math.sqrt(square + (square / room / 2) ** 2)
    upper = centre + reach
    if estimate.se < _NO_ERROR:  # equal items do not prove that the others are equal
        upper = value + unseen_share(estimate.effective_draws, confidence) * room
    return max(centre - reach, min(value, -1.0)), upper


def _bound_of_perfection(
    estimate: Estimate, estimates: Mapping[str, Estimate], confidence: float
) -> float:
    """Lower bound where no two ratings differ, so that the standard error is 0.

    One minus the largest share of disagreement compatible with n draws without one, divided by the
    least disagreement expected by chance if the most common category has the share m: 2 m (1 - m)
    if m is above one half, because the rest differs at least from it, and 1 - m otherwise.
    Draws of unequal weight count as their effective number (Korn and Graubard 1998, Survey
    Methodology 24(2), 193-201), as in the interval of a share.
    """
    unseen = unseen_share(estimate.effective_draws, confidence)
    modal = estimates.get("modal_share")
    m = modal.value if modal is not None and modal.value < 1 else 0.0
    return max(1 - unseen / ((1 - m) * max(1.0, 2 * m)), -1.0)


def _reaches(number: float, condition: Condition) -> bool:
    """Return whether a number satisfies the floor."""
    return number > condition.floor if condition.above else number >= condition.floor
