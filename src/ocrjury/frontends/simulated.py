"""Raters that are not people, for rehearsals; their ratings are marked wherever they appear."""

from collections.abc import Iterator
from datetime import datetime

import pandas as pd

from ocrjury.campaign.config import Campaign
from ocrjury.errors import StateError
from ocrjury.frontends.ingest import OpenRound, RawRating, receive
from ocrjury.simulation import RaterProfile, simulate_ratings, true_scores
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.documents import SampledItem, list_items
from ocrjury.store.evaluations import Evaluation
from ocrjury.store.rounds import AssignmentRow, list_rounds
from ocrjury.store.workspace import Store

Values = dict[tuple[str, str, int], dict[str, float]]
"""Ratings by dimension of an item, a rater and whether it is a second time."""


def simulated_ratings(round_: OpenRound, campaign: Campaign, *, seed: int) -> Iterator[RawRating]:
    """Yield a rating of everything that is open in a round.

    It depends on the seed, item, rater and dimension alone, and whether it is a second one, so that
    a repeated or interrupted call gives the same ratings.
    """
    assignments = round_.assignments("open")
    if not assignments:
        return
    items = list_items(round_.store.engine, round_.evaluation)
    ratings = _rate(assignments, items, campaign=campaign, seed=seed)
    for assignment in assignments:
        yield _answer(assignment, ratings, round_)


def rate_open_assignments(
    store: Store, row: Evaluation, campaign: Campaign, *, now: datetime, tick: Tick = unwatched
) -> int:
    """Rate everything that is open; return the number of assignments.

    `StateError` if somebody closed the round or withdrew an assignment meanwhile.
    """
    rounds = list_rounds(store.engine, row.evaluation)
    if not rounds:
        return 0
    last, parts = rounds[-1], Parts(tick, 2)
    parts.begin("simulating ratings")
    round_ = OpenRound(store, row.evaluation, last.round, last.dimensions, campaign.rubric)
    sent = list(simulated_ratings(round_, campaign, seed=row.seed))
    parts.begin("storing them")
    received = receive(round_, sent, now=now)
    if received.refused:
        raise StateError(f"{row.evaluation}, {received.refused[0]}; it was not stored.")
    return len(sent)


def _rate(
    assignments: list[AssignmentRow], items: list[SampledItem], *, campaign: Campaign, seed: int
) -> Values:
    """Values by dimension of every assignment."""
    scale = campaign.rubric.scales
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
        [{"item": row.item, "rater": row.rater, "repeat": row.repeat} for row in assignments]
    )
    profiles = {
        rater: RaterProfile(**campaign.simulation.rater(rater).model_dump())
        for rater in sorted(set(pairs["rater"]))
    }
    ratings = simulate_ratings(truth, pairs, profiles=profiles, scale=scale, seed=seed)
    values: Values = {}
    for record in ratings.to_dict(orient="records"):
        of = values.setdefault((record["item"], record["rater"], record["repeat"]), {})
        of[record["dimension"]] = float(record["rating"])
    return values


def _answer(assignment: AssignmentRow, ratings: Values, round_: OpenRound) -> RawRating:
    """Submission of a simulated rater for one assignment."""
    values = ratings[assignment.item, assignment.rater, assignment.repeat]
    return RawRating(
        assignment=assignment.assignment,
        rater=assignment.rater,
        values={name: values[name] for name in round_.dimensions},
        event_id=f"simulated/{assignment.assignment}",
        rubric_hash=round_.rubric.rubric_hash,
        source="simulated",
        where=assignment.assignment,
        address="simulated",
    )
