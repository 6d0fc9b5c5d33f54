"""The part of a report about its rounds of rating."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One wave of rating.

    ``assignments`` counts what raters were asked for and did (one item, one rater); ``ratings``
    the values they gave, one for each dimension; None where nobody counted. ``uncertain`` is the
    share of items below target confidence after the round, None where truth was not inferred (a
    pilot).
    """

    number: int
    kind: Literal["pilot", "main", "adaptive", "adjudication", "panel"]
    rule: str
    items: int
    assignments: int | None = None
    ratings: int | None = None
    raters: int
    cost: float | None = None
    uncertain: float | None = None
    frontend: str | None = None
    """Where raters worked, as `rounds.frontend` names it; None where nobody knows."""
    lacking: tuple[str, ...] = ()
    """What that place cannot do, as `ocrjury.campaign.capabilities` names it."""
    top_up: bool = False
    """Whether it holds the next documents in draw order, because the gate could not decide."""

    @property
    def settles(self) -> bool:
        """Return whether its answers are taken as the labels, which then are certain."""
        return self.kind in {"adjudication", "panel"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """All rounds in order, and when an item counts as certain.

    ``truth_method`` is a method of `ocrjury.truth.aggregate`; ``unresolved`` counts items below
    the target confidence after the last round. ``calibrated`` tells whether that confidence was
    checked on known items, on every dimension; else it is the model's own and no probability.
    ``cost_unit`` follows an amount.
    """

    rows: tuple[Round, ...]
    target_confidence: float = 0.9
    cost_unit: str = "as the registry of raters counts cost"
    unresolved: int = 0
    truth_method: str = "dawid_skene"
    calibrated: bool = False

    @property
    def confidence(self) -> str:
        """Return what the confidence of labels is, in two words."""
        return "calibrated confidence" if self.calibrated else "model confidence"

    @property
    def settled(self) -> bool:
        """Return whether some labels are one person's word."""
        return any(row.settles and row.items for row in self.rows)
