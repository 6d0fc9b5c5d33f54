"""Colour and word of an agreement, by what the gate asks of it."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.frontends.web.desk.agreement_bodies import Colour
from ocrjury.gate.fitting import fitting_estimate
from ocrjury.gate.policy import GatePolicy
from ocrjury.language import phrase


class Tone(NamedTuple):
    """A colour, and the word that says the same."""

    colour: Colour
    word: str


class GateTone(NamedTuple):
    """The statistic that the gate goes by, its estimate, and how it stands to the floor."""

    statistic: str
    estimate: Estimate
    tone: Tone


UNDEFINED = Tone("none", phrase("undefined"))
FEW = Tone("none", phrase("too few items to tell"))
REACHED = Tone("green", phrase("the floor is reached"))
UNSURE = Tone("yellow", phrase("not sure yet"))
DOUBTFUL = Tone("orange", phrase("below the floor, not sure yet"))
BELOW = Tone("red", phrase("below the floor"))
LEGEND = (REACHED, UNSURE, DOUBTFUL, BELOW, FEW)
_DECIDED = {"PASS": REACHED, "FAIL": BELOW, "INCONCLUSIVE": UNSURE}
_WORST_FIRST: tuple[Colour, ...] = ("red", "orange", "yellow", "none", "green")


def gate_tone(
    dimension: str,
    estimates: Mapping[str, Estimate],
    policy: GatePolicy,
    *,
    decision: str | None,
) -> GateTone:
    """Tone of the gate's own statistic on a dimension.

    Before a gate that may judge at any time has judged, the range too holds however often it is
    looked at.

    Parameters
    ----------
    decision
        What the gate said of the dimension, which then decides; None before it has judged.
    """
    condition = policy.primary
    name = fitting_estimate(dimension, condition, estimates)
    estimate = estimates[name]
    if decision is None and policy.looks is None and condition.rule == "bound":
        estimate = _at_any_time(estimate, estimates, policy.confidence)
    if decision in {"PASS", "FAIL"}:
        return GateTone(name, estimate, _DECIDED[decision])
    if not estimate.defined:
        return GateTone(name, estimate, UNDEFINED)
    if estimate.n_items < policy.min_items:
        return GateTone(name, estimate, FEW)
    if decision is not None:
        return GateTone(name, estimate, _DECIDED[decision])
    sure = estimate.value if condition.rule == "point" else estimate.low
    return GateTone(name, estimate, _against(condition.floor, sure, estimate))


def worst(colours: list[Colour]) -> Colour:
    """Colour of the dimension that keeps the gate closed.

    Examples
    --------
    >>> worst(["green", "orange", "none"]), worst([])
    ('orange', 'none')
    """
    return min(colours, key=_WORST_FIRST.index, default="none")


def _at_any_time(
    estimate: Estimate, estimates: Mapping[str, Estimate], confidence: float
) -> Estimate:
    """Estimate with the bounds of a gate that may judge at any time."""
    if not (estimate.defined and math.isfinite(estimate.se)):
        return estimate
    # Few policies need these, and they import SciPy.
    from ocrjury.gate.conditions import one_sided_bounds  # noqa: PLC0415
    from ocrjury.gate.looks import anytime_confidence  # noqa: PLC0415

    each = anytime_confidence(confidence, max(estimate.n_items, 1))
    low, high = one_sided_bounds(estimate, estimates, each)
    return replace(estimate, low=low, high=high)


def _against(floor: float, sure: float, estimate: Estimate) -> Tone:
    """Tone of an estimate of which a number is sure."""
    if sure >= floor:
        return REACHED
    if estimate.value >= floor:
        return UNSURE
    return DOUBTFUL if estimate.high >= floor else BELOW
