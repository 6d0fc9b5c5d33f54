"""The pages of a panel: the items on which its votes differ, and one of them with all votes."""

from collections.abc import Collection
from secrets import token_urlsafe
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.audit_lines import note_view
from ocrjury.frontends.web.bodies import ConsensusBody
from ocrjury.frontends.web.guests import Guest, checked_form, guest_of
from ocrjury.frontends.web.handing_in import agree, find_place
from ocrjury.frontends.web.item_view import Chosen, view_item
from ocrjury.frontends.web.posted_answers import values_of
from ocrjury.frontends.web.rating_pages import UNPROCESSABLE
from ocrjury.frontends.web.rendering import page
from ocrjury.frontends.web.second_looks import lettered
from ocrjury.frontends.web.signing_in import Lists
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
    return votes_page(visitor, visit)


@router.post("/panel/{visit}")
def take_agreement(lists: Lists, visit: str, visitor: Visitor) -> Response:
    """Take what a panel agreed on from a browser without scripts."""
    fields = {name: values[-1] for name, values in lists.items()}
    checked_form(visitor, fields)
    there, said = lists.get("attendance", []), fields.get("discussion", "")
    chosen = Chosen()
    try:
        chosen = Chosen(values=values_of(fields))
        body = ConsensusBody(
            event_id=fields.get("event_id", ""),
            rubric_hash=fields.get("rubric_hash", ""),
            values=dict(chosen.values or {}),
            discussion=said.strip(),
            attendance=there,
        )
        return RedirectResponse(agree(visitor, visit, body), status_code=303)
    except ValueError:
        problem = visitor.say("trouble_agreement")
    except Trouble as trouble:
        if trouble.status != UNPROCESSABLE:
            raise
        problem = trouble.sentence
    return votes_page(visitor, visit, chosen=chosen, said=said, there=there, problem=problem)


def votes_page(
    guest: Guest,
    visit: str,
    *,
    chosen: Chosen | None = None,
    said: str = "",
    there: Collection[str] = (),
    problem: str | None = None,
) -> Response:
    """Return that page, with what was written into its form and what is wrong with it."""
    site, campaign = guest.site, guest.campaign
    with writing(site.store.engine) as connection:
        task = find_place(connection, guest, visit).task
        votes = list_votes(connection, task.evaluation, task.item, number=task.round)
        pace = pace_of(connection, guest, campaign, now=site.now())
    if task.round_kind != "panel" or not any(one.locked for one in votes):
        raise Trouble(409, "stale", guest.say("trouble_stale"))
    given = [ItemRating(one.rater, one.values or {}, one.comment) for one in votes]
    with writing(site.store.engine) as connection:
        note_view(connection, guest, task.assignment, reason="votes")
    item = view_item(
        task,
        visit,
        chosen or Chosen(),
        rubric=campaign.rubric,
        page=campaign.rounds.page,
        language=guest.language,
    )
    return page(
        "votes",
        status=200 if problem is None else UNPROCESSABLE,
        language=guest.language,
        guest=guest,
        pace=pace,
        item=item,
        event=token_urlsafe(16),
        others=lettered(given, seed=visit),
        voters=sorted(one.rater for one in votes),
        there={*there, guest.link.rater},
        said=said,
        problem=problem,
    )
