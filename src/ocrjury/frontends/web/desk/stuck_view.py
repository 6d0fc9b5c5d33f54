"""Runs that are stuck, as far as they concern the evaluations that a lead sees."""

from typing import TYPE_CHECKING

from ocrjury.frontends.web.access.leads import Lead
from ocrjury.pages.moments import local_minute
from ocrjury.store.evaluations import usual_zone

if TYPE_CHECKING:
    from ocrjury.signals.stuck_runs import Explained, StuckRun


def stuck_view(lead: Lead) -> "list[Explained]":
    """What is wrong with each run, and what to do, the oldest first."""
    runs = [run for run in lead.site.stuck() if _concerns(run, lead)]
    if not runs:
        return []
    from ocrjury.signals.stuck_runs import explain  # noqa: PLC0415  # it loads an HTTP client

    zone = usual_zone(lead.site.store.engine)
    return [explain(run, moment=local_minute(run.due, zone)) for run in runs]


def _concerns(run: "StuckRun", lead: Lead) -> bool:
    """Whether a run is of an evaluation or campaign that a lead sees; a sweep is everybody's."""
    if run.evaluation is not None:
        return lead.sees(run.evaluation)
    if run.campaign is None and not run.command:
        return True
    return lead.sees(f"{run.campaign or ''}-")
