"""What the page's script calls: save a draft, hand in, judge first, agree in a panel."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from ocrjury.errors import StateError
from ocrjury.frontends.web import panel_votes, second_looks
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import (
    ConsensusBody,
    DraftBody,
    DraftSaved,
    RatingBody,
    RatingStored,
    RefusalBody,
)
from ocrjury.frontends.web.guests import Guest, checked_guest
from ocrjury.frontends.web.handing_in import find_place, hand_in, keep_draft, raw_rating
from ocrjury.frontends.web.rating_pages import after
from ocrjury.store.audit import add_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.queue import count_queue

_REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": RefusalBody, "description": "Nobody is signed in."},
    403: {"model": RefusalBody, "description": "The request does not come from the page."},
    404: {"model": RefusalBody, "description": "This rater has no such item."},
    409: {"model": RefusalBody, "description": "It was handed in elsewhere, or the round is over."},
    422: {"model": RefusalBody, "description": "A value is missing or wrong."},
    429: {"model": RefusalBody, "description": "Too many requests."},
}
router = APIRouter(prefix="/api", responses=_REFUSALS)
Checked = Annotated[Guest, Depends(checked_guest)]


@router.put("/drafts/{visit}")
def put_draft(visit: str, body: DraftBody, guest: Checked) -> DraftSaved:
    """Save what is chosen so far; sent twice, it is saved once."""
    return keep_draft(guest, visit, body)


@router.post("/ratings/{visit}")
def post_rating(visit: str, body: RatingBody, guest: Checked) -> RatingStored:
    """Hand in a rating; sent twice, it is stored once."""
    done = hand_in(guest, visit, body)
    return RatingStored(next=after(guest, visit, done), left=_left(guest))


@router.post("/judgements/{visit}")
def post_judgement(visit: str, body: RatingBody, guest: Checked) -> RatingStored:
    """Keep an adjudicator's own judgement; only then are the raters' shown."""
    site, rubric = guest.site, guest.campaign.rubric
    with writing(site.store.engine) as connection:
        place = find_place(connection, guest, visit)
        if place.task.round_kind != "adjudication":
            raise Trouble(404, "unknown", guest.say("trouble_unknown"))
        why = second_looks.judge_first(
            connection, place, (raw_rating(guest, place, body), body), rubric=rubric, now=site.now()
        )
    if why is not None:
        raise Trouble(422, "refused", why)
    return RatingStored(next="/rate", left=_left(guest))


@router.post("/consensus/{visit}")
def post_consensus(visit: str, body: ConsensusBody, guest: Checked) -> RatingStored:
    """Store what a panel agreed on, with who was there and what was said."""
    site, rubric = guest.site, guest.campaign.rubric
    try:
        with writing(site.store.engine) as connection:
            task = find_place(connection, guest, visit).task
            complete = panel_votes.agree(
                connection, guest, task, body=body, rubric=rubric, now=site.now()
            )
            add_audit(
                connection,
                "agree",
                actor=guest.link.rater,
                object_=task.assignment,
                address=guest.address,
                now=site.now(),
            )
    except StateError as error:
        raise Trouble(409, "closed", guest.say("trouble_closed")) from error
    if complete:
        site.announce()
    return RatingStored(next="/panel", left=_left(guest))


def _left(guest: Guest) -> int:
    """Return how many items are left."""
    with reading(guest.site.store.engine) as connection:
        return count_queue(connection, guest.link).open
