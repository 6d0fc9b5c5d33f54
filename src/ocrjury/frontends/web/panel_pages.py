"""The pages of a panel: the items on which its votes differ, and one of them with all votes."""

from collections.abc import Collection
from secrets import token_urlsafe

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.access.form_fields import Lists
from ocrjury.frontends.web.access.people import Guest, Visitor, check_form, note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import ConsensusBody, values_of
from ocrjury.frontends.web.item_page import UNPROCESSABLE
from ocrjury.frontends.web.item_view import Chosen, view_item
from ocrjury.frontends.web.panel_votes import agree
from ocrjury.frontends.web.places import find_place, visit_of
from ocrjury.frontends.web.rendering import page
from ocrjury.frontends.web.second_looks import shuffled
from ocrjury.frontends.web.work_pace import pace_of
from ocrjury.store.database import writing
from ocrjury.store.item_ratings import ItemRating, list_locked, list_votes

router = APIRouter(include_in_schema=False)


@router.get("/panel")
def show_panel(visitor: Visitor) -> Response:
    """Show the items that wait for an agreement."""
    with writing(visitor.site.store.engine) as connection:
        pace = pace_of(connection, visitor)
        visits = [
            visit_of(connection, visitor, assignment)
            for assignment in list_locked(connection, visitor.link)
        ]
    return page("panel", language=visitor.language, guest=visitor, pace=pace, visits=visits)


@router.get("/panel/{visit}")
def show_votes(visit: str, visitor: Visitor) -> Response:
    """Show one item with the votes on it, without names, and the form for an agreement."""
    return votes_page(visitor, visit)


@router.post("/panel/{visit}")
def take_agreement(lists: Lists, visit: str, visitor: Visitor) -> Response:
    """Take what a panel agreed on from a browser without scripts."""
    fields = {name: values[-1] for name, values in lists.items()}
    check_form(visitor, fields)
    present, discussion = lists.get("attendance", []), fields.get("discussion", "")
    chosen = Chosen()
    try:
        chosen = Chosen(values=values_of(fields))
        body = ConsensusBody(
            event_id=fields.get("event_id", ""),
            rubric_hash=fields.get("rubric_hash", ""),
            values=dict(chosen.values or {}),
            discussion=discussion.strip(),
            attendance=present,
        )
        return RedirectResponse(agree(visitor, visit, body), status_code=303)
    except ValueError:
        problem = visitor.say("trouble_agreement")
    except Trouble as trouble:
        if trouble.status != UNPROCESSABLE:
            raise
        problem = trouble.sentence
    return votes_page(
        visitor, visit, chosen=chosen, discussion=discussion, present=present, problem=problem
    )


def votes_page(
    guest: Guest,
    visit: str,
    *,
    chosen: Chosen | None = None,
    discussion: str = "",
    present: Collection[str] = (),
    problem: str | None = None,
) -> Response:
    """Page of one item with its votes, the content of its form and what is wrong with it."""
    with writing(guest.site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        task = place.task
        votes = list_votes(connection, task.evaluation, task.item, number=task.round)
        if task.round_kind != "panel" or not any(vote.locked for vote in votes):
            raise Trouble(409, "stale", guest.say("trouble_stale"))
        pace = pace_of(connection, guest)
        note(connection, guest, "view", target=task.assignment, reason="votes")
    given = [ItemRating(vote.rater, vote.values or {}, vote.comment) for vote in votes]
    return page(
        "votes",
        status=200 if problem is None else UNPROCESSABLE,
        language=guest.language,
        guest=guest,
        pace=pace,
        item=view_item(place, chosen or Chosen(), campaign=guest.campaign, language=guest.language),
        event=token_urlsafe(16),
        others=shuffled(given, seed=visit),
        voters=sorted(vote.rater for vote in votes),
        present={*present, guest.who},
        discussion=discussion,
        problem=problem,
    )
