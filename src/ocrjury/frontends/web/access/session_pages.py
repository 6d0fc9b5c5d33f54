"""Sessions of a person: every browser that is signed in, and how to sign it out."""

from collections.abc import Mapping
from typing import Final
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.access.doors import DESK, RATING, Door, at_of, door_of, held_sessions
from ocrjury.frontends.web.access.forms import Fields
from ocrjury.frontends.web.access.guests import Visitor
from ocrjury.frontends.web.access.leads import OnPage
from ocrjury.frontends.web.access.people import Person, check_form, note
from ocrjury.frontends.web.rendering import desk_page, page
from ocrjury.store.database import reading, writing
from ocrjury.store.evaluations import usual_zone
from ocrjury.store.sessions import end_session, list_sessions

OTHERS: Final = "others"
"""Value with which a form signs out every browser but its own."""
router = APIRouter(include_in_schema=False)


@router.get("/sessions")
def show_sessions(request: Request, visitor: Visitor) -> Response:
    """Show a rater where they are signed in."""
    with reading(visitor.site.store.engine) as connection:
        listed = list_sessions(connection, visitor.who, now=visitor.site.now())
    return page(
        "sessions",
        language=visitor.language,
        guest=visitor,
        sessions=listed,
        titles={
            session.evaluation: visitor.site.campaign(session.evaluation).title
            for session in listed
        },
        here=_hashes(request, RATING),
        zone=ZoneInfo(visitor.campaign.time_zone),
    )


@router.post("/sessions")
def end_sessions(request: Request, visitor: Visitor, fields: Fields) -> Response:
    """Sign a rater out elsewhere."""
    return _end(request, visitor, fields)


@router.get("/desk/sessions")
def show_desk_sessions(request: Request, lead: OnPage) -> Response:
    """Show a lead where they are signed in."""
    with reading(lead.site.store.engine) as connection:
        listed = list_sessions(connection, lead.who, now=lead.site.now(), audience="desk")
    here = _hashes(request, DESK)
    zone = ZoneInfo(usual_zone(lead.site.store.engine))
    return desk_page("sessions", lead=lead, sessions=listed, here=here, zone=zone)


@router.post("/desk/sessions")
def end_desk_sessions(request: Request, lead: OnPage, fields: Fields) -> Response:
    """Sign a lead out elsewhere."""
    return _end(request, lead, fields)


def _end(request: Request, person: Person, fields: Mapping[str, str]) -> Response:
    """End one session of a person, or all but those in the browser of the request."""
    check_form(person, fields)
    door, wanted = door_of(request), fields.get("session", "")
    here, now = _hashes(request, door), person.site.now()
    with writing(person.site.store.engine) as connection:
        listed = list_sessions(connection, person.who, now=now, audience=door.audience)
        ended = [
            session
            for session in listed
            if session.number == wanted or (wanted == OTHERS and session.session_hash not in here)
        ]
        for session in ended:
            end_session(connection, session.session_hash, now=now)
        if ended:
            note(connection, person, "end sessions", target=f"{len(ended)} of {person.who}")
    address = "/desk/sessions" if door is DESK else f"{at_of(request)}/sessions"
    return RedirectResponse(address, status_code=303)


def _hashes(request: Request, door: Door) -> set[str]:
    """Sessions in the browser of a request; that with which it came may have ended meanwhile."""
    return {held.session.session_hash for held in held_sessions(request, door)}
