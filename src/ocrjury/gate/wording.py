"""The gate's reasons in sentences that a manager understands, with the numbers in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isinf
from typing import Final

from ocrjury.estimate import Estimate
from ocrjury.gate.verdict import Decision

NAMES: Final[dict[str, str]] = {
    "krippendorff_alpha": "Krippendorff's alpha",
    "fleiss_kappa": "Fleiss' kappa",
    "mean_pairwise_kappa": "the mean kappa over pairs of raters",
    "mean_pairwise_weighted_kappa": "the mean weighted kappa over pairs of raters",
    "gwet_ac": "Gwet's AC1",
    "percent_agreement": "percent agreement",
    "exact_agreement": "the share of pairs with the same rating",
    "adjacent_agreement": "the share of pairs at most one point apart",
    "human_agreement": "human agreement A^HH",
    "human_agreement_corrected": "human agreement A^HH beyond chance",
    "icc": "the intraclass correlation",
}

WHY_UNDEFINED: Final[dict[str, str]] = {
    "no_items": "there are no ratings",
    "fewer_than_two_raters": "only one rater has rated",
    "no_pairable_items": "no item has ratings by two raters",
    "no_variation": "all ratings are the same, so that agreement cannot be told from chance",
    "fewer_than_two_items": "there is only one item",
    "fewer_than_two_categories": "the scale has only one category",
    "no_complete_items": "no item was rated by every rater",
    "too_few_common_items": "no pair of raters shares enough items",
    "scale_mismatch": "it does not fit the scale",
}

_SHARES = ("percent_agreement", "exact_agreement", "adjacent_agreement")


@dataclass(frozen=True, slots=True)
class Reading:
    """An estimate of one dimension with its one-sided bounds, held against a floor.

    ``enough`` tells whether it rests on enough items for a PASS.
    """

    dimension: str
    name: str
    estimate: Estimate
    lower: float
    upper: float
    floor: float
    confidence: float
    enough: bool

    @property
    def subject(self) -> str:
        """Return how a sentence about it begins."""
        return f"On {self.dimension}, {NAMES.get(self.name, self.name)}"

    @property
    def sure(self) -> str:
        """Return the confidence of the bounds in words."""
        return f"with {100 * self.confidence:g} % confidence"

    def number(self, value: float) -> str:
        """Return a value as readers know it, with digits enough to stand apart from the floor."""
        scale, unit, digits = self._style()
        floor = scale * self.floor
        while (
            digits < 6
            and value != self.floor
            and f"{scale * value:.{digits}f}" == (f"{floor:.{digits}f}")
        ):
            digits += 1
        return f"{scale * value:.{digits}f}{unit}"

    @property
    def required(self) -> str:
        """Return the floor as readers know it."""
        scale, unit, _ = self._style()
        return f"{scale * self.floor:g}{unit}"

    def _style(self) -> tuple[int, str, int]:
        """Return factor, unit and digits."""
        return (100, " %", 0) if self.name in _SHARES else (1, "", 3)


def bound_sentence(reading: Reading, decision: Decision, *, needed: int | None) -> str:
    """Return the sentence about a lower bound and its floor."""
    if decision == "INCONCLUSIVE":
        more = f" About {needed} more items with two ratings should settle it." if needed else ""
        return f"{_doubt(reading)}.{more}"
    opening = f"{reading.subject} is {reading.number(reading.estimate.value)}"
    lower, upper = reading.number(reading.lower), reading.number(reading.upper)
    if decision == "PASS":
        return f"{opening} and {reading.sure} at least {lower}; {reading.required} is required."
    if reading.upper < reading.floor:
        return (
            f"{opening} and {reading.sure} no more than {upper}, below the required "
            f"{reading.required}."
        )
    return f"{opening} on {reading.estimate.n_items} items, below the required {reading.required}."


def _doubt(reading: Reading) -> str:
    """Return why a lower bound does not settle the matter, without the full stop."""
    n, sure, required = reading.estimate.n_items, reading.sure, reading.required
    opening = f"{reading.subject} is {reading.number(reading.estimate.value)}"
    lower, upper = reading.number(reading.lower), reading.number(reading.upper)
    if isinf(reading.lower):
        return f"{opening}, but these {n} items cannot tell how sure that is"
    if reading.estimate.value < reading.floor:
        return (
            f"{opening}, below the required {required}, but {sure} it could be as high as {upper} "
            f"on only {n} items"
        )
    if reading.lower >= reading.floor:
        return f"{opening} and {sure} at least {lower}, but on only {n} items"
    return f"{opening}, but {sure} only at least {lower}, while {required} is required"


def point_sentence(reading: Reading, decision: Decision) -> str:
    """Return the sentence about a value and its floor."""
    value, n = reading.number(reading.estimate.value), reading.estimate.n_items
    opening = f"{reading.subject} is {value} on {n} items"
    if decision == "PASS":
        return f"{opening}; {reading.required} is required."
    if decision == "FAIL":
        return f"{opening}, below the required {reading.required}."
    side = "reaches" if reading.estimate.value >= reading.floor else "misses"
    return f"{opening}, which {side} the required {reading.required} but rests on too few items."


def undefined_sentence(reading: Reading) -> str:
    """Return the sentence about an estimate without a value."""
    reason = reading.estimate.reason or "the data have no answer"
    return f"{reading.subject} cannot be computed: {WHY_UNDEFINED.get(reason, reason)}."


def few_sentence(dimension: str, n_items: int, least: int) -> str:
    """Return the sentence about too few items for a PASS."""
    return (
        f"On {dimension}, {n_items} items have two or more ratings; "
        f"the gate decides from {least} on."
    )


def enough_sentence(dimension: str, n_items: int, n_raters: int) -> str:
    """Return the sentence about what a PASS rests on."""
    return f"On {dimension}, this rests on {n_items} items with two or more of {n_raters} raters."


def paradox_sentence(dimension: str, estimates: Mapping[str, Estimate]) -> str:
    """Return the sentence of the prevalence guard."""
    agreement, gwet = estimates["percent_agreement"].value, estimates["gwet_ac"].value
    modal = estimates.get("modal_share")
    share = f" ({100 * modal.value:.0f} % of the ratings)" if modal and modal.defined else ""
    return (
        f"On {dimension}, the raters give the same rating {100 * agreement:.0f} % of the time and "
        f"Gwet's AC1 is {gwet:.3f}: one category is so common{share} that alpha cannot show "
        "agreement. More items of the rare categories are needed, not a failing grade."
    )
