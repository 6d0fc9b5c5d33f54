"""Evaluations that one is compared with: of the same campaign, with the same scales."""

from collections.abc import Mapping
from datetime import datetime

from ocrjury.evaluation.case import Case, Work
from ocrjury.scales import Scale
from ocrjury.store.evaluations import list_evaluations

DONE = ("estimated", "reported", "closed")
MOST = 11
"""Evaluations that are looked back at: a quarter of weekly ones, the newest with them."""


def earlier_cases(case: Case) -> list[Case]:
    """Newest evaluations that were opened before this one and compare with it, oldest first.

    A rehearsal compares with nothing.
    """
    if case.row.simulated:
        return []
    return comparable_cases(
        case.work,
        case.row.campaign,
        scales=case.campaign.rubric.scales,
        before=case.row.opened_at,
    )


def comparable_cases(
    work: Work, campaign: str, *, scales: Mapping[str, Scale], before: datetime | None = None
) -> list[Case]:
    """Newest evaluations of a campaign with estimates and the same scales, the oldest first.

    Rehearsals are left out: what simulated raters say is no evidence of anything.

    Parameters
    ----------
    before
        Only evaluations that were opened before this moment.
    """
    rows = [
        row
        for row in list_evaluations(work.engine)
        if row.campaign == campaign
        and (before is None or row.opened_at < before)
        and not row.simulated
        and row.state in DONE
    ]
    cases = [work.case(row.evaluation) for row in rows[:MOST]]
    return [case for case in reversed(cases) if _alike(case.campaign.rubric.scales, scales)]


def _alike(scales: Mapping[str, Scale], others: Mapping[str, Scale]) -> bool:
    """Return whether dimensions of one name have one scale; without any, whether all have one."""
    common = scales.keys() & others.keys()
    if not common:
        return {*scales.values()} == {*others.values()}
    return all(scales[name] == others[name] for name in common)
