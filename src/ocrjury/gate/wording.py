"""Reasons of the gate as sentences for managers, with their numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isinf, isnan, nan
from typing import NamedTuple

from ocrjury.estimate import Estimate, reason_words
from ocrjury.gate.verdict import WORST_FIRST, Decision, DimensionVerdict
from ocrjury.statistics import statistic


@dataclass(frozen=True, slots=True)
class Reading:
    """An estimate of one dimension with its one-sided bounds and the floor.

    ``enough``: whether there are enough items for a PASS; ``continuous``: whether the scale has no
    categories.
    """

    dimension: str
    name: str
    estimate: Estimate
    floor: float
    enough: bool
    continuous: bool = False
    lower: float = nan
    upper: float = nan
    confidence: float = nan

    @property
    def subject(self) -> str:
        """Opening of a sentence about the estimate."""
        return f"On {self.dimension}, {statistic(self.name).label}"

    @property
    def items(self) -> str:
        """Number of items behind the estimate, in words."""
        return items_text(self.estimate.n_items)

    def bound(self, side: str) -> str:
        """Name of the lower or upper bound in a sentence."""
        return f"its one-sided {100 * self.confidence:.3g} % {side} bound"

    def number(self, value: float) -> str:
        """Value in the reader's unit, with enough digits to differ visibly from the floor."""
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
        """Floor in the reader's unit."""
        scale, unit, _ = self._style()
        return f"{scale * self.floor:g}{unit}"

    def _style(self) -> tuple[int, str, int]:
        """Factor, unit and digits."""
        return (100, " %", 0) if statistic(self.name).is_share else (1, "", 3)


def items_text(n_items: int, kind: str = "") -> str:
    """Number of items of some kind in words.

    Examples
    --------
    >>> items_text(1), items_text(1200, "more "), items_text(0)
    ('1 item', '1,200 more items', '0 items')
    """
    return f"{n_items:,} {kind}item{'' if n_items == 1 else 's'}"


class Promise(NamedTuple):
    """Number of further items, and the chance of a PASS on them."""

    items: int
    chance: float


def bound_sentence(reading: Reading, decision: Decision, promise: Promise | None = None) -> str:
    """Sentence about a lower bound and its floor."""
    if decision == "INCONCLUSIVE":
        return f"{_doubt(reading)}.{_remedy(reading, promise)}"
    opening = f"{reading.subject} is {reading.number(reading.estimate.value)}"
    lower, upper = reading.number(reading.lower), reading.number(reading.upper)
    if decision == "PASS":
        return f"{opening} and {reading.bound('lower')} {lower}; {reading.required} is required."
    if reading.upper < reading.floor:
        return (
            f"{opening} and {reading.bound('upper')} {upper}, below the required "
            f"{reading.required}."
        )
    return f"{opening} on {reading.items}, below the required {reading.required}."


def _remedy(reading: Reading, promise: Promise | None) -> str:
    """Number of further items, empty where they would not bring a PASS."""
    if promise is None or reading.estimate.value < reading.floor:
        return ""
    more = items_text(promise.items, "more ")
    return (
        f" With about {more} that have two ratings, raters who agree as found pass in at least "
        f"{100 * promise.chance:.0f} % of cases."
    )


def _doubt(reading: Reading) -> str:
    """Reason why a lower bound does not settle the matter, without the full stop."""
    opening = f"{reading.subject} is {reading.number(reading.estimate.value)}"
    lower, upper = reading.number(reading.lower), reading.number(reading.upper)
    required = reading.required
    if isinf(reading.lower):
        return f"{opening}, but {reading.items} cannot show how precise that is"
    if reading.estimate.value < reading.floor:
        return (
            f"{opening}, below the required {required}, but {reading.bound('upper')} is {upper} "
            f"on only {reading.items}"
        )
    if reading.lower >= reading.floor and not reading.enough:
        return f"{opening} and {reading.bound('lower')} {lower}, but on only {reading.items}"
    return f"{opening}, but {reading.bound('lower')} only {lower}, while {required} is required"


def point_sentence(reading: Reading, decision: Decision) -> str:
    """Sentence about a value and its floor."""
    opening = f"{reading.subject} is {reading.number(reading.estimate.value)} on {reading.items}"
    if decision == "PASS":
        return f"{opening}; {reading.required} is required."
    if decision == "FAIL":
        return f"{opening}, below the required {reading.required}.{_low_by_nature(reading)}"
    side = "reaches" if reading.estimate.value >= reading.floor else "misses"
    return f"{opening}, which {side} the required {reading.required} but rests on too few items."


