"""Expected precision of an evaluation, kept at the draw to compare with the result."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from ocrjury.evaluation.assumptions import Spreads, known_spreads
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.earlier_evaluations import earlier_cases
from ocrjury.evaluation.gold import KnownItems
from ocrjury.findings.plan import Plan, Widths
from ocrjury.planner import StudyPlan, forecast_study
from ocrjury.planner.study import OTHERS, SHARES, THESE
from ocrjury.store.results import Result
from ocrjury.store.rounds import RoundPlan

ASSUMED = "what is usual; no earlier evaluation shows how much scores and raters vary"


@dataclass(frozen=True)
class Intent:
    """A campaign, its pool, and the first main round on its sample."""

    case: Case
    pool: pd.DataFrame
    round: RoundPlan
    gold: KnownItems

    @cached_property
    def raters_of(self) -> dict[str, int]:
        """Number of raters of each item."""
        return dict(Counter(row.item for row in self.round.assignments))

    @cached_property
    def load(self) -> dict[str, int]:
        """Number of sampled items of each rater."""
        return dict(Counter(row.rater for row in self.round.assignments))

    @cached_property
    def gold_turns(self) -> dict[str, int]:
        """Approximate number of gold items outside the sample that each rater meets."""
        every, most = self.case.campaign.raters.gold_every, len(self.gold.items)
        return {rater: min(own // (every - 1), most) for rater, own in self.load.items()}

    @property
    def size(self) -> dict[str, Any]:
        """Size of the round, its cost and hours."""
        people = {person.pseudonym: person for person in self.case.raters}
        usual = self.case.campaign.raters.minutes_per_item
        turns = {rater: own + self.gold_turns[rater] for rater, own in self.load.items()}
        minutes = sum((people[r].minutes_per_item or usual) * n for r, n in turns.items())
        return {
            "items": len(self.raters_of),
            "assignments": len(self.round.assignments),
            "gold_ratings": sum(self.gold_turns.values()),
            "raters": len(self.load),
            "cost": float(sum(people[rater].cost * n for rater, n in turns.items())),
            "hours": minutes / 60,
        }

    def forecast(self, spreads: Spreads, dimension: str) -> StudyPlan:
        """Expected precision of the estimates of a dimension."""
        fair = self.gold.fair_items(dimension)
        in_sample = sum(number for item, number in self.raters_of.items() if item in fair)
        outside = [item.item in fair for item in self.gold.items]
        share = sum(outside) / len(outside) if outside else 0.0
        on_gold = in_sample + share * sum(self.gold_turns.values())
        several = [number for number in self.raters_of.values() if number > 1]
        return forecast_study(
            spreads,
            population=len(self.pool),
            items=len(self.raters_of),
            raters_per_item=max(self.raters_of.values()),
            n_raters=len(self.load),
            double_rated=len(several) / len(self.raters_of),
            gold_items=on_gold / len(self.load),
        )


def plan_results(
    case: Case, pool: pd.DataFrame, *, plan: RoundPlan, gold: KnownItems
) -> list[Result]:
    """Plan of every dimension as the store keeps it."""
    intent = Intent(case, pool, plan, gold)
    earlier = earlier_cases(case)
    return [
        Result(0, "plan", name, _plan(intent, earlier, name).to_json(), case.row.config_hash)
        for name in case.dimensions
    ]


def _plan(intent: Intent, earlier: Sequence[Case], dimension: str) -> Plan:
    """Plan of one dimension."""
    scale = intent.case.campaign.rubric.scale
    if not scale.ordered:
        return Plan(dimension=dimension, **intent.size)
    spreads, source = known_spreads(earlier, dimension, scale=scale, pool=intent.pool)
    widths = intent.forecast(spreads, dimension).widths
    length = scale.high - scale.low
    return Plan(
        dimension=dimension,
        **intent.size,
        source=source or ASSUMED,
        measured=source is not None,
        spreads=spreads,
        widths=Widths(
            others=_at_most(widths[OTHERS], length),
            these=_at_most(widths[THESE], length),
            share=_at_most(widths[f"a share of {SHARES[0]:.0%}"], 1.0),
        ),
    )


def _at_most(width: float, whole: float) -> float:
    """Width that is no longer than the whole scale; nan for an endless one."""
    return min(width, whole) if math.isfinite(width) else math.nan
