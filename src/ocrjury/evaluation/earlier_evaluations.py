"""Earlier evaluations of the same campaign, with which a later one can be compared."""

from datetime import datetime

from ocrjury.evaluation.case import Case, Work
from ocrjury.scales import Scale
from ocrjury.store.evaluations import list_evaluations

DONE = ("estimated", "reported", "closed")
MOST = 11
"""Evaluations that are looked back at: a quarter of weekly ones, the newest with them."""


def earlier_cases(case: Case) -> list[Case]:
    """Newest evaluations that were opened before this one and compare with it, oldest first."""
    return comparable_cases(
        case.work,
        case.row.campaign,
        scale=case.campaign.rubric.scale,
        simulated=case.row.simulated,
        before=case.row.opened_at,
    )


def comparable_cases(
    work: Work, campaign: str, *, scale: Scale, simulated: bool, before: datetime | None = None
) -> list[Case]:
    """Newest evaluations of a campaign with estimates and the same scale, the oldest first.

    Parameters
    ----------
    simulated
        Whether raters are simulated: a rehearsal is compared with rehearsals only.
    before
        Only evaluations that were opened before this moment.
    """
    rows = [
        row
        for row in list_evaluations(work.engine)
        if row.campaign == campaign
        and (before is None or row.opened_at < before)
        and row.simulated == simulated
        and row.state in DONE
    ]
    cases = [work.case(row.evaluation) for row in rows[:MOST]]
    return [case for case in reversed(cases) if case.campaign.rubric.scale == scale]
