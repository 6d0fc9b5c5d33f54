"""The plan of an evaluation beside what was achieved."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What was planned, or what became of it; None where nobody said.

    Widths are lengths of 95 % ranges, in points of the scale and, of a share, between 0 and 1.
    """

    items: int | None = None
    ratings: int | None = None
    gold_ratings: int | None = None
    raters: int | None = None
    cost: float | None = None
    width_others: float | None = None
    width_these: float | None = None
    width_share: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanComparison:
    """The plan that was kept when the sample was drawn, beside what was achieved.

    ``source`` says from where the plan knew how much scores and raters vary: the name of an earlier
    evaluation, or ``measured`` is False and it is a sentence.
    """

    dimension: str
    planned: Expected
    achieved: Expected
    source: str
    measured: bool
    hours: float
