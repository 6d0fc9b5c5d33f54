"""Earlier evaluations of the same campaign, with which a later one can be compared."""

from ocrjury.evaluation.case import Case
from ocrjury.store.evaluations import list_evaluations

DONE = ("estimated", "reported", "closed")
MOST = 11
"""Evaluations that are looked back at: a quarter of weekly ones, the newest with them."""


def earlier_cases(case: Case) -> list[Case]:
    """Return the newest earlier evaluations, the oldest first.

    They have estimates, the same scale, and people where this one has people: what simulated
    raters said in a rehearsal is compared with rehearsals only.
    """
    rows = [
        row
        for row in list_evaluations(case.work.engine)
        if row.campaign == case.row.campaign
        and row.opened_at < case.row.opened_at
        and row.simulated == case.row.simulated
        and row.state in DONE
    ]
    found = [case.work.case(row.evaluation) for row in rows[:MOST]]
    scale = case.campaign.rubric.scale
    return [one for one in reversed(found) if one.campaign.rubric.scale == scale]
