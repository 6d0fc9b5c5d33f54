"""The campaign beside recommendations for human evaluation."""

import math
from dataclasses import dataclass
from typing import Any

from ocrjury.campaign.recommendation import AGREEMENT_PRINTED, Recommendation
from ocrjury.campaign.recommendations import check_campaign
from ocrjury.campaign.sample_recommendations import (
    MIN_ITEMS,
    MIN_RATERS,
    RATERS_PER_ITEM,
    TWO_RATERS,
    enough_items,
)
from ocrjury.language import phrase, trn
from ocrjury.pages.numbers import percent
from ocrjury.planner.double_rating import DOUBLE_SHARE
from ocrjury.ratings import RatingTable
from ocrjury.report.stored_evaluation import Stored
from ocrjury.sampling import sample_size


@dataclass(frozen=True, slots=True)
class Recommendations:
    """Recommendations, each compared with what was done."""

    rows: tuple[Recommendation, ...]

    @property
    def met(self) -> int:
        """Number of those that were followed."""
        return sum(row.met for row in self.rows)


def recommendations_of(stored: Stored) -> Recommendations:
    """Recommendations, each compared with the campaign."""
    pages = None if stored.design is None else stored.design.pages
    sample = [item for item in stored.items if item.purpose == "sample"]
    if pages is None:
        return _checked(stored, pool_size=stored.row.pool_size, drawn=len(sample))
    drawn = len({item.draw_number for item in sample})
    return _checked(stored, pool_size=pages, drawn=drawn, unit="pages", items=len(sample))


def _checked(stored: Stored, **size: Any) -> Recommendations:
    return Recommendations(check_campaign(stored.campaign, tuple(stored.people), **size))


def _drawn(table: RatingTable) -> str:
    """Number of items, and of clusters in which they were drawn."""
    if table.cluster is None:
        return f"{table.n_items:,}"
    return phrase(
        "{n}, drawn in {clusters} clusters, each of which counts once",
        n=f"{table.n_items:,}",
        clusters=f"{len(set(table.cluster.tolist())):,}",
    )


def rating_recommendations(table: RatingTable) -> Recommendations:
    """Recommendations that ratings alone can answer."""
    per_item = table.counts().sum(axis=1)
    double = float((per_item > 1).mean()) if len(per_item) else math.nan
    few = int(per_item.min()) if len(per_item) else 0
    rows = (
        Recommendation(
            *RATERS_PER_ITEM,
            phrase("at least {n}", n=few),
            few >= MIN_RATERS,
        ),
        Recommendation(
            *enough_items(MIN_ITEMS, sample_size()),
            _drawn(table),
            table.n_items >= MIN_ITEMS,
        ),
        Recommendation(
            TWO_RATERS,
            phrase("at least {n}", n=f"{DOUBLE_SHARE:.0%}"),
            percent(double, 0),
            double >= DOUBLE_SHARE,
        ),
        AGREEMENT_PRINTED,
    )
    return Recommendations(rows)


def title(recommendations: Recommendations) -> str:
    """Number of recommendations followed."""
    return trn(
        "{met} of {n} recommendation for human evaluation met",
        "{met} of {n} recommendations for human evaluation met",
        len(recommendations.rows),
        met=recommendations.met,
    )
