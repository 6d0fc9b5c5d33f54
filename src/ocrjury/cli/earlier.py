"""What a plan assumes: the pool, the raters, and how much they varied in an earlier evaluation."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ocrjury.campaign.settings import Settings
from ocrjury.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.campaign.config import Campaign
    from ocrjury.planner import VarianceComponents
    from ocrjury.scales import Scale
    from ocrjury.store.evaluations import Evaluation
    from ocrjury.store.workspace import Store

FEWEST_ITEMS = 20
SPREADS = ("score_sd", "rater_sd", "noise_sd", "r_squared")


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What a plan is made from.

    Attributes
    ----------
    dimension
        The dimension of the rubric.
    population, n_raters, cost_rating, minutes
        Documents; raters; what a rating costs and takes on average.
    spreads
        ``score_sd``, ``r_squared``, ``rater_sd``, ``noise_sd``.
    source
        Where the spreads come from, in words.
    """

    dimension: str
    population: int
    n_raters: int
    cost_rating: float
    minutes: float
    spreads: Mapping[str, float]
    source: str

    def with_given(self, given: Mapping[str, float]) -> "Assumptions":
        """Return the assumptions with some spreads set by hand."""
        if not given:
            return self
        names = ", ".join(name.replace("_", " ") for name in given)
        return replace(
            self, spreads={**self.spreads, **given}, source=f"{self.source}; given: {names}"
        )


def assumptions(campaign: "Campaign", dimension: str | None) -> Assumptions:
    """Return what to assume about a campaign."""
    from ocrjury.campaign.registry import read_raters
    from ocrjury.readers import read_pool

    name = _dimension(campaign, dimension)
    people = [one for one in read_raters(campaign.raters_path) if one.role == "rater"]
    if not people:
        raise InputError(f"{campaign.raters_path} names nobody with the role rater.")
    pool = read_pool(
        campaign.pool_location,
        format=campaign.pool.format,
        reference=campaign.reference_location,
        encoding=campaign.pool.encoding,
    )
    usual = campaign.raters.minutes_per_item
    minutes = [usual if one.minutes_per_item is None else one.minutes_per_item for one in people]
    spreads, source = _spreads(campaign, name, pool)
    return Assumptions(
        dimension=name,
        population=len(pool),
        n_raters=len(people),
        cost_rating=sum(one.cost for one in people) / len(people),
        minutes=sum(minutes) / len(minutes),
        spreads=spreads,
        source=source,
    )


def _dimension(campaign: "Campaign", asked: str | None) -> str:
    """Return the dimension to plan for."""
    names = [one.name for one in campaign.rubric.dimensions]
    if not campaign.rubric.scale.ordered:
        raise InputError("The rubric's scale has no order; names have no mean to plan for.")
    if asked is None:
        target = campaign.report.target
        return names[0] if target is None else target.dimension
    if asked not in names:
        raise InputError(f"The rubric has no dimension {asked!r}; it has {', '.join(names)}.")
    return asked


def _spreads(
    campaign: "Campaign", dimension: str, pool: "pd.DataFrame"
) -> tuple[dict[str, float], str]:
    """Return how much scores and raters vary, and where that is from."""
    found = _earlier(campaign.name, dimension)
    if found is None:
        return _typical(campaign.rubric.scale, pool), "assumed; no earlier evaluation has ratings"
    measured, source = found
    spreads = {name: getattr(measured, name) for name in SPREADS}
    return spreads, f"measured in {source}"


def _typical(scale: "Scale", pool: "pd.DataFrame") -> dict[str, float]:
    """Return what is usual."""
    from ocrjury.planner import usual_spreads

    return usual_spreads(
        scale,
        references=float(pool["reference"].notna().mean()),
        confidences=float(pool["confidence"].notna().mean()),
    )


def _earlier(campaign: str, dimension: str) -> "tuple[VarianceComponents, str] | None":
    """Return the variances of the newest evaluation that shows them, and its name."""
    from ocrjury.cli.stored import open_at
    from ocrjury.store.evaluations import list_evaluations

    settings = Settings.from_environment()
    if not settings.store_exists:
        return None
    with open_at(settings) as opened:
        for row in list_evaluations(opened.store.engine):
            if row.campaign != campaign or row.pool_hash is None:
                continue
            found = _measured(opened.store, row, dimension)
            if found is not None:
                simulated = " (simulated raters)" if row.simulated else ""
                return found, f"{row.evaluation}{simulated}"
    return None


def _measured(store: "Store", row: "Evaluation", dimension: str) -> "VarianceComponents | None":
    """Return the variances of an evaluation, None where it cannot tell."""
    import pandas as pd

    from ocrjury.estimation import auxiliaries
    from ocrjury.planner import variance_components
    from ocrjury.store.documents import list_items
    from ocrjury.store.pools import read_snapshot
    from ocrjury.store.ratings import list_ratings

    rated = pd.DataFrame(
        [
            (one.item, one.rater, one.value)
            for one in list_ratings(store.engine, row.evaluation)
            if one.round_kind == "main" and one.dimension == dimension
        ],
        columns=["item", "rater", "rating"],
    )
    sample = [one for one in list_items(store.engine, row.evaluation) if one.purpose == "sample"]
    rated = rated[rated["item"].isin([one.item for one in sample])]
    if rated["item"].nunique() < FEWEST_ITEMS:
        return None
    items = pd.DataFrame(
        [(one.item, one.inclusion_probability, one.stratum) for one in sample],
        columns=["item", "inclusion_probability", "stratum"],
    )
    pool = read_snapshot(store.files, str(row.pool_hash))
    matrix, _ = auxiliaries(pool, n=len(items))
    places = pd.Index(pool["doc_id"]).get_indexer(pd.Index([one.doc_id for one in sample]))
    try:
        return variance_components(
            rated, items=items, auxiliary=matrix[places], pool_mean=matrix.mean(axis=0)
        )
    except InputError:  # no item has two ratings
        return None
