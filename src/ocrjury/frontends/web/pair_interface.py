"""What the page of several outputs sends: drafts and ratings of all of them."""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import DraftSaved, RatingStored
from ocrjury.frontends.web.guests import Guest, checked_form, guest_of
from ocrjury.frontends.web.interface import REFUSALS, Checked, count_left
from ocrjury.frontends.web.item_view import Chosen
from ocrjury.frontends.web.pair_handing_in import (
    PairBody,
    PairDraftBody,
    find_outputs,
    hand_in_pair,
    keep_pair_draft,
)
from ocrjury.frontends.web.pair_page import pair_page
from ocrjury.frontends.web.posted_answers import body_of
from ocrjury.frontends.web.rating_pages import UNPROCESSABLE
from ocrjury.frontends.web.signing_in import Fields
from ocrjury.frontends.web.work_pace import pace_of
from ocrjury.store.database import writing

router = APIRouter(responses=REFUSALS)


@router.put("/api/pairs/{visit}/draft")
def put_pair_draft(visit: str, body: PairDraftBody, guest: Checked) -> DraftSaved:
    """Save what is chosen so far about all outputs of a page; sent twice, it is saved once."""
    return keep_pair_draft(guest, visit, body)


@router.post("/api/pairs/{visit}")
def post_pair(visit: str, body: PairBody, guest: Checked) -> RatingStored:
    """Hand in the ratings of all outputs of a page, all or none; sent twice, stored once."""
    hand_in_pair(guest, visit, body)
    return RatingStored(next="/rate", left=count_left(guest))


@router.post("/pairs/{visit}", include_in_schema=False)
def take_pair_form(
    visit: str, fields: Fields, visitor: Annotated[Guest, Depends(guest_of)]
) -> Response:
    """Take the ratings of all outputs from a browser without scripts; show again what is wrong."""
    checked_form(visitor, fields)
    try:
        hand_in_pair(visitor, visit, PairBody.model_validate(body_of(fields)))
    except ValueError:
        return _again(visitor, visit, fields, problem=visitor.say("pair_incomplete"))
    except Trouble as trouble:
        if trouble.status != UNPROCESSABLE:
            raise
        return _again(visitor, visit, fields, problem=trouble.sentence)
    return RedirectResponse("/rate", status_code=303)


def _again(guest: Guest, visit: str, fields: dict[str, str], *, problem: str) -> Response:
    """Return the outputs with what a form held, and what is wrong with it."""
    sent: dict[str, object] = {"comment": fields.get("comment", "")}
    with suppress(ValueError):
        sent = body_of(fields)
    with writing(guest.site.store.engine) as connection:
        outputs = find_outputs(connection, guest, visit)
        pace = pace_of(connection, guest, guest.campaign, now=guest.site.now())
        draft = outputs.place.draft
        chosen = Chosen.of_draft(draft.rev if draft else 0, sent)
        return pair_page(connection, guest, outputs, pace=pace, retry=(chosen, problem))
