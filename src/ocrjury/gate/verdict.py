"""What the gate answers."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

Decision = Literal["PASS", "FAIL", "INCONCLUSIVE"]
Grade = Literal["reliable", "tentative"]
WORST_FIRST: tuple[Decision, ...] = ("FAIL", "INCONCLUSIVE", "PASS")


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a lead can do next.

    Attributes
    ----------
    kind
        ``rewrite_anchors``, ``recalibrate``, ``third_rater``, ``panel``, ``collect_items``,
        ``collect_rare``, ``fix_data``, ``release`` or ``discuss``.
    text
        A whole sentence.
    dimension, rater
        What it is about, None for everything.
    items
        How many items it concerns, None where that is unknown.
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
        Whole sentences with numbers, the condition that went worst first, and among equals in
        the policy's order.
    needed_items
        Items with two ratings still to be collected, in addition to those there, until the bound
        reaches the floor if the value stays, or until there are enough to decide; None if more
        items are not what is missing, the pool does not have them, or it would take more than ten
        times those there, which a reason then says. A value falls as easily as it rises: of
        simulated panels that collect so many, a third (few wrong items) to four fifths pass
        (``benchmarks/results/gate.md``).
    primary, value
        Key and value of the estimate of the primary condition; the value may be ``nan``.
    paradox
        Whether the prevalence guard turned a FAIL into INCONCLUSIVE.
    small_pool
        Whether the whole pool has fewer items than the gate decides from.
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
        """Return what `to_json` wrote."""
        value = math.nan if body["value"] is None else float(body["value"])
        return cls(**{**body, "reasons": tuple(body["reasons"]), "value": value})


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of the gate; overall it is that of the worst dimension.

    Attributes
    ----------
    needed_items
        The most that any inconclusive dimension still needs; None if the decision is not
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
        """Mean of the dimensions' values, which is shown and decides nothing.

        ``nan`` where no dimension has a value; those without one are left out.
        """
        values = [one.value for one in self.by_dimension.values() if not math.isnan(one.value)]
        return sum(values) / len(values) if values else math.nan

    def to_json(self) -> dict[str, Any]:
        """Plain values that strict JSON can hold.

        Examples
        --------
        >>> one = DimensionVerdict("PASS", "reliable", ("Fine.",), None, "icc", 0.9)
        >>> verdict = Verdict("PASS", "reliable", {"meaning": one}, ("Fine.",))
        >>> Verdict.from_json(verdict.to_json()) == verdict
        True
        """
        return {
            "decision": self.decision,
            "grade": self.grade,
            "mean": None if math.isnan(self.mean) else self.mean,
            "by_dimension": {name: one.to_json() for name, one in self.by_dimension.items()},
            "reasons": list(self.reasons),
            "actions": [asdict(action) for action in self.actions],
            "needed_items": self.needed_items,
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Verdict that `to_json` wrote."""
        return cls(
            body["decision"],
            body["grade"],
            {name: DimensionVerdict.from_json(one) for name, one in body["by_dimension"].items()},
            tuple(body["reasons"]),
            tuple(Action(**action) for action in body["actions"]),
            body["needed_items"],
        )
