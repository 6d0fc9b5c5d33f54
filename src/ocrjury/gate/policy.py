"""Policies: the agreement that the gate requires."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Self, get_args

from ocrjury.errors import InputError
from ocrjury.language import Phrase, phrase

PresetName = Literal["default", "strict", "kappa", "gdpval", "anytime"]
OnFail = Literal["hold", "proceed", "recalibrate", "abort"]
Rule = Literal["bound", "point"]

ENOUGH_ITEMS = 50
"""Items from which the gate decides unless told otherwise."""
_NAMES: Final[Mapping[str, Phrase]] = {
    "default": phrase("default"),
    "strict": phrase("strict"),
    "kappa": phrase("kappa"),
    "anytime": phrase("anytime"),
}
ON_FAIL_NAMES: Final[Mapping[OnFail, Phrase]] = {
    "hold": phrase("hold"),
    "proceed": phrase("proceed"),
    "recalibrate": phrase("recalibrate"),
    "abort": phrase("abort"),
}
"""Names of the courses that a campaign may take after a FAIL."""


def policy_name(name: str) -> str:
    """Name of a policy in a sentence for people; GDPval is a name in every language."""
    return _NAMES.get(name, name)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a policy.

    Attributes
    ----------
    estimates
        Keys of `ocrjury.agreement.measure_agreement`; the first that fits the scale counts.
    floor
        The smallest acceptable value.
    rule
        ``"bound"``: the one-sided lower bound must reach the floor; ``"point"``: the value must.
    above
        Whether the value must exceed the floor, not only reach it.
    """

    estimates: tuple[str, ...]
    floor: float
    rule: Rule = "bound"
    above: bool = False

    def __post_init__(self) -> None:
        """Raise on an invalid condition."""
        text = isinstance(self.estimates, str)  # a one-element tuple without its comma
        if text or not self.estimates:
            raise InputError(
                "a condition names one or more estimates, such as ('krippendorff_alpha',); "
                f"found {self.estimates!r}."
            )
        if self.rule not in get_args(Rule):
            raise InputError(f'the rule of a condition is "bound" or "point"; found {self.rule!r}.')
        if not math.isfinite(self.floor):
            raise InputError(f"the floor of a condition is a finite number; found {self.floor!r}.")


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """Conditions for a PASS, and when the gate abstains.

    Attributes
    ----------
    name
        Name of the policy in reports.
    conditions
        Conditions that must all hold; the first is the primary one.
    confidence
        Confidence of the one-sided bounds.
    looks
        How often the gate may judge one evaluation, each time on more items. The bounds then need
        more confidence, so that raters at the floor pass at any of the looks no more often than at
        a single one; see `ocrjury.gate.looks`. None: at any time, as often as anybody likes.
    chance
        Chance of a PASS that the number of further items aims at.
    min_items
        Items with two or more ratings below which there is no PASS, and no FAIL by point. Below
        50, a decision carries a caution.
    paradox_agreement, paradox_gap
        The prevalence guard: if exact agreement reaches the first and Gwet's AC exceeds alpha
        by the second, a FAIL is INCONCLUSIVE, because one category is too common for alpha.
    """

    name: str = "default"
    conditions: tuple[Condition, ...] = (Condition(("krippendorff_alpha",), 0.667),)
    confidence: float = 0.95
    looks: int | None = 1
    chance: float = 0.80
    min_items: int = ENOUGH_ITEMS
    paradox_agreement: float = 0.85
    paradox_gap: float = 0.20

    def __post_init__(self) -> None:
        """Raise on an invalid policy."""
        if not self.conditions:
            raise InputError("a gate policy needs at least one condition; found none.")
        if not 0.5 <= self.confidence < 1:
            raise InputError(
                f"the confidence of a one-sided bound must lie in [0.5, 1); "
                f"found {self.confidence!r}."
            )
        if self.looks is None and self.confidence == 0.5:
            raise InputError(
                "a bound that holds at any time needs a confidence above 0.5; found 0.5. Set looks "
                "to a number, or a higher confidence."
            )
        if self.looks is not None and self.looks < 1:
            raise InputError(f"a gate looks at least once; found {self.looks!r} looks.")
        if self.min_items < 2:
            raise InputError(
                f"a gate decides from two items at the least; found min_items={self.min_items!r}."
            )
        if not 0.5 <= self.chance < 1:
            raise InputError(
                f"the chance of a PASS to aim at must lie in [0.5, 1); found {self.chance!r}."
            )

    @property
    def primary(self) -> Condition:
        """Condition whose statistic is named, drawn and printed first."""
        return self.conditions[0]

    @property
    def has_bound(self) -> bool:
        """Whether some condition goes by a bound, which has a confidence."""
        return any(condition.rule == "bound" for condition in self.conditions)

    @classmethod
    def preset(cls, name: PresetName) -> Self:
        """Policy with a given name.

        ``default``: lower bound of alpha at least .667. ``strict``: lower bound of alpha at
        least .80. ``kappa``: mean pairwise kappa at least .70 by point. ``gdpval``: pairwise
        agreement (adjacent on a Likert scale, else exact) at least 75 % and A^HH at least .75 by
        point, and lower bound of A^HH beyond chance above 0. ``anytime``: as ``default``, with a
        bound that holds however often the gate looks.

        Raises
        ------
        InputError
            For another name.

        Examples
        --------
        >>> GatePolicy.preset("strict").conditions[0].floor
        0.8
        """
        if name not in _PRESETS:
            raise InputError(
                f"there is no gate policy {name!r}; policies are {', '.join(_PRESETS)}."
            )
        return cls(name, _PRESETS[name], looks=None if name == "anytime" else 1)


_PRESETS: dict[str, tuple[Condition, ...]] = {
    "default": (Condition(("krippendorff_alpha",), 0.667),),
    "strict": (Condition(("krippendorff_alpha",), 0.80),),
    "kappa": (Condition(("mean_pairwise_kappa",), 0.70, "point"),),
    "gdpval": (
        Condition(("adjacent_agreement", "exact_agreement"), 0.75, "point"),
        Condition(("human_agreement",), 0.75, "point"),
        Condition(("human_agreement_corrected",), 0.0, "bound", above=True),
    ),
    "anytime": (Condition(("krippendorff_alpha",), 0.667),),
}
