"""The plan of an evaluation beside what was achieved."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.language import phrase, tr, trn
from ocrjury.pages.numbers import (
    NOTHING,
    count,
    decimal,
    has_interval,
    paragraph,
    percent,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections.rounds import Rounds, rounds_of
from ocrjury.report.stored_evaluation import Stored
from ocrjury.rounding import rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One quantity as planned or as it turned out; None where it is unknown.

    Widths are lengths of 95 % ranges, in points of the scale and, of a share, between 0 and 1.
    """

    items: int | None = None
    ratings: int | None = None
    second_ratings: int | None = None
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
            ratings=plan.assignments - plan.second_ratings,
            second_ratings=plan.second_ratings,
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
        second_ratings=_of_kind(stored, "repeat", estimates.dimension),
        gold_ratings=_of_kind(stored, "gold", estimates.dimension),
        raters=others.n_raters,
        cost=_total(row.cost for row in rounds_of(stored).rows if row.kind == "main"),
        width_others=_width(others),
        width_these=_width(estimates.these),
        width_share=_width(estimates.usable),
    )


def _of_kind(stored: Stored, kind: str, dimension: str) -> int:
    """Number of ratings of one kind on a dimension."""
    return sum(row.round_kind == kind and row.dimension == dimension for row in stored.ratings)


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


def _points(length: float) -> str:
    return tr("{n} points", n=decimal(length)) if math.isfinite(length) else NOTHING


def _percentage_points(share: float) -> str:
    return tr("{n} percentage points", n=decimal(100 * share, 1))


_COUNTS = {
    "items": (phrase("Items rated"), count),
    "ratings": (phrase("First-pass ratings"), count),
    "second_ratings": (phrase("Second ratings of the same items"), count),
    "gold_ratings": (phrase("Ratings of gold in passing"), count),
    "raters": (phrase("Raters"), count),
    "cost": (phrase("Cost of the main rounds, in the units of raters.csv"), count),
}
_WIDTHS = {
    "width_others": (phrase("Mean’s range, other raters"), _points),
    "width_these": (phrase("Mean’s range, these raters"), _points),
    "width_share": (phrase("Usable share’s range"), _percentage_points),
}
"""Lines of the table, counts and ranges: their words, and the format of their numbers."""


def title(report: ReportData, plan: PlanComparison) -> str:
    """Finding of the table: whether the interval came out as it was planned."""
    planned, achieved = plan.planned.width_others, plan.achieved.width_others
    if not planned or achieved is None or not report.verdict.shows(plan.dimension):
        return tr("Planned and achieved")
    length = decimal(achieved)
    if planned == float("inf"):
        return tr("The mean’s range is shorter than planned: {length} points", length=length)
    ratio = rounded(achieved, 2) / max(rounded(planned, 2), 0.01)  # as printed
    if 0.9 <= ratio <= 1.1:
        return tr("The mean’s range came out as planned: {length} points long", length=length)
    change = percent(abs(ratio - 1), 0)
    if ratio < 1:
        return tr("The mean’s range is {change} shorter than planned", change=change)
    return tr("The mean’s range is {change} longer than planned", change=change)


def rows(report: ReportData, plan: PlanComparison) -> list[PlanRow]:
    """Plan line by line, lines that say nothing left out."""
    rows = []
    for key, (what, printed) in (_COUNTS | _WIDTHS).items():
        planned, achieved = (
            NOTHING if number is None else printed(number)
            for number in (getattr(plan.planned, key), getattr(plan.achieved, key))
        )
        if key in _WIDTHS and not report.verdict.shows(plan.dimension):
            achieved = tr("not printed")
        words = (key == "cost" and _cost_words(report)) or what
        rows.append(PlanRow(words, planned, achieved))
    return [row for row in rows if not {row.planned, row.achieved} <= {NOTHING, "0"}]


def _cost_words(report: ReportData) -> str:
    """Words of the line of costs in the currency of the rounds; empty where that is not known."""
    rounds = report.get(Rounds)
    if rounds is None or not rounds.cost_unit:
        return ""
    return tr("Cost of the main rounds, in {unit}", unit=rounds.cost_unit)


def text(report: ReportData, plan: PlanComparison) -> str:
    """Source of the plan's expectations."""
    name, source = report.name(plan.dimension), plan.source
    return paragraph(
        [
            tr("The plan for {dimension} dates from the draw.", dimension=name),
            tr("How much scores and raters vary was measured in {evaluation}.", evaluation=source)
            if plan.measured
            else tr("How much scores and raters vary was assumed from {source}.", source=source),
            tr("The share planned for is one half, whose range is the longest."),
            trn(
                "About {n} working hour of all raters together was expected.",
                "About {n} working hours of all raters together were expected.",
                round(plan.hours),
            ),
        ]
    )
