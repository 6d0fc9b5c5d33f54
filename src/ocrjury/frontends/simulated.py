"""Raters that are not people, for rehearsals; their ratings are marked wherever they appear."""

from collections.abc import Sequence
from datetime import datetime

import pandas as pd

from ocrjury.campaign.config import Campaign
from ocrjury.frontends.ingest import submit
from ocrjury.simulation import RaterProfile, simulate_ratings, true_scores
from ocrjury.store.documents import SampledItem, list_items
from ocrjury.store.evaluations import Evaluation
from ocrjury.store.ratings import Submission
from ocrjury.store.rounds import AssignmentRow, list_assignments, list_rounds
from ocrjury.store.workspace import Store

Values = dict[tuple[str, str, int], dict[str, float]]
"""Ratings by dimension of an item, a rater and whether it is a second time."""


def rate_open_assignments(
    store: Store, row: Evaluation, campaign: Campaign, *, now: datetime
) -> int:
    """Rate everything that is open; return the number of assignments.

    A rating depends on the seed, item, rater and dimension alone, and whether it is a second one,
    so that a repeated or interrupted call gives the same ratings.
    """
    open_ones = list_assignments(store.engine, row.evaluation, state="open")
    if not open_ones:
        return 0
    items = list_items(store.engine, row.evaluation)
    asked = list_rounds(store.engine, row.evaluation)[-1].dimensions
    ratings = _rate(open_ones, items, campaign=campaign, seed=row.seed)
    submit(
        store,
        row.evaluation,
        [_submission(one, ratings, row, dimensions=asked) for one in open_ones],
        now=now,
    )
    return len(open_ones)


def _rate(
    open_ones: list[AssignmentRow], items: list[SampledItem], *, campaign: Campaign, seed: int
) -> Values:
    """Return the values by dimension of every assignment."""
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
    pairs = pd.DataFrame(
        [{"item": one.item, "rater": one.rater, "repeat": one.repeat} for one in open_ones]
    )
    profiles = {
        rater: RaterProfile(**campaign.simulation.rater(rater).model_dump())
        for rater in sorted(set(pairs["rater"]))
    }
    ratings = simulate_ratings(truth, pairs, profiles=profiles, scale=scale, seed=seed)
    values: Values = {}
    for one in ratings.to_dict(orient="records"):
        of = values.setdefault((one["item"], one["rater"], one["repeat"]), {})
        of[one["dimension"]] = float(one["rating"])
    return values


def _submission(
    one: AssignmentRow, ratings: Values, row: Evaluation, *, dimensions: Sequence[str]
) -> Submission:
    """Return what a simulated rater submits for one assignment."""
    values = ratings[one.item, one.rater, one.repeat]
    return Submission(
        assignment=one.assignment,
        values={name: values[name] for name in dimensions},
        event_id=f"simulated/{one.assignment}",
        rubric_hash=row.rubric_hash,
        source="simulated",
    )
