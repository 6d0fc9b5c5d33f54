"""Interface of the rating page's script: save a draft, hand in, judge first, agree in a panel."""

from typing import Any

from fastapi import APIRouter

from ocrjury.frontends.web.access.guests import Checked, Guest
from ocrjury.frontends.web.answers import REFUSALS
from ocrjury.frontends.web.bodies import (
    Bar,
    ConsensusBody,
    DraftBody,
    DraftSaved,
    RatingBody,
    RatingStored,
    RefusalBody,
)
from ocrjury.frontends.web.handing_in import hand_in, keep_draft, keep_own_judgement
from ocrjury.frontends.web.item_page import Pace, pace_of
from ocrjury.frontends.web.panel import agree
from ocrjury.frontends.web.rating_pages import after
from ocrjury.frontends.web.refreshers import keep_again
from ocrjury.store.database import reading

_REFUSALS: dict[int | str, dict[str, Any]] = REFUSALS | {
    401: {"model": RefusalBody, "description": "Nobody is signed in."},
    404: {"model": RefusalBody, "description": "This rater has no such item."},
    409: {"model": RefusalBody, "description": "It was handed in elsewhere, or the round is over."},
    422: {"model": RefusalBody, "description": "A value is missing, wrong or asked about."},
}
router = APIRouter(prefix="/api", responses=_REFUSALS)


@router.put("/drafts/{visit}")
def put_draft(visit: str, body: DraftBody, guest: Checked) -> DraftSaved:
    """Save what is chosen so far; sent twice, it is saved once."""
    return keep_draft(guest, visit, body)


@router.post("/ratings/{visit}")
def post_rating(visit: str, body: RatingBody, guest: Checked) -> RatingStored:
    """Hand in the ratings of all outputs of a rating page, or none; sent twice, stored once."""
    done = hand_in(guest, visit, body)
    return _stored(guest, after(guest, visit, done))


@router.post("/again/{visit}")
def post_again(visit: str, body: RatingBody, guest: Checked) -> RatingStored:
    """Keep what somebody answered in practice again after a pause; it is no rating."""
    keep_again(guest, visit, body)
    return _stored(guest, f"{guest.at}/again/{visit}")


@router.post("/judgements/{visit}")
def post_judgement(visit: str, body: RatingBody, guest: Checked) -> RatingStored:
    """Keep an adjudicator's own judgement; only then are the raters' shown."""
    keep_own_judgement(guest, visit, body)
    return _stored(guest, f"{guest.at}/rate")


@router.post("/consensus/{visit}")
def post_consensus(visit: str, body: ConsensusBody, guest: Checked) -> RatingStored:
    """Store what a panel agreed on, with who was there and what was said."""
    return _stored(guest, agree(guest, visit, body))


def _stored(guest: Guest, address: str) -> RatingStored:
    """Address of the next page, and the rater's progress."""
    with reading(guest.site.store.engine) as connection:
        pace = pace_of(connection, guest)
    return RatingStored(next=address, left=pace.open, bar=bar_of(guest, pace))


def bar_of(guest: Guest, pace: Pace) -> Bar:
    """Text in the bar on a rater's progress."""
    minutes = pace.minutes_left
    return Bar(
        done=pace.done,
        total=pace.total,
        progress=guest.say("progress", done=pace.done, total=pace.total),
        left="" if minutes is None else guest.say("minutes_left", minutes=minutes),
        goal=pace.goal,
    )
