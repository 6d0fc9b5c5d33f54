"""What the rating page's script calls: save a draft, hand in, judge first, agree in a panel."""

from typing import Any

from fastapi import APIRouter

from ocrjury.frontends.web.access.people import Checked, Guest
from ocrjury.frontends.web.bodies import (
    ConsensusBody,
    DraftBody,
    DraftSaved,
    RatingBody,
    RatingStored,
    RefusalBody,
)
from ocrjury.frontends.web.handing_in import hand_in, keep_draft, keep_own_judgement
from ocrjury.frontends.web.panel import agree
from ocrjury.frontends.web.rating_pages import after
from ocrjury.store.database import reading
from ocrjury.store.queue import count_queue

REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": RefusalBody, "description": "Nobody is signed in."},
    403: {"model": RefusalBody, "description": "The request does not come from the page."},
    404: {"model": RefusalBody, "description": "This rater has no such item."},
    409: {"model": RefusalBody, "description": "It was handed in elsewhere, or the round is over."},
    422: {"model": RefusalBody, "description": "A value is missing or wrong."},
    429: {"model": RefusalBody, "description": "Too many requests."},
    503: {"model": RefusalBody, "description": "The store is full, read-only or away."},
}
router = APIRouter(prefix="/api", responses=REFUSALS)


@router.put("/drafts/{visit}")
def put_draft(visit: str, body: DraftBody, guest: Checked) -> DraftSaved:
    """Save what is chosen so far; sent twice, it is saved once."""
    return keep_draft(guest, visit, body)


@router.post("/ratings/{visit}")
def post_rating(visit: str, body: RatingBody, guest: Checked) -> RatingStored:
    """Hand in the ratings of all outputs of a rating page, or none; sent twice, stored once."""
    done = hand_in(guest, visit, body)
    return RatingStored(next=after(guest, visit, done), left=count_left(guest))


@router.post("/judgements/{visit}")
def post_judgement(visit: str, body: RatingBody, guest: Checked) -> RatingStored:
    """Keep an adjudicator's own judgement; only then are the raters' shown."""
    keep_own_judgement(guest, visit, body)
    return RatingStored(next="/rate", left=count_left(guest))


@router.post("/consensus/{visit}")
def post_consensus(visit: str, body: ConsensusBody, guest: Checked) -> RatingStored:
    """Store what a panel agreed on, with who was there and what was said."""
    return RatingStored(next=agree(guest, visit, body), left=count_left(guest))


def count_left(guest: Guest) -> int:
    """Number of items that are left."""
    with reading(guest.site.store.engine) as connection:
        return count_queue(connection, guest.link).open