def reach_sentence(reading: Reading, needed: int, *, left: float, most: int) -> str:
    """Sentence about items that would help but cannot be had.

    Parameters
    ----------
    needed
        Items missing.
    left
        Items of the pool without two ratings, infinite if the pool is unknown.
    most
        Largest number of items worth asking for.
    """
    opening = f"On {reading.dimension}, "
    if needed <= most:
        has = f"has only {left:,.0f} more" if left else "has no more"
        return f"{opening}{items_text(needed, 'more ')} would be needed, and the pool {has}."
    return (
        f"{opening}the value is so close to the floor that more items cannot settle it: more than "
        f"{most:,} would be needed."
    )


def _low_by_nature(reading: Reading) -> str:
    """Reason why a share of equal ratings is low on a continuous scale, whoever rates."""
    if not reading.continuous or reading.name != "exact_agreement":
        return ""
    return (
        " Two people rarely choose the same value on a continuous scale, so this policy needs "
        "categories; on a continuous scale choose a policy based on alpha, such as default."
    )


def undefined_sentence(reading: Reading) -> str:
    """Sentence about an estimate without a value."""
    return f"{reading.subject} cannot be computed: {reason_words(reading.estimate.reason)}."


def few_sentence(dimension: str, n_items: int, least: int) -> str:
    """Sentence about too few items for a PASS."""
    has = "has" if n_items == 1 else "have"
    return (
        f"On {dimension}, {items_text(n_items)} {has} two or more ratings; "
        f"the gate needs at least {least}."
    )


def enough_sentence(dimension: str, n_items: int, n_raters: int) -> str:
    """Sentence about the evidence behind a PASS."""
    return (
        f"On {dimension}, this rests on {items_text(n_items)} with two or more of {n_raters} "
        "raters."
    )


def early_sentence(dimension: str, n_items: int, *, enough: int) -> str:
    """Caution about a decision on few items."""
    return (
        f"On {dimension}, {items_text(n_items)} decided, fewer than the usual minimum of {enough}: "
        "read the decision with caution."
    )


def rare_sentence(dimension: str, modal: Estimate, n_items: int) -> str:
    """Sentence about a category so common that most items carry little information."""
    return (
        f"On {dimension}, {100 * modal.value:.0f} % of the ratings are in one category: alpha "
        f"rests on the few others, so {items_text(n_items)} carry less information than usual."
    )


def overall_sentence(by_dimension: Mapping[str, DimensionVerdict]) -> str:
    """Sentence about the dimension that decides, with the mean for information."""
    ranked = sorted(by_dimension, key=lambda name: _rank(by_dimension[name]))
    opening = f"The verdict is that of {ranked[0]}, the worst of {len(ranked)} dimensions"
    values = [verdict.value for verdict in by_dimension.values() if not isnan(verdict.value)]
    names = {statistic(verdict.primary).label for verdict in by_dimension.values()}
    if not values or len(names) > 1:
        return f"{opening}."
    over = "over all" if len(values) == len(ranked) else f"over the {len(values)} that have one"
    return (
        f"{opening}; the mean of {names.pop()} {over}, {sum(values) / len(values):.3f}, is for "
        "information only."
    )


def _rank(verdict: DimensionVerdict) -> tuple[int, float]:
    """Rank of a dimension, worst first."""
    value = -2.0 if isnan(verdict.value) else verdict.value
    return WORST_FIRST.index(verdict.decision), value


def paradox_sentence(dimension: str, estimates: Mapping[str, Estimate]) -> str:
    """Sentence about the prevalence guard."""
    agreement, gwet = estimates["percent_agreement"].value, estimates["gwet_ac"].value
    modal = estimates.get("modal_share")
    share = f" ({100 * modal.value:.0f} % of the ratings)" if modal and modal.defined else ""
    return (
        f"On {dimension}, the raters give the same rating {100 * agreement:.0f} % of the time and "
        f"Gwet's AC1 is {gwet:.3f}: one category is so common{share} that alpha cannot show "
        "agreement. More items of the rare categories are needed, not a failing grade."
    )
