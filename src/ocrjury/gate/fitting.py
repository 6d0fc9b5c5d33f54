"""The estimate that a condition goes by; the desk asks too, without what the bounds need."""

from collections.abc import Mapping

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.gate.policy import Condition, GatePolicy


def fitting_estimate(
    dimension: str, condition: Condition, estimates: Mapping[str, Estimate]
) -> str:
    """First named estimate that fits the scale; raise if none was measured."""
    measured = [name for name in condition.estimates if name in estimates]
    if not measured:
        raise InputError(
            f"the gate policy needs {' or '.join(condition.estimates)} of dimension "
            f"{dimension!r}; found {', '.join(estimates) or 'nothing'}. "
            "Pass the result of measure_agreement()."
        )
    fitting = [name for name in measured if estimates[name].reason != "scale_mismatch"]
    return (fitting or measured)[0]


def items_seen(policy: GatePolicy, estimates: Mapping[str, Estimate]) -> int:
    """Number of items behind the primary estimate."""
    names = policy.primary.estimates
    return next((estimates[name].n_items for name in names if name in estimates), 0)
