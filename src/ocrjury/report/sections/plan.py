"""The plan of an evaluation beside what was achieved."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.pages.numbers import NOTHING, count, decimal, has_interval, percent, plural
from ocrjury.report.data import ReportData
from ocrjury.report.sections.rounds import rounds_of
from ocrjury.report.stored import Stored


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


def plan_of(stored: Stored) -> PlanComparison | None:
    """Plan of the headline's dimension beside what was achieved, None where nothing was planned."""
    name = stored.target_dimension
    plan, estimates = stored.plans.get(name), stored.estimates.get(name)
    if plan is None or estimates is None or plan.widths is None:
        return None
    return PlanComparison(
        dimension=name,
        planned=Expected(
            items=plan.items,
            ratings=plan.assignments,
            gold_ratings=plan.gold_ratings,
            raters=plan.raters,
            cost=plan.cost,
            width_others=_or_endless(plan.widths.others),
            width_these=_or_endless(plan.widths.these),
            width_share=_or_endless(plan.widths.share),
        ),
        achieved=_achieved(stored, estimates),
        source=plan.source or "",
        measured=plan.measured,
        hours=plan.hours,
    )


def _achieved(stored: Stored, estimates: PoolEstimates) -> Expected:
    """Size, cost and precision in the end."""
    others = estimates.others
    return Expected(
        items=others.n_items,
        ratings=others.n_ratings,
        gold_ratings=sum(
            rating.round_kind == "gold" and rating.dimension == estimates.dimension
            for rating in stored.ratings
        ),
        raters=others.n_raters,
        cost=_total(row.cost for row in rounds_of(stored).rows if row.kind == "main"),
        width_others=_width(others),
        width_these=_width(estimates.these),
        width_share=_width(estimates.usable),
    )


def _or_endless(width: float) -> float:
    """Length of an interval; an unknown one has no end."""
    return math.inf if math.isnan(width) else width


def _total(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else float(sum(cost for cost in known if cost is not None))


def _width(estimate: Estimate | None) -> float | None:
    if estimate is None or not has_interval(estimate):
        return None
    return estimate.high - estimate.low


class PlanRow(NamedTuple):
    """One line of the plan, and what became of it."""

    what: str
    planned: str
    achieved: str


_ROWS = {
    "items": "Documents rated",
    "ratings": "First-pass ratings on the dimension",
    "gold_ratings": "Ratings of gold in passing",
    "raters": "Raters",
    "cost": "Cost of the main rounds, in the money of raters.csv",
    "width_others": "Length of the 95% range of the mean, other raters",
    "width_these": "Length of the 95% range of the mean, these raters",
    "width_share": "Length of the 95% range of the share usable",
}


def title(plan: PlanComparison) -> str:
    """Finding of the table: whether the interval came out as it was planned."""
    planned, achieved = plan.planned.width_others, plan.achieved.width_others
    if not planned or achieved is None:
        return "Planned and achieved"
    if planned == float("inf"):
        return f"The range is shorter than planned: {decimal(achieved)} points"
    ratio = round(achieved, 2) / max(round(planned, 2), 0.01)  # as printed
    if 0.9 <= ratio <= 1.1:
        return f"The range came out as planned: {decimal(achieved)} points long"
    word = "shorter" if ratio < 1 else "longer"
    change = percent(abs(ratio - 1), 0)
    return f"The range is {change} {word} than planned: {decimal(achieved)} points"


def rows(plan: PlanComparison) -> list[PlanRow]:
    """Plan line by line, lines that say nothing left out."""
    rows = [
        PlanRow(what, _number(plan.planned, key), _number(plan.achieved, key))
        for key, what in _ROWS.items()
    ]
    return [row for row in rows if not {row.planned, row.achieved} <= {NOTHING, "0"}]


def _number(side: Expected, key: str) -> str:
    number = getattr(side, key)
    if key == "width_share":
        return NOTHING if number is None else f"{decimal(100 * number, 1)} percentage points"
    if key.startswith("width"):
        return NOTHING if number is None else f"{decimal(number)} points"
    return count(number)


def text(report: ReportData, plan: PlanComparison) -> str:
    """Source of the plan's expectations."""
    name = report.name(plan.dimension)
    known = f"measured in {plan.source}" if plan.measured else f"assumed from {plan.source}"
    return (
        f"Kept when the sample was drawn, for {name}. How much scores and raters vary was {known}. "
        f"The share planned for is one half, whose range is the longest. About "
        f"{plural(round(plan.hours), 'working hour')} of all raters together were expected."
    )
