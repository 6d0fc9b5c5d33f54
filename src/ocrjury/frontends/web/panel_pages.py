"""The pages of a panel: the items on which its votes differ, and one of them with all votes."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import Response

from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.guests import Guest, guest_of
from ocrjury.frontends.web.handing_in import find_place
from ocrjury.frontends.web.item_view import Chosen, view_item
from ocrjury.frontends.web.rendering import page
from ocrjury.frontends.web.second_looks import lettered
from ocrjury.frontends.web.work_pace import pace_of
from ocrjury.store.database import writing
from ocrjury.store.item_ratings import ItemRating, list_locked, list_votes
from ocrjury.store.visits import open_visit

router = APIRouter(include_in_schema=False)
Visitor = Annotated[Guest, Depends(guest_of)]


@router.get("/panel")
def show_panel(visitor: Visitor) -> Response:
    """Return the items that wait for an agreement."""
    site, campaign = visitor.site, visitor.campaign
    with writing(site.store.engine) as connection:
        pace = pace_of(connection, visitor, campaign, now=site.now())
        visits = [
            open_visit(
                connection,
                assignment,
                session_hash=visitor.session.session_hash,
                client=visitor.client,
                now=site.now(),
            )
            for assignment in list_locked(connection, visitor.link)
        ]
    return page("panel", language=visitor.language, guest=visitor, pace=pace, visits=visits)


@router.get("/panel/{visit}")
def show_votes(visit: str, visitor: Visitor) -> Response:
    """Return one item with the votes on it, without names, and the form for an agreement."""
    site, campaign = visitor.site, visitor.campaign
    with writing(site.store.engine) as connection:
        task = find_place(connection, visitor, visit).task
        votes = list_votes(connection, task.evaluation, task.item, number=task.round)
        pace = pace_of(connection, visitor, campaign, now=site.now())
    if task.round_kind != "panel" or not any(one.locked for one in votes):
        raise Trouble(409, "stale", visitor.say("trouble_stale"))
    given = [ItemRating(one.rater, one.values or {}, one.comment) for one in votes]
    item = view_item(
        task,
        visit,
        Chosen(),
        rubric=campaign.rubric,
        page=campaign.rounds.page,
        language=visitor.language,
    )
    return page(
        "votes",
        language=visitor.language,
        guest=visitor,
        pace=pace,
        item=item,
        others=lettered(given, seed=visit),
        voters=sorted(one.rater for one in votes),
    )
