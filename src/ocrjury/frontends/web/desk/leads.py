"""Who is at the desk: a session behind a cookie of its own, or a program with the code itself."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.guests import address_of, form_token, site_of
from ocrjury.frontends.web.site import Site
from ocrjury.store.audit import add_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.desk_links import (
    RESOLUTION,
    find_desk_link,
    find_desk_session,
    touch_desk_session,
)
from ocrjury.store.links import secret_hash

COOKIE = "__Host-ocrjury-desk"
RELOAD = "This page is from another session. Load it again."
TOO_FAST = "Too many requests. Wait a minute."
bearer = HTTPBearer(auto_error=False, description="The code of a link to the desk.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


class DeskSignInNeeded(Exception):  # noqa: N818  # no error: anybody may come without a session
    """Nobody is at the desk."""


class DeskTrouble(Trouble):
    """A request to the desk that is not answered."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Somebody at the desk, as one request knows it."""

    site: Site
    who: str
    form_token: str
    address: str


def lead_of(request: Request) -> Lead:
    """Return who asks for a page.

    Raises
    ------
    DeskSignInNeeded
        Without a session of the desk that works; a rater's session is none.
    """
    site, secret = site_of(request), request.cookies.get(COOKIE, "")
    now = site.now()
    if not secret:
        raise DeskSignInNeeded
    with reading(site.store.engine) as connection:
        session = find_desk_session(connection, secret_hash(secret), now=now)
    if session is None:
        raise DeskSignInNeeded
    # A page that is only looked at waits for no writer.
    if now - session.last_seen >= RESOLUTION:
        with writing(site.store.engine) as connection:
            touch_desk_session(connection, session, now=now)
    return Lead(site, session.who, form_token(secret), address_of(request))


def lead_or_program(request: Request, credentials: Credentials) -> Lead:
    """Return who asks for data: a page's script, or a program that sends the code of a link.

    Raises
    ------
    DeskSignInNeeded
        Without either.
    """
    if credentials is None:
        return lead_of(request)
    site, address = site_of(request), address_of(request)
    if site.failures.full(address) or site.all_failures.full("all"):
        raise DeskTrouble(429, "too_fast", TOO_FAST)
    with reading(site.store.engine) as connection:
        link = find_desk_link(connection, secret_hash(credentials.credentials), now=site.now())
    if link is None:
        site.failures.count(address)
        site.all_failures.count("all")
        with writing(site.store.engine) as connection:
            add_audit(
                connection,
                "sign-in refused",
                actor="?",
                object_="desk",
                address=address,
                now=site.now(),
            )
        raise DeskSignInNeeded
    return Lead(site, link.who, "", address)


def checked_lead(request: Request, credentials: Credentials) -> Lead:
    """Return who asks to change something; a page's request bears the token of the page.

    Raises
    ------
    DeskTrouble
        If it does not, or if changes come too fast.
    """
    lead = lead_or_program(request, credentials)
    if credentials is None:
        _check(lead, request.headers.get("x-form-token", ""))
    _slow_down(lead)
    return lead


def check_form(lead: Lead, fields: Mapping[str, str]) -> None:
    """Do the same for a form that a page posted.

    Raises
    ------
    DeskTrouble
        As above.
    """
    _check(lead, fields.get("form_token", ""))
    _slow_down(lead)


def _check(lead: Lead, token: str) -> None:
    """Refuse a change that does not come from a page of this session."""
    if not hmac.compare_digest(token.encode(), lead.form_token.encode()):
        raise DeskTrouble(403, "form_token", RELOAD)


def _slow_down(lead: Lead) -> None:
    """Refuse changes that come too fast."""
    if not lead.site.saves.allows(f"desk {lead.who}"):
        raise DeskTrouble(429, "too_fast", TOO_FAST)


OnPage = Annotated[Lead, Depends(lead_of)]
AtDesk = Annotated[Lead, Depends(lead_or_program)]
CheckedLead = Annotated[Lead, Depends(checked_lead)]
