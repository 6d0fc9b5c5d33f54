"""The campaign beside recommendations for human evaluation."""

from dataclasses import dataclass

from ocrjury.campaign.recommendations import check_campaign
from ocrjury.pages.numbers import plural
from ocrjury.report.assembly.stored import Stored
from ocrjury.report.data import ReportData


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


def title(report: ReportData) -> str:
    """Return how many recommendations were followed."""
    judged = [row for row in report.recommendations if row.met is not None]
    met = sum(bool(row.met) for row in judged)
    return f"{met} of {plural(len(judged), 'recommendation')} for human evaluation met"
