"""Ratings of the sampled items on a dimension, their known ratings, and the response."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.estimation import RatedSample, response_probabilities
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.passing_gold import GOLD
from ocrjury.evaluation.rated_sample import KnownSample, Sample, counting_items, main_stages
from ocrjury.findings.pool_estimates import Response
from ocrjury.planner import main_demand
from ocrjury.scales import Scale
from ocrjury.store.decisions import list_set_aside
from ocrjury.store.rounds import AssignmentRow

COLUMNS = ["item", "rater", "rating"]
NO_RATINGS = pd.DataFrame({name: [] for name in COLUMNS})


class Evidence(NamedTuple):
    """Ratings of sampled items on one dimension, those of gold beside them, and what is known.

    Attributes
    ----------
    ratings, in_passing
        Item, rater, rating: of sampled items, and of gold outside the sample.
    gold
        Item and known rating, of sampled items too, without what was promoted (`Case.fair_gold`).
    """

    ratings: pd.DataFrame
    in_passing: pd.DataFrame
    gold: pd.DataFrame

    @property
    def rated(self) -> pd.DataFrame:
        """All ratings, as the estimators take them."""
        return pd.concat([self.ratings, self.in_passing], ignore_index=True)

    @property
    def known(self) -> pd.DataFrame | None:
        """Known ratings, None without any."""
        return self.gold if len(self.gold) else None

    @property
    def item_means(self) -> "pd.Series[float]":
        """Mean rating of every sampled item that has one."""
        return self.ratings.groupby("item")["rating"].mean()

    def without_gold(self) -> "Evidence":
        """Ratings and estimates of the sample, uncorrected."""
        return Evidence(self.ratings, NO_RATINGS, NO_RATINGS)

    def as_shares(self, reached: Callable[[pd.Series], pd.Series]) -> "Evidence":
        """Evidence with 1 for ratings that reach a level, 0 for the others."""
        return Evidence(
            *(part.assign(rating=reached(part["rating"]).astype(float)) for part in self)
        )

    def of_sample(self, sample: Sample | KnownSample) -> RatedSample:
        """Rated sample by which two evaluations are compared."""
        return RatedSample(self.rated, sample.items, sample.auxiliary, sample.pool_mean, self.known)


def evidence_on(case: Case, dimension: str) -> Evidence:
    """Evidence on a dimension."""
    of = case.ratings[case.ratings["dimension"] == dimension]
    known = case.fair_gold.get(dimension, {})
    main = of["round_kind"] == "main"
    # Gold that was drawn since may have ratings on a dimension on which its stage has none.
    counts = main & of["item"].isin(list(counting_items(case, dimension)))
    in_passing = ((of["round_kind"] == "gold") | (main & ~counts)) & of["item"].isin(list(known))
    return Evidence(
        of.loc[counts, COLUMNS],
        of.loc[in_passing, COLUMNS],
        pd.DataFrame({"item": list(known), "rating": list(known.values())}),
    )


class Answered(NamedTuple):
    """Sampled items that have a value, and the probability of each to be drawn and to have one.

    Items of the same ``cluster`` were drawn together.
    """

    items: list[str]
    probability: Floats
    auxiliary: Floats
    cluster: Integers


def answered(sample: Sample, items: "pd.Index[str]") -> Answered:
    """Sampled items among some items; they stand for the others of their stratum."""
    sampled = sample.items["item"].isin(items).to_numpy(dtype=bool)
    probability = response_probabilities(
        sample.items["inclusion_probability"], responded=sampled, stratum=sample.items["stratum"]
    )
    rows = sample.items[sampled]
    return Answered(
        rows["item"].tolist(),
        probability,
        sample.auxiliary[sampled],
        rows["cluster"].to_numpy(dtype=np.int64),
    )


def usable_level(scale: Scale) -> float:
    """Lowest rating that is still good enough to use.

    The second-best level of a Likert scale; three quarters of a continuous scale, as 4 from 1 to 5.

    Examples
    --------
    >>> usable_level(Scale.likert(1, 5)), usable_level(Scale.binary())
    (4.0, 1.0)
    >>> usable_level(Scale.interval(0, 100))
    75.0
    """
    if scale.kind == "interval":
        return scale.low + 0.75 * (scale.high - scale.low)
    return scale.high - 1 if scale.kind == "likert" and scale.high - scale.low > 1 else scale.high


def target_level(case: Case, dimension: str) -> float | None:
    """Level of the target's share on a dimension; None where the scale is another, or no share."""
    target, scales = case.campaign.report.target, case.campaign.rubric.scales
    if target is None or scales[dimension] != scales[target.dimension]:
        return None
    return target.share_at_least


def measure_response(case: Case, dimension: str, evidence: Evidence, *, sample: Sample) -> Response:
    """Count the requested ratings of the sample that arrived on a dimension."""
    wanted = _wanted(case)
    given = evidence.ratings.groupby("item")["rater"].nunique()
    items = sample.items.assign(
        given=sample.items["item"].map(given).fillna(0).astype(int),
        wanted=sample.items["item"].map(wanted).fillna(0).astype(int),
    )
    silent = items[items["given"] == 0]["stratum"].fillna("(none)").value_counts().sort_index()
    left_out = items[items["item"].isin(set(case.excluded))]["item"]
    rows = [case.excluded[str(item)] for item in left_out]
    weight = 1 / items.set_index("item")["inclusion_probability"]
    return Response(
        drawn=len(items),
        rated=int((items["given"] > 0).sum()),
        complete=int(((items["given"] > 0) & (items["given"] >= items["wanted"])).sum()),
        given=int(items["given"].sum()),
        wanted=int(items["wanted"].sum()),
        growth=_growth(evidence, sample),
        silent={str(name): int(number) for name, number in silent.items()},
        excluded=dict(sorted(Counter(row.category for row in rows).items())),
        excluded_late=sum(row.after_verdict for row in rows),
        excluded_share=float(weight[left_out].sum() / weight.sum()) if rows else 0.0,
        aside=_aside(case, dimension, set(items["item"]) - set(case.excluded)),
    )


def _wanted(case: Case) -> dict[str, int]:
    """Ratings that the design asks for, by item; the gate may have asked for more."""
    of_design = case.campaign.raters
    demand: dict[str, int] = {}
    for stage in main_stages(case):
        demand |= main_demand(
            [item.item for item in case.sample if stage.holds(item)],
            per_item=of_design.per_item,
            double_rated=of_design.double_rated,
        )
    requested = Counter(row.item for row in _requested(case))
    return {
        item: 0 if item in case.excluded else max(number, requested[item])
        for item, number in demand.items()
    }


def _requested(case: Case) -> Iterator[AssignmentRow]:
    """Yield the first-pass assignments of main rounds that were not withdrawn."""
    for row in case.assignments:
        first_pass = case.kinds[row.round] == "main" and row.reason != GOLD and not row.repeat
        if first_pass and row.state != "withdrawn":
            yield row


def _aside(case: Case, dimension: str, items: set[str]) -> int:
    """Number of first-pass ratings of items that were set aside on a dimension."""
    of_items = {row.assignment for row in _requested(case) if row.item in items}
    return sum(
        assignment in of_items and name == dimension
        for assignment, name, _ in list_set_aside(case.work.engine, case.name)
    )


def _growth(evidence: Evidence, sample: Sample) -> float:
    """Largest factor by which nonresponse increased the weight of an item."""
    sampled = answered(sample, evidence.item_means.index)
    before = sample.items.set_index("item")["inclusion_probability"][sampled.items].to_numpy()
    return float(np.max(before / sampled.probability, initial=1.0))
