"""Variation of scores and raters that a plan assumes: measured earlier, or the usual."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.registry import read_raters
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case, Work
from ocrjury.evaluation.earlier_evaluations import comparable_cases
from ocrjury.evaluation.evidence import evidence_on
from ocrjury.evaluation.rated_sample import rated_sample
from ocrjury.planner import usual_spreads, variance_components
from ocrjury.readers import read_pool
from ocrjury.scales import Scale

FEWEST_ITEMS = 20
"""Rated items without which an earlier evaluation does not show how much scores vary."""
Spreads = dict[str, float]


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
    """

    dimension: str
    population: int
    n_raters: int
    cost_rating: float
    minutes: float
    spreads: Mapping[str, float]
    source: str

    def with_given(self, given: Mapping[str, float]) -> "Assumptions":
        """Assumptions with some spreads set by hand."""
        if not given:
            return self
        names = ", ".join(name.replace("_", " ") for name in given)
        source = f"{self.source}; given: {names}"
        return replace(self, spreads={**self.spreads, **given}, source=source)


def assumptions(campaign: Campaign, dimension: str | None, *, work: Work | None) -> Assumptions:
    """Assumptions about a campaign; without a store nothing was measured."""
    name, scale = _dimension(campaign, dimension), campaign.rubric.scale
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
        if work is None
        else comparable_cases(work, campaign.name, scale=scale, simulated=campaign.simulated)
    )
    spreads, source = known_spreads(earlier, name, scale=scale, pool=pool)
    usual = campaign.raters.minutes_per_item
    minutes = [usual if r.minutes_per_item is None else r.minutes_per_item for r in raters]
    return Assumptions(
        dimension=name,
        population=len(pool),
        n_raters=len(raters),
        cost_rating=sum(rater.cost for rater in raters) / len(raters),
        minutes=sum(minutes) / len(minutes),
        spreads=spreads,
        source=(f"measured in {source}" if source else "assumed; no earlier evaluation shows them"),
    )


def _dimension(campaign: Campaign, name: str | None) -> str:
    """Dimension to plan for: the one that is named, else the target's, else the first."""
    names = [dimension.name for dimension in campaign.rubric.dimensions]
    if not campaign.rubric.scale.ordered:
        raise InputError("The rubric's scale has no order; names have no mean to plan for.")
    if name is None:
        target = campaign.report.target
        return names[0] if target is None else target.dimension
    if name not in names:
        raise InputError(f"The rubric has no dimension {name!r}; it has {', '.join(names)}.")
    return name


def known_spreads(
    earlier: Sequence[Case], dimension: str, *, scale: Scale, pool: pd.DataFrame
) -> tuple[Spreads, str | None]:
    """Spreads of scores and raters, and the newest evaluation that shows them.

    Parameters
    ----------
    earlier
        Comparable evaluations, the oldest first.
    """
    for case in reversed(earlier):
        spreads = _measured(case, dimension)
        if spreads is not None:
            return spreads, case.name
    shares = {name: float(pool[name].notna().mean()) for name in ("reference", "confidence")}
    usual = usual_spreads(scale, references=shares["reference"], confidences=shares["confidence"])
    return usual, None


def _measured(case: Case, dimension: str) -> Spreads | None:
    """Spreads in one evaluation, None where its ratings cannot show them."""
    evidence = evidence_on(case, dimension)
    if evidence.ratings["item"].nunique() < FEWEST_ITEMS:
        return None
    sample = rated_sample(case, case.pool(), [dimension])
    try:
        components = variance_components(
            evidence.ratings,
            items=sample.items,
            auxiliary=sample.auxiliary,
            pool_mean=sample.pool_mean,
        )
    except InputError:  # no item has two ratings
        return None
    spreads = components._asdict()
    del spreads["n_raters"]
    return spreads
