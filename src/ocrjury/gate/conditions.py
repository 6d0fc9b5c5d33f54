"""Whether one condition of a policy holds, with one-sided bounds from value and standard error."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.gate.policy import Condition, GatePolicy
from ocrjury.gate.verdict import Decision
from ocrjury.gate.wording import Reading, bound_sentence, point_sentence, undefined_sentence

# More items cannot mend these.
_HOPELESS = frozenset({"fewer_than_two_raters", "fewer_than_two_categories", "scale_mismatch"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a condition looked at, and what came out."""

    reading: Reading
    decision: Decision
    sentence: str
    needed_items: int | None = None


def check_condition(
    dimension: str,
    condition: Condition,
    estimates: Mapping[str, Estimate],
    *,
    policy: GatePolicy,
) -> Outcome:
    """Return whether a condition holds on one dimension."""
    name = _fitting(dimension, condition, estimates)
    reading = _read(dimension, name, estimates[name], condition=condition, policy=policy)
    if math.isnan(reading.estimate.value):
        hopeless = reading.estimate.reason in _HOPELESS
        need = None if hopeless else _to_minimum(reading, policy)
        return Outcome(reading, "INCONCLUSIVE", undefined_sentence(reading), need)
    if condition.rule == "point":
        return _by_point(reading, condition, policy)
    return _by_bound(reading, condition, policy)


def _by_point(reading: Reading, condition: Condition, policy: GatePolicy) -> Outcome:
    """Return the outcome where the value itself must reach the floor."""
    decision: Decision = "INCONCLUSIVE"
    if reading.enough:
        decision = "PASS" if _reaches(reading.estimate.value, condition) else "FAIL"
    elif reading.upper < condition.floor:
        decision = "FAIL"
    need = _to_minimum(reading, policy) if decision == "INCONCLUSIVE" else None
    return Outcome(reading, decision, point_sentence(reading, decision), need)


def _by_bound(reading: Reading, condition: Condition, policy: GatePolicy) -> Outcome:
    """Return the outcome where the one-sided lower bound must reach the floor."""
    below = reading.estimate.value < condition.floor
    decision: Decision = "INCONCLUSIVE"
    if reading.enough and _reaches(reading.lower, condition):
        decision = "PASS"
    elif reading.upper < condition.floor or (reading.enough and below):
        decision = "FAIL"
    need = _needed(reading, policy) if decision == "INCONCLUSIVE" else None
    return Outcome(reading, decision, bound_sentence(reading, decision, needed=need), need)


def _read(
    dimension: str, name: str, estimate: Estimate, *, condition: Condition, policy: GatePolicy
) -> Reading:
    """Return an estimate with its bounds, infinite without a standard error."""
    reach = NormalDist().inv_cdf(policy.confidence) * estimate.se
    known = not math.isnan(estimate.se)
    return Reading(
        dimension,
        name,
        estimate,
        lower=estimate.value - reach if known else -math.inf,
        upper=estimate.value + reach if known else math.inf,
        floor=condition.floor,
        confidence=policy.confidence,
        enough=estimate.n_items >= policy.min_items,
    )


def _fitting(dimension: str, condition: Condition, estimates: Mapping[str, Estimate]) -> str:
    """Return the first named estimate that fits the scale; raise if none was measured."""
    measured = [name for name in condition.estimates if name in estimates]
    if not measured:
        raise InputError(
            f"the gate policy needs {' or '.join(condition.estimates)} of dimension "
            f"{dimension!r}; found {', '.join(estimates) or 'nothing'}. "
            "Pass what measure_agreement() returns."
        )
    fitting = [name for name in measured if estimates[name].reason != "scale_mismatch"]
    return (fitting or measured)[0]


def _reaches(number: float, condition: Condition) -> bool:
    """Return whether a number satisfies the floor."""
    return number > condition.floor if condition.above else number >= condition.floor


def _to_minimum(reading: Reading, policy: GatePolicy) -> int | None:
    """Return how many items are missing to the least number, None if none are."""
    missing = policy.min_items - reading.estimate.n_items
    return missing if missing > 0 else None


def _needed(reading: Reading, policy: GatePolicy) -> int | None:
    """Return how many more items would lift the bound to the floor if the value stayed.

    The standard error falls with the root of the number of items.
    """
    n, margin = reading.estimate.n_items, reading.estimate.value - reading.floor
    if margin <= 0 or math.isinf(reading.lower):
        return _to_minimum(reading, policy)
    total = math.ceil(n * ((reading.estimate.value - reading.lower) / margin) ** 2)
    return max(total - n, policy.min_items - n, 1)
