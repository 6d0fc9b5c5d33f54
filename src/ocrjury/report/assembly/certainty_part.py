"""The plan of the sample beside what was achieved."""

import math
from collections.abc import Iterable

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.pages.numbers import has_interval
from ocrjury.report.assembly.stored import Stored
from ocrjury.report.certainty_section import Expected, PlanComparison
from ocrjury.report.round_section import Rounds


def plan_part(stored: Stored, rounds: Rounds) -> PlanComparison | None:
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
        achieved=_achieved(stored, estimates, rounds),
        source=plan.source or "",
        measured=plan.measured,
        hours=plan.hours,
    )


def _achieved(stored: Stored, estimates: PoolEstimates, rounds: Rounds) -> Expected:
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
        cost=_sum(row.cost for row in rounds.rows if row.kind == "main"),
        width_others=_width(others),
        width_these=_width(estimates.these),
        width_share=_width(estimates.usable),
    )


def _or_endless(width: float) -> float:
    """Length of an interval; an unknown one has no end."""
    return math.inf if math.isnan(width) else width


def _sum(costs: Iterable[float | None]) -> float | None:
    """Sum, None if a part is unknown."""
    known = list(costs)
    return None if None in known else float(sum(one for one in known if one is not None))


def _width(estimate: Estimate | None) -> float | None:
    """Length of an interval, None without one."""
    if estimate is None or not has_interval(estimate):
        return None
    return estimate.high - estimate.low
