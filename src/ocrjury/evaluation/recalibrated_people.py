"""People who can be recalibrated, and the reasons for which others cannot."""

from collections.abc import Mapping, Sequence
from typing import Final

from ocrjury.evaluation.case import Case
from ocrjury.evaluation.unmet_gold import count_gold
from ocrjury.language import phrase

_OTHER_ROLES: Final[Mapping[str, str]] = {
    "adjudicator": phrase("an adjudicator"),
    "expert": phrase("an expert of the panel"),
}


def why_not_recalibrated(case: Case) -> dict[str, str]:
    """Reasons, for later, for which some people of an evaluation cannot be recalibrated."""
    reasons = {
        person.pseudonym: phrase("dropped from this evaluation")
        if person.pseudonym in case.dropped
        else _OTHER_ROLES.get(person.role)
        for person in case.raters
    }
    return {name: reason for name, reason in reasons.items() if reason}


def list_recalibrated(case: Case) -> tuple[str, ...]:
    """Pseudonyms of the people who can be recalibrated."""
    reasons = why_not_recalibrated(case)
    return tuple(p.pseudonym for p in case.raters if p.pseudonym not in reasons)


def may_practise_alone(case: Case, rater: str, dimensions: Sequence[str]) -> bool:
    """Return whether enough gold is left to recalibrate one rater without others."""
    return enough_gold(case, count_gold(case, rater, dimensions))


def enough_gold(case: Case, gold: int) -> bool:
    """Return whether so many gold items tell how a rater does who is compared with nobody."""
    return gold >= case.campaign.rounds.pilot.criterion.min_ratings
