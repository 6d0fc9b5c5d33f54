"""Items of the sample that were not rated, or not as often as the design asks."""

from collections import Counter

import numpy as np

from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import Evidence, answered
from ocrjury.evaluation.passing_gold import GOLD
from ocrjury.evaluation.rated_sample import Sample, main_stages
from ocrjury.findings.pool_estimates import Response
from ocrjury.planner import main_demand


def measure_response(case: Case, evidence: Evidence, sample: Sample) -> Response:
    """Count the requested ratings of the sample that arrived on a dimension."""
    wanted = _wanted(case)
    given = evidence.ratings.groupby("item")["rater"].nunique()
    items = sample.items.assign(
        given=sample.items["item"].map(given).fillna(0).astype(int),
        wanted=sample.items["item"].map(wanted).fillna(0).astype(int),
    )
    silent = items[items["given"] == 0]["stratum"].fillna("(none)").value_counts().sort_index()
    return Response(
        drawn=len(items),
        rated=int((items["given"] > 0).sum()),
        complete=int(((items["given"] > 0) & (items["given"] >= items["wanted"])).sum()),
        given=int(items["given"].sum()),
        wanted=int(items["wanted"].sum()),
        growth=_growth(evidence, sample),
        silent={str(name): int(number) for name, number in silent.items()},
    )


def _wanted(case: Case) -> dict[str, int]:
    """Return how many ratings the design asks for, by item; the gate may have asked for more."""
    names = [item.item for item in case.sample]
    of_design = case.campaign.raters
    demand: dict[str, int] = {}
    for stage in main_stages(case):
        demand |= main_demand(
            names[stage.first - 1 : stage.last],
            per_item=of_design.per_item,
            double_rated=of_design.double_rated,
        )
    asked = Counter(
        one.item
        for one in case.assignments
        if case.kinds[one.round] == "main"
        and one.reason != GOLD
        and not one.repeat
        and one.state != "withdrawn"
    )
    return {item: max(number, asked[item]) for item, number in demand.items()}


def _growth(evidence: Evidence, sample: Sample) -> float:
    """Return by how much the weight of an item grew at most."""
    there = answered(sample, evidence.item_means.index)
    before = sample.items.set_index("item")["inclusion_probability"][there.items].to_numpy()
    return float(np.max(before / there.probability, initial=1.0))
