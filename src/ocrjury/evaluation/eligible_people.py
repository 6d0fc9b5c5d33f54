"""People of a role who have not left, and those eligible for each item."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from ocrjury.campaign.registry import RaterEntry, eligible, named_skills
from ocrjury.evaluation.case import Case
from ocrjury.store.documents import SampledItem


def who_may_rate(
    case: Case, role: str, *, sample: Sequence[SampledItem], without: Sequence[str]
) -> dict[str, list[str]]:
    """People of a role who may rate each item today."""
    today = case.work.now.astimezone(ZoneInfo(case.campaign.time_zone)).date()
    # A skill stays required after its only rater has left.
    skilled = named_skills([rater for rater in case.raters if rater.role == role])
    people = people_of(case, role, without)
    return {
        item.item: [
            person.pseudonym
            for person in people
            if eligible(
                person,
                doc_type=item.doc_type,
                doc_id=item.doc_id,
                language=item.language,
                on=today,
                skilled=skilled,
            )
        ]
        for item in sample
    }


def people_of(case: Case, role: str, without: Sequence[str]) -> list[RaterEntry]:
    """People of a role who have not left."""
    gone = {*without, *case.dropped}
    return [
        person for person in case.raters if person.role == role and person.pseudonym not in gone
    ]
