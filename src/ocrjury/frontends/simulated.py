"""Raters that are not people, for rehearsals; their ratings are marked wherever they appear."""

from datetime import datetime

import pandas as pd

from ocrjury.campaign.config import Campaign
from ocrjury.frontends.ingest import submit
from ocrjury.simulation import RaterProfile, simulate_ratings, true_scores
from ocrjury.store.documents import SampledItem, list_items
from ocrjury.store.evaluations import Evaluation
from ocrjury.store.ratings import Submission
from ocrjury.store.rounds import AssignmentRow, list_assignments
from ocrjury.store.workspace import Store


def rate_open_assignments(
    store: Store, row: Evaluation, campaign: Campaign, *, now: datetime
) -> int:
    """Rate everything that is open; return the number of assignments.

    A rating depends on the seed, item, rater and dimension alone, so that a repeated or
    interrupted call gives the same ratings.
    """
    open_ones = list_assignments(store.engine, row.evaluation, state="open")
    if not open_ones:
        return 0
    items = list_items(store.engine, row.evaluation)
    ratings = _rate(open_ones, items, campaign=campaign, seed=row.seed)
    submit(store, row.evaluation, [_submission(one, ratings, row) for one in open_ones], now=now)
    return len(open_ones)


def _rate(
    open_ones: list[AssignmentRow], items: list[SampledItem], *, campaign: Campaign, seed: int
) -> dict[tuple[str, str], dict[str, float]]:
    """Return the values by dimension for every pair of item and rater."""
    scale = campaign.rubric.scale
    pool = pd.DataFrame(
        [
            {
                "doc_id": item.item,
                "kind": item.kind,
                "reference": item.reference,
                "hypothesis": item.hypothesis,
                "confidence": item.confidence,
                **item.scores,
            }
            for item in items
        ]
    )
    names = [dimension.name for dimension in campaign.rubric.dimensions]
    truth = true_scores(pool, dimensions=names, scale=scale, seed=seed)
    pairs = pd.DataFrame([{"item": one.item, "rater": one.rater} for one in open_ones])
    profiles = {
        rater: RaterProfile(**campaign.simulation.rater(rater).model_dump())
        for rater in sorted(set(pairs["rater"]))
    }
    ratings = simulate_ratings(truth, pairs, profiles=profiles, scale=scale, seed=seed)
    values: dict[tuple[str, str], dict[str, float]] = {}
    for one in ratings.to_dict(orient="records"):
        values.setdefault((one["item"], one["rater"]), {})[one["dimension"]] = float(one["rating"])
    return values


def _submission(
    one: AssignmentRow, ratings: dict[tuple[str, str], dict[str, float]], row: Evaluation
) -> Submission:
    """Return what a simulated rater submits for one assignment."""
    return Submission(
        assignment=one.assignment,
        values=ratings[one.item, one.rater],
        event_id=f"simulated/{one.assignment}",
        rubric_hash=row.rubric_hash,
        source="simulated",
    )
