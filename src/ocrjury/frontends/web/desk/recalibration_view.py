"""Raters whom the desk offers to recalibrate, and why not the others."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from ocrjury.campaign.decisions import Decision
from ocrjury.evaluation.case import Case, Work
from ocrjury.evaluation.recalibrated_people import (
    list_recalibrated,
    may_practise_alone,
    why_not_recalibrated,
)
from ocrjury.frontends.web.site import Site
from ocrjury.language import tr
from ocrjury.sentences import listed
from ocrjury.store.histories import Standing


class RecalibrationView(NamedTuple):
    """What the form of a recalibration says before it is sent.

    Attributes
    ----------
    raters
        Those who can be recalibrated.
    left_out
        Why each of the others cannot.
    alone
        Sentence on those who can only be recalibrated together with others, or an empty one.
    """

    raters: Collection[str] = ()
    left_out: Mapping[str, str] = {}
    alone: str = ""


def recalibration_view(
    site: Site, standing: Standing, decisions: Collection[Decision]
) -> RecalibrationView:
    """What the form of a recalibration says, nothing where that cannot be decided."""
    if "recalibrate" not in decisions:
        return RecalibrationView()
    case = Case(Work(site.store, site.now()), standing)
    raters = list_recalibrated(case)
    return RecalibrationView(raters, why_not_recalibrated(case), _alone(case, raters))


def _alone(case: Case, raters: Collection[str]) -> str:
    """Sentence on raters with too little gold left to be compared with that alone."""
    short = [name for name in raters if not may_practise_alone(case, name, case.dimensions)]
    if not short:
        return ""
    return tr(
        "Only together with others: {names}. A rater alone is compared with gold items that are "
        "new to them, and fewer than {needed} of those are left.",
        names=listed(short),
        needed=case.campaign.rounds.pilot.criterion.min_ratings,
    )
