"""The worst items with their evidence, and the error rates beside people's scores."""

import math
from dataclasses import asdict, replace
from pathlib import Path

import pandas as pd

from ocrjury.report.assembly.stored import Stored
from ocrjury.report.distributions import histogram, spearman
from ocrjury.report.evidence import Items
from ocrjury.report.pool_scores import METRICS, Point, Scores
from ocrjury.report.worst import worst_items
from ocrjury.store.documents import SampledItem
from ocrjury.text import TextOptions


def scores_part(stored: Stored) -> Scores:
    """Return the automatic metrics of the pool, and how people's scores go with them."""
    rated = [item for item in stored.items if item.item in stored.item_means]
    human = [stored.item_means[item.item] for item in rated]
    cer = [_score(item, "cer") for item in rated]
    summary = {row.metric: row for row in stored.scores.summary}
    return Scores(
        pool_size=stored.row.pool_size or 0,
        n_reference=summary["edit_distance"].n,
        metrics=tuple(
            replace(summary[name], rho=spearman([_score(item, name) for item in rated], human))
            for name in METRICS
            if name in summary
        ),
        histogram=histogram(cer),
        points=tuple(
            Point(x, y, item.reason or "random")  # type: ignore[arg-type]  # one of the parts
            for x, y, item in zip(cer, human, rated, strict=True)
            if math.isfinite(x)
        ),
        rho=spearman(cer, human),
        fields=stored.scores.fields,
        signature=stored.scores.signature,
    )


def items_part(stored: Stored) -> Items:
    """Return the items that people rated lowest on the headline's dimension."""
    dimension, report = stored.target_dimension, stored.campaign.report
    pool = pd.DataFrame(
        [
            {**asdict(item), **item.scores, "doc_id": item.item, "image": item.image_uri}
            for item in stored.items
        ]
    )
    ratings = pd.DataFrame([rating._asdict() for rating in stored.ratings])
    purged_at = next((item.purged_at for item in stored.items if item.purged_at), None)
    found = worst_items(
        pool,
        ratings.rename(columns={"value": "rating"}),
        dimension=dimension,
        # Names have no order, so that none is the lowest.
        count=report.worst_items if stored.campaign.rubric.scale.ordered else 0,
        examples="off" if purged_at else report.examples,
        images=Path(stored.campaign.images_location),
        labels={
            truth.item: (float(truth.label), truth.confidence)
            for truth in stored.truths
            if truth.dimension == dimension and isinstance(truth.label, int | float)
        },
        options=TextOptions.preset(stored.campaign.pool.options),
    )
    return replace(found, purged_at=purged_at)


def _score(item: SampledItem, name: str) -> float:
    """Score of an item, nan where it has none."""
    score = item.scores.get(name)
    return math.nan if score is None else float(score)
