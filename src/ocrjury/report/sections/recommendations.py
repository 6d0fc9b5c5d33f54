"""The campaign beside recommendations for human evaluation."""

import math
from typing import Any

from ocrjury.campaign.recommendations import MIN_ITEMS, Recommendation, check_campaign
from ocrjury.pages.numbers import percent, plural
from ocrjury.planner.double_rating import DOUBLE_SHARE
from ocrjury.ratings import RatingTable
from ocrjury.report.data import ReportData
from ocrjury.report.stored import Stored
from ocrjury.sampling import sample_size


def recommendations_of(stored: Stored) -> tuple[Recommendation, ...]:
    """Recommendations, each compared with the campaign."""
    pages = None if stored.design is None else stored.design.pages
    sample = [item for item in stored.items if item.purpose == "sample"]
    if pages is None:
        return _checked(stored, pool_size=stored.row.pool_size, drawn=len(sample))
    drawn = len({item.draw_number for item in sample})
    return _checked(stored, pool_size=pages, drawn=drawn, unit="pages")


def _checked(stored: Stored, **size: Any) -> tuple[Recommendation, ...]:
    return check_campaign(stored.campaign, tuple(stored.people), **size)


def _drawn(table: RatingTable) -> str:
    """Number of items, and of clusters in which they were drawn."""
    if table.cluster is None:
        return f"{table.n_items:,}"
    n_clusters = len(set(table.cluster.tolist()))
    return f"{table.n_items:,}, drawn in {n_clusters:,} clusters, each of which counts once"


def rating_recommendations(table: RatingTable) -> tuple[Recommendation, ...]:
    """Recommendations that ratings alone can answer."""
    per_item = table.counts().sum(axis=1)
    double = float((per_item > 1).mean()) if len(per_item) else math.nan
    few = int(per_item.min()) if len(per_item) else 0
    return (
        Recommendation("Raters per item", "at least 2, better 3", f"at least {few}", few >= 2),
        Recommendation(
            "Number of items",
            f"at least {MIN_ITEMS}; {sample_size()} for a share within ±5 points",
            _drawn(table),
            table.n_items >= MIN_ITEMS,
        ),
        Recommendation(
            "Items with two or more raters",
            f"at least {DOUBLE_SHARE:.0%}",
            percent(double, 0),
            double >= DOUBLE_SHARE,
        ),
        Recommendation("Agreement in the report", "always printed", "always printed", met=True),
    )


def title(report: ReportData) -> str:
    """Number of recommendations followed."""
    rows = report.sections["recommendations"]
    met = sum(row.met for row in rows)
    return f"{met} of {plural(len(rows), 'recommendation')} for human evaluation met"
