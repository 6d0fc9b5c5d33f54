"""Verdict of the gate."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, Self

from ocrjury.language import Phrase, phrase, read, stored

Decision = Literal["PASS", "FAIL", "INCONCLUSIVE"]
_NUMBERS = ("value", "lower", "confidence")
VERDICT_WORDS: Final[Mapping[str, Phrase]] = {
    "PASS": phrase("PASS"),
    "FAIL": phrase("FAIL"),
    "INCONCLUSIVE": phrase("INCONCLUSIVE"),
}
"""Decisions in print, in the reader's language; programs and the command line read the keys."""
GRADED: Final = "krippendorff_alpha"
"""Statistic whose grade a PASS has, whatever estimate the policy uses."""
RECALIBRATE: Final = "recalibrate"
"""Kind of the action that is a decision of the same name."""
WORST_FIRST: tuple[Decision, ...] = ("FAIL", "INCONCLUSIVE", "PASS")


@dataclass(frozen=True, slots=True)
class Action:
    """An action that a lead can take next.

    Attributes
    ----------
    kind
        ``rewrite_anchors``, ``recalibrate``, ``third_rater``, ``panel``, ``collect_items``,
        ``collect_rare``, ``fix_data``, ``release`` or ``discuss``.
    text
        A whole sentence.
    dimension, rater
        Dimension and rater concerned, None for all.
    items
        Number of items concerned, None if unknown.
    """

    kind: str
    text: str
    dimension: str | None = None
    rater: str | None = None
    items: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values, with what the sentence was made of."""
        return {**asdict(self), "text": stored(self.text)}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Action from the values that `to_json` wrote."""
        return cls(**{**body, "text": read(body["text"])})


@dataclass(frozen=True, slots=True)
class DimensionVerdict:
    """The verdict on one dimension.

    Attributes
    ----------
    decision, grade
        The grade is a word of `ocrjury.grades`: that of `GRADED` after a PASS, else None; also
        None where the value is poor.
    reasons
        Whole sentences with numbers, worst condition first, equals in the policy's order.
    needed_items
        Further items with two ratings on which raters who agree as found pass with the policy's
        chance at the next look, or until there are enough to decide. None if more items would not
        help, if the pool does not have them, or if more than ten times the rated items would be
        needed; a reason then says so.
    primary, value
        Key and value of the estimate of the primary condition; the value may be ``nan``.
    paradox
        Whether the prevalence guard turned a FAIL into INCONCLUSIVE.
    small_pool
        Whether the whole pool has fewer items than the gate requires.
    uniform
        Whether the value is ``nan`` because all ratings are equal.
    lower, confidence
        One-sided lower bound of the value, and its confidence at this look; the bound is ``nan``
        without a standard error.
    """

    decision: Decision
    grade: str | None
    reasons: tuple[str, ...]
    needed_items: int | None
    primary: str
    value: float
    paradox: bool = False
    small_pool: bool = False
    uniform: bool = False
    lower: float = math.nan
    confidence: float = math.nan

    def to_json(self) -> dict[str, Any]:
        """Plain values, None for numbers that are not finite."""
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        finite = {name: x if math.isfinite(x) else None for name, x in numbers.items()}
        return {**asdict(self), **finite, "reasons": list(map(stored, self.reasons))}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Verdict from the values that `to_json` wrote."""
        numbers = {name: _number(body[name]) for name in _NUMBERS if name in body}
        return cls(**{**body, **numbers, "reasons": tuple(map(read, body["reasons"]))})


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict of the gate; overall it is that of the worst dimension.

    Attributes
    ----------
    needed_items
        Largest number of items that an inconclusive dimension needs; None if the decision is not
        INCONCLUSIVE, or if more items do not help some dimension.
    """

    decision: Decision
    grade: str | None
    by_dimension: Mapping[str, DimensionVerdict]
    reasons: tuple[str, ...]
    actions: tuple[Action, ...] = field(default=())
    needed_items: int | None = None

    @property
    def mean(self) -> float:
        """Mean of the dimensions' values, for information only.

        Dimensions without a value are left out; ``nan`` if none has one.
        """
        values = [
            verdict.value for verdict in self.by_dimension.values() if not math.isnan(verdict.value)
        ]
        return sum(values) / len(values) if values else math.nan

    @property
    def worst(self) -> str:
        """Dimension with the overall decision and the lowest value; an undefined one is lower."""
        deciding = {
            name: judged.value
            for name, judged in self.by_dimension.items()
            if judged.decision == self.decision
        }
        return min(deciding, key=lambda name: (not math.isnan(deciding[name]), deciding[name]))

    def to_json(self) -> dict[str, Any]:
        """Plain values for strict JSON.

        Examples
        --------
        >>> meaning = DimensionVerdict("PASS", "reliable", ("Fine.",), None, "icc", 0.9)
        >>> verdict = Verdict("PASS", "reliable", {"meaning": meaning}, ("Fine.",))
        >>> Verdict.from_json(verdict.to_json()) == verdict
        True
        """
        return {
            "decision": self.decision,
            "grade": self.grade,
            "mean": None if math.isnan(self.mean) else self.mean,
            "by_dimension": {name: v.to_json() for name, v in self.by_dimension.items()},
            "reasons": list(map(stored, self.reasons)),
            "actions": [action.to_json() for action in self.actions],
            "needed_items": self.needed_items,
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Verdict from the values that `to_json` wrote."""
        return cls(
            body["decision"],
            body["grade"],
            {name: DimensionVerdict.from_json(v) for name, v in body["by_dimension"].items()},
            tuple(map(read, body["reasons"])),
            tuple(map(Action.from_json, body["actions"])),
            body["needed_items"],
        )
