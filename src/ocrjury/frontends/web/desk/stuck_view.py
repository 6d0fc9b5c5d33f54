"""Runs that are stuck, as far as they concern the evaluations that a lead sees."""

from typing import TYPE_CHECKING

from ocrjury.frontends.web.access.leads import Lead
from ocrjury.pages.moments import local_minute
from ocrjury.store.evaluations import usual_zone

if TYPE_CHECKING:
    from ocrjury.signals.stuck_runs import Explained, StuckRun


def stuck_view(lead: Lead) -> "list[Explained]":
    """Explanation of each stuck run and its remedy, the oldest first."""
    runs = [run for run in lead.site.stuck() if _concerns(run, lead)]
    if not runs:
        return []
    from ocrjury.signals.stuck_runs import explain  # noqa: PLC0415  # it loads an HTTP client

    zone = usual_zone(lead.site.store.engine)
    return [explain(run, moment=local_minute(run.due, zone)) for run in runs]


def _concerns(run: "StuckRun", lead: Lead) -> bool:
    """Return whether a lead sees the evaluation or campaign of a run; a sweep is everybody's."""
    if run.evaluation is not None:
        return lead.sees(run.evaluation)
    if run.campaign is None and not run.command:
        return True
    return lead.sees(f"{run.campaign or ''}-")
