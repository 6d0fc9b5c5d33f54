"""Expected precision of an evaluation, and the variation that it assumes.

It is kept at the draw to compare with the result; before an evaluation opens, `ocrjury plan` asks
for the assumptions alone.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypedDict

import pandas as pd

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.gold_file import read_gold
from ocrjury.campaign.registry import read_raters
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case, Work
from ocrjury.evaluation.compared_evaluation import ComparedEvaluation
from ocrjury.evaluation.earlier_cases import comparable_cases, earlier_cases
from ocrjury.evaluation.gold import KnownItems
from ocrjury.evaluation.known_spreads import Sources, Spreads, known_spreads, sources_for
from ocrjury.evaluation.pages import SIDE_BY_SIDE, page_of_documents
from ocrjury.evaluation.pool_outputs import outputs_hash, outputs_of
from ocrjury.findings.comparable_pool import Fingerprints
from ocrjury.findings.plan import Plan, Widths
from ocrjury.language import phrase
from ocrjury.planner import StudyPlan, forecast_study
from ocrjury.planner.study import OTHERS, SHARES, THESE
from ocrjury.readers import read_pool
from ocrjury.store.results import Result
from ocrjury.store.rounds import RoundPlan

ASSUMED = phrase("what is usual; no earlier evaluation shows how much scores and raters vary")


class Size(TypedDict):
    """Size of a round, what it costs, and the raters' hours; as in `Plan`."""

    items: int
    assignments: int
    second_ratings: int
    gold_ratings: int
    raters: int
    cost: float
    hours: float


@dataclass(frozen=True)
class Intent:
    """A campaign, its pool, and the first main round on its sample."""

    case: Case
    pool: pd.DataFrame
    round: RoundPlan
    gold: KnownItems

    @cached_property
    def raters_of(self) -> dict[str, int]:
        """Number of raters of each item, who may rate it a second time."""
        return dict(Counter(row.item for row in self.round.assignments if not row.repeat))

    @cached_property
    def load(self) -> dict[str, int]:
        """Number of ratings of the sample by each rater, second ones too."""
        return dict(Counter(row.rater for row in self.round.assignments))

    @cached_property
    def gold_turns(self) -> dict[str, int]:
        """Approximate number of gold items outside the sample that each rater meets."""
        every, most = self.case.campaign.raters.gold_every, len(self.gold.items)
        return {rater: min(round(own / (every - 1)), most) for rater, own in self.load.items()}

    @property
    def size(self) -> Size:
        """Size of the round."""
        people = {person.pseudonym: person for person in self.case.raters}
        usual = self.case.campaign.raters.minutes_per_item
        turns = {rater: own + self.gold_turns[rater] for rater, own in self.load.items()}
        minutes = sum((people[r].minutes_per_item or usual) * n for r, n in turns.items())
        return Size(
            items=len(self.raters_of),
            assignments=len(self.round.assignments),
            second_ratings=sum(row.repeat > 0 for row in self.round.assignments),
            gold_ratings=sum(self.gold_turns.values()),
            raters=len(self.load),
            cost=float(sum(people[rater].cost * n for rater, n in turns.items())),
            hours=minutes / 60,
        )

    def forecast(self, spreads: Spreads, dimension: str) -> StudyPlan:
        """Expected precision of the estimates of a dimension."""
        fair = self.gold.fair_items(dimension)
        in_sample = [number for item, number in self.raters_of.items() if item in fair]
        outside = [item.item in fair for item in self.gold.items]
        share = sum(outside) / len(outside) if outside else 0.0
        on_gold = sum(in_sample) + share * sum(self.gold_turns.values())
        several = [number for number in self.raters_of.values() if number > 1]
        return forecast_study(
            spreads,
            population=len(self.pool),
            items=len(self.raters_of),
            raters_per_item=max(self.raters_of.values()),
            n_raters=len(self.load),
            double_rated=len(several) / len(self.raters_of),
            gold_items=on_gold / len(self.load),
            different_gold=len(in_sample) + sum(outside),
            together=_drawn_together(self.case.campaign, self.pool),
        )


def plan_results(
    case: Case, pool: pd.DataFrame, *, plan: RoundPlan, gold: KnownItems
) -> list[Result]:
    """Plan of every dimension as the store keeps it."""
    intent = Intent(case, pool, plan, gold)
    earlier = earlier_cases(case)
    own = Fingerprints(case.row.pool_hash, outputs_of(case) if earlier else None, None)
    sources = sources_for(ComparedEvaluation(case).draws, own, earlier=earlier)
    return [
        Result(0, "plan", name, _plan(intent, sources, name), case.row.config_hash)
        for name in case.dimensions
    ]


def _plan(intent: Intent, sources: Sources, dimension: str) -> Plan:
    scale = intent.case.campaign.rubric.scales[dimension]
    if not scale.ordered:
        return Plan(dimension=dimension, **intent.size)
    spreads, source = known_spreads(sources.earlier, dimension, scale=scale, pool=intent.pool)
    widths = intent.forecast(spreads, dimension).widths
    length = scale.high - scale.low
    return Plan(
        dimension=dimension,
        **intent.size,
        source=source or _assumed(sources),
        measured=source is not None,
        spreads=spreads,
        widths=Widths(
            others=_at_most(widths[OTHERS], length),
            these=_at_most(widths[THESE], length),
            share=_at_most(widths[SHARES[0.5]], 1.0),
        ),
    )


