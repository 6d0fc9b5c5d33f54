"""The campaign beside recommendations for human evaluation."""

import math
from dataclasses import dataclass

from ocrjury.campaign.recommendations import MIN_ITEMS, check_campaign
from ocrjury.pages.numbers import percent, plural
from ocrjury.planner.double_rating import DOUBLE_SHARE
from ocrjury.ratings import RatingTable
from ocrjury.report.data import ReportData
from ocrjury.report.stored import Stored
from ocrjury.sampling import sample_size


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A recommendation, beside what was done; ``met`` is None where that is unknown."""

    topic: str
    recommended: str
    actual: str
    met: bool | None


def recommendations_of(stored: Stored) -> tuple[Recommendation, ...]:
    """Recommendations, each compared with the campaign."""
    checked = check_campaign(
        stored.campaign,
        tuple(stored.people),
        pool_size=stored.row.pool_size,
        drawn=sum(item.purpose == "sample" for item in stored.items),
    )
    return tuple(Recommendation(row.topic, row.recommended, row.actual, row.met) for row in checked)


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
            f"{table.n_items:,}",
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
    judged = [row for row in report.sections.get("recommendations", ()) if row.met is not None]
    met = sum(bool(row.met) for row in judged)
    return f"{met} of {plural(len(judged), 'recommendation')} for human evaluation met"
