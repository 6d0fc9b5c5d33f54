"""The pages of the desk: all evaluations, one of them, its items and its raters."""

from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from fastapi.responses import Response

from ocrjury.frontends.web.access.people import Lead, OnPage, note
from ocrjury.frontends.web.desk.agreement_view import agreement_view, stored_agreement
from ocrjury.frontends.web.desk.evaluation_view import detail, list_view, standing_of
from ocrjury.frontends.web.desk.rater_view import (
    dimension_titles,
    rater_profiles,
    signed_in_by_proxy,
)
from ocrjury.frontends.web.desk.seen_items import see_items
from ocrjury.frontends.web.desk.wording import DECISIONS, KINDS
from ocrjury.frontends.web.rendering import desk_page
from ocrjury.store.database import writing
from ocrjury.store.decisions import list_decisions
from ocrjury.store.results import latest_verdicts

router = APIRouter(include_in_schema=False)


@router.get("/desk")
def show_evaluations(lead: OnPage) -> Response:
    """Show all evaluations."""
    return desk_page("evaluations", lead=lead, evaluations=list_view(lead), kinds=KINDS)


@router.get("/desk/{name}")
def show_evaluation(name: str, lead: OnPage) -> Response:
    """Show one evaluation."""
    return evaluation_page(lead, name)


@router.get("/desk/{name}/items")
def show_items(
    name: str,
    lead: OnPage,
    *,
    number: Annotated[int, Query(alias="page", ge=1, le=10_000)] = 1,
    dimension: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """Show the items that divide raters, the widest first."""
    evaluation = standing_of(lead, name).evaluation.evaluation
    seen = see_items(lead, evaluation, page=number, dimension=dimension)
    return desk_page(
        "items",
        **_frame(lead, evaluation),
        found=seen.found,
        chosen=dimension,
        source=seen.source,
    )


@router.get("/desk/{name}/raters")
def show_raters(name: str, lead: OnPage) -> Response:
    """Show the raters: how they rate, and their links."""
    standing_of(lead, name)
    with writing(lead.site.store.engine) as connection:
        note(connection, lead, "view raters", target=name)
    return raters_page(lead, name)


def _frame(lead: Lead, name: str) -> dict[str, Any]:
    """Values that every page of an evaluation shows."""
    standing, campaign = standing_of(lead, name), lead.site.campaign(name)
    return {
        "lead": lead,
        "one": detail(lead, standing),
        "titles": dimension_titles(campaign),
        "kinds": KINDS,
        "zone": ZoneInfo(campaign.time_zone),
    }


def evaluation_page(
    lead: Lead, name: str, *, problem: str | None = None, status: int = 200
) -> Response:
    """Page of an evaluation, with the problem that a decision met."""
    engine, standing = lead.site.store.engine, standing_of(lead, name)
    return desk_page(
        "evaluation",
        status=status,
        **_frame(lead, name),
        agreement=agreement_view(engine, standing, lead.site.campaign(name)),
        taken=list(reversed(list_decisions(engine, name))),
        words=DECISIONS,
        raters=standing.evaluation.raters,
        advised=_advised(latest_verdicts(engine, name)[:1]),
        inconclusive=standing.evaluation.held_reason == "inconclusive",
        problem=problem,
    )


def raters_page(
    lead: Lead,
    name: str,
    *,
    problem: str | None = None,
    status: int = 200,
    made: tuple[str, str] | None = None,
) -> Response:
    """Page of the raters."""
    engine = lead.site.store.engine
    frame = _frame(lead, name)
    stored = stored_agreement(engine, name)
    return desk_page(
        "raters",
        status=status,
        **frame,
        profiles=rater_profiles(engine, name, frame["one"].raters, stored=stored),
        source="none" if stored is None else stored.source,
        by_proxy=signed_in_by_proxy(lead.site, name, frame["one"].raters),
        problem=problem,
        made=made,
    )


def _advised(verdicts: list[Any]) -> dict[str, list[str]]:
    """Raters and dimensions that the gate advises to recalibrate, chosen beforehand in the form."""
    actions = [action for row in verdicts for action in row.actions if isinstance(action, dict)]
    advised = [action for action in actions if action.get("kind") == "recalibrate"]
    return {
        key: [action[key] for action in advised if action.get(key)]
        for key in ("rater", "dimension")
    }