def _assumed(sources: Sources) -> str:
    """Sentence about a plan that no evaluation was measured for."""
    if not sources.same_sample:
        return ASSUMED
    return phrase(
        "what is usual; {evaluations} rated the same sample, on which a plan would only confirm "
        "itself",
        evaluations=", ".join(sources.same_sample),
    )


def _at_most(width: float, whole: float) -> float:
    """Width that is no longer than the whole scale; nan for an endless one."""
    return min(width, whole) if math.isfinite(width) else math.nan


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Input of a plan that is made before an evaluation opens.

    Attributes
    ----------
    dimension
        The dimension of the rubric.
    population, n_raters, cost_rating, minutes
        Documents; raters; mean cost and mean time of a rating.
    spreads
        ``score_sd``, ``r_squared``, ``rater_sd``, ``noise_sd``.
    source
        Origin of the spreads, in words.
    together
        Outputs of a page that are drawn together.
    gold
        Documents whose rating on the dimension is known.
    """

    dimension: str
    population: int
    n_raters: int
    cost_rating: float
    minutes: float
    spreads: Mapping[str, float]
    source: str
    together: float = 1.0
    gold: int = 0

    def with_given(self, given: Mapping[str, float]) -> "Assumptions":
        """Assumptions with some spreads set by hand."""
        if not given:
            return self
        names = ", ".join(name.replace("_", " ") for name in given)
        source = f"{self.source}; given: {names}"
        return replace(self, spreads={**self.spreads, **given}, source=source)


def assumptions(campaign: Campaign, dimension: str | None, *, work: Work | None) -> Assumptions:
    """Assumptions about a campaign; without a store nothing was measured."""
    name = _dimension(campaign, dimension)
    scale = campaign.rubric.scales[name]
    raters = [entry for entry in read_raters(campaign.raters_path) if entry.role == "rater"]
    if not raters:
        raise InputError(f"{campaign.raters_path} names nobody with the role rater.")
    pool = read_pool(
        campaign.pool_location,
        format=campaign.pool.format,
        reference=campaign.reference_location,
        encoding=campaign.pool.encoding,
    )
    earlier = (
        []
        if work is None or campaign.simulated
        else comparable_cases(work, campaign.name, scales=campaign.rubric.scales)
    )
    draws = campaign.seed, campaign.rounds.page.systems
    own = _unscored(pool) if earlier else Fingerprints(None, None, None)
    sources = sources_for(draws, own, earlier=earlier)
    spreads, source = known_spreads(sources.earlier, name, scale=scale, pool=pool)
    usual = campaign.raters.minutes_per_item
    minutes = [usual if r.minutes_per_item is None else r.minutes_per_item for r in raters]
    return Assumptions(
        dimension=name,
        population=len(pool),
        n_raters=len(raters),
        cost_rating=sum(rater.cost for rater in raters) / len(raters),
        minutes=sum(minutes) / len(minutes),
        spreads=spreads,
        source=f"measured in {source}" if source else _not_measured(sources),
        together=_drawn_together(campaign, pool),
        gold=_known(campaign, name),
    )


def _known(campaign: Campaign, dimension: str) -> int:
    """Number of documents whose rating on a dimension is known, without what was promoted."""
    path = campaign.gold_path
    lines = () if path is None else read_gold(path, campaign.rubric)
    return sum(line.dimension == dimension and line.source == "file" for line in lines)


def _unscored(pool: pd.DataFrame) -> Fingerprints:
    """Fingerprints of a pool that was read and not scored yet."""
    texts = pool["hypothesis"].astype(object).where(pool["hypothesis"].notna(), None)
    return Fingerprints(None, outputs_hash(zip(pool["doc_id"], texts, strict=True)), None)


def _not_measured(sources: Sources) -> str:
    if not sources.same_sample:
        return "assumed; no earlier evaluation shows them"
    names = ", ".join(sources.same_sample)
    return f"assumed; {names} rated the sample that this seed draws again; another seed draws anew"


def _drawn_together(campaign: Campaign, pool: pd.DataFrame) -> float:
    """Mean number of documents that come in one draw."""
    if campaign.rounds.page.systems != SIDE_BY_SIDE:
        return 1.0
    return len(pool) / page_of_documents(pool, alike=True).nunique()


def _dimension(campaign: Campaign, name: str | None) -> str:
    """Dimension to plan for: the one that is named, else the target's, else the first."""
    names = [dimension.name for dimension in campaign.rubric.dimensions]
    scales = campaign.rubric.scales
    if not any(scale.ordered for scale in scales.values()):
        raise InputError("The rubric's scale has no order; categories have no mean to plan for.")
    if name is not None and name not in names:
        raise InputError(f"The rubric has no dimension {name!r}; it has {', '.join(names)}.")
    if name is None:
        target = campaign.report.target
        first = next((own for own in names if scales[own].ordered), names[0])
        name = first if target is None else target.dimension
    if not scales[name].ordered:
        raise InputError(f"The scale of {name} has no order; categories have no mean to plan for.")
    return name
