"""A statistic with its interval, or the reason why it is undefined."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Self

from ocrjury.errors import InputError
from ocrjury.language import phrase, read, stored

Resampling = Literal["jackknife", "bootstrap"]
"""Resampling method behind an interval: leave items out one at a time, or draw them."""
Reason = Literal[
    "no_items",
    "fewer_than_two_raters",
    "no_pairable_items",
    "no_variation",
    "fewer_than_two_items",
    "fewer_than_two_categories",
    "no_complete_items",
    "too_few_common_items",
    "scale_mismatch",
    "no_disagreement",
    "items_alike",
]
UNDEFINED: Final[Mapping[str, str]] = {
    "no_items": phrase("no items were rated"),
    "fewer_than_two_raters": phrase("fewer than two raters"),
    "fewer_than_three_raters": phrase("fewer than three raters"),
    "no_pairable_items": phrase("no item has two ratings"),
    "no_variation": phrase("all ratings are equal"),
    "fewer_than_two_items": phrase("fewer than two items"),
    "fewer_than_two_categories": phrase("fewer than two categories"),
    "no_complete_items": phrase("no item was rated by every rater"),
    "too_few_common_items": phrase("too few items in common"),
    "scale_mismatch": phrase("not defined on this scale"),
    "fewer_than_two_dimensions": phrase("only one dimension was rated"),
    "too_few_items": phrase("too few items"),
    "too_few_ratings": phrase("too few ratings"),
    "fewer_than_two_draws": phrase("all items in common were drawn together"),
    "not_connected": phrase("raters fall into groups that have no item in common"),
    "no_order": phrase("the order of the ratings is not known"),
    "same_order": phrase("raters saw the items in one and the same order"),
    "no_disagreement": phrase("raters never differ"),
    "perfect_order": phrase("two orders are the same or exactly reversed"),
    "items_alike": phrase("too few items differ"),
    "one_by_chance": phrase("all items but one were certain to be drawn"),
    "no_agreement": phrase("raters agree too little for it to show"),
    "collinear": phrase("some dimensions repeat each other exactly"),
    "negative_weight": phrase("a coefficient is below 0"),
}
"""Sentences for undefined statistics, by the reason of their estimate."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic, its precision, and its origin.

    ``value`` is ``nan`` where the statistic is undefined; ``reason`` then says why. ``reason`` may
    also say why a value has no interval. ``low`` and ``high`` bound the confidence interval,
    ``se`` is the standard error; all three are ``nan`` if they were not computed. ``n_clusters`` is
    the number of clusters where items were drawn together, such as the outputs of one page, and
    ``n_effective`` the number of draws of equal weight that tell as much (Kish 1965), None where
    all draws weigh the same. With ``few`` it rests on too few cases or items for its interval to be
    more than a rough guide; with ``gold_corrected`` gold moved its level.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    se: float = math.nan
    n_items: int = 0
    n_raters: int = 0
    n_ratings: int = 0
    method: str = ""
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    n_clusters: int | None = None
    few: bool = False
    n_effective: float | None = None
    gold_corrected: bool = False

    def __float__(self) -> float:
        """Value as a number."""
        return float(self.value)

    @property
    def defined(self) -> bool:
        """Whether the statistic has a value."""
        return not math.isnan(self.value)

    @property
    def n_draws(self) -> int:
        """Number of items, or of clusters where items were drawn together."""
        return self.n_items if self.n_clusters is None else self.n_clusters

    @property
    def effective_draws(self) -> float:
        """Number of draws of equal weight that tell as much as these."""
        return self.n_draws if self.n_effective is None else self.n_effective

    def to_json(self) -> dict[str, object]:
        """Plain values; strict JSON has no ``nan``, so an undefined number is None."""
        clusters = {} if self.n_clusters is None else {"n_clusters": int(self.n_clusters)}
        effective = {} if self.n_effective is None else {"n_effective": _finite(self.n_effective)}
        return {
            "value": _finite(self.value),
            "low": _finite(self.low),
            "high": _finite(self.high),
            "se": _finite(self.se),
            "n_items": int(self.n_items),
            "n_raters": int(self.n_raters),
            "n_ratings": int(self.n_ratings),
            "method": self.method,
            "reason": self.reason,
            "warnings": [stored(text) for text in self.warnings],
            **clusters,
            **effective,
            **({"few": True} if self.few else {}),
            **({"gold_corrected": True} if self.gold_corrected else {}),
        }

    @classmethod
    def from_json(cls, body: dict[str, object]) -> Self:
        """Estimate from the values that `to_json` wrote."""
        reason, warnings = body["reason"], body["warnings"]
        clusters = body.get("n_clusters")
        return cls(
            value=_number(body["value"]),
            low=_number(body["low"]),
            high=_number(body["high"]),
            se=_number(body["se"]),
            n_items=int(_number(body["n_items"])),
            n_raters=int(_number(body["n_raters"])),
            n_ratings=int(_number(body["n_ratings"])),
            method=str(body["method"]),
            reason=None if reason is None else str(reason),
            warnings=tuple(map(read, warnings)) if isinstance(warnings, list) else (),
            n_clusters=None if clusters is None else int(_number(clusters)),
            few=bool(body.get("few", False)),
            n_effective=_number(body["n_effective"]) if "n_effective" in body else None,
            gold_corrected=bool(body.get("gold_corrected", False)),
        )


def _finite(number: float) -> float | None:
    """Finite number, or None, which JSON can write."""
    return float(number) if math.isfinite(number) else None


def _number(value: object) -> float:
    """Number from the value that `_finite` wrote."""
    if value is None:
        return math.nan
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InputError(f"a number of a stored estimate is {value!r}.")
    return float(value)


def reason_words(reason: str | None) -> str:
    """Words for why there is no value.

    Examples
    --------
    >>> reason_words("no_pairable_items")
    'no item has two ratings'
    >>> reason_words("pool_is_empty")
    'pool is empty'
    """
    if not reason:
        return phrase("not computed")
    return UNDEFINED.get(reason, reason.replace("_", " "))
