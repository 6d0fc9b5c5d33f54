"""Verdict of the gate."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

Decision = Literal["PASS", "FAIL", "INCONCLUSIVE"]
Grade = Literal["reliable", "tentative"]
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


@dataclass(frozen=True, slots=True)
class DimensionVerdict:
    """The verdict on one dimension.

    Attributes
    ----------
    decision, grade
        The grade is None unless the decision is PASS.
    reasons
        Whole sentences with numbers, worst condition first, equals in the policy's order.
    needed_items
        Further items with two ratings needed until the bound reaches the floor if the value stays
        the same, or until there are enough to decide. None if more items would not help, if the
        pool does not have them, or if more than ten times the rated items would be needed; a reason
        then says so. The value may fall as well as rise: of simulated evaluations that collect that
        many, a third (few wrong items) to four fifths pass (``benchmarks/results/gate.md``).
    primary, value
        Key and value of the estimate of the primary condition; the value may be ``nan``.
    paradox
        Whether the prevalence guard turned a FAIL into INCONCLUSIVE.
    small_pool
        Whether the whole pool has fewer items than the gate requires.
    """

    decision: Decision
    grade: Grade | None
    reasons: tuple[str, ...]
    needed_items: int | None
    primary: str
    value: float
    paradox: bool = False
    small_pool: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain values, None for ``nan``."""
        body = asdict(self)
        body["reasons"] = list(self.reasons)
        body["value"] = None if math.isnan(self.value) else self.value
        return body

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Verdict from the values that `to_json` wrote."""
        value = math.nan if body["value"] is None else float(body["value"])
        return cls(**{**body, "reasons": tuple(body["reasons"]), "value": value})


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
    grade: Grade | None
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
            "reasons": list(self.reasons),
            "actions": [asdict(action) for action in self.actions],
            "needed_items": self.needed_items,
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Verdict from the values that `to_json` wrote."""
        return cls(
            body["decision"],
            body["grade"],
            {name: DimensionVerdict.from_json(v) for name, v in body["by_dimension"].items()},
            tuple(body["reasons"]),
            tuple(Action(**action) for action in body["actions"]),
            body["needed_items"],
        )
