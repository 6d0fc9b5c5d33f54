"""A lead as one request knows them: by a session of the desk, or by a program's link."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from ocrjury.errors import StoreError
from ocrjury.frontends.web.access.doors import (
    DESK,
    TEXTS,
    address_of,
    form_token,
    held_behind,
    site_of,
)
from ocrjury.frontends.web.access.people import Person, check_token, slow_down
from ocrjury.frontends.web.answers import SignInNeeded, Trouble
from ocrjury.language import language, tr
from ocrjury.pages.catalogues import speaker
from ocrjury.store.audit import add_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.links import Link, find_link, secret_hash
from ocrjury.store.second_factors import find_key
from ocrjury.store.sessions import RESOLUTION, touch_session

bearer = HTTPBearer(auto_error=False, description="The code of a link to the desk.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead(Person):
    """Somebody at the desk, by a link to all evaluations or some; or a page that is `watching`."""

    link: Link
    watching: bool = False

    def sees(self, evaluation: str) -> bool:
        """Return whether this lead's link opens an evaluation."""
        return self.link.opens(evaluation)


def lead_of(request: Request) -> Lead:
    """Lead who asks for a page; `SignInNeeded` without a session of the desk."""
    held, site = held_behind(request, DESK), site_of(request)
    if held is None:
        raise SignInNeeded
    slow_down(request, (session := held.session).session_hash)
    # A page that is only looked at waits for no writer.
    if site.now() - session.last_seen >= RESOLUTION and "x-watching" not in request.headers:
        # Nor for room on the disk.
        with suppress(StoreError), writing(site.store.engine) as connection:
            touch_session(connection, session, now=site.now())
    return _lead(request, session.link, form_token(held.secret))


def _lead(request: Request, link: Link, token: str) -> Lead:
    """Lead, in the language in which the desk speaks."""
    return Lead(
        site=site_of(request),
        who=link.who,
        link=link,
        form_token=token,
        address=address_of(request),
        language=language(),
        watching="x-watching" in request.headers,
    )


def lead_or_program(request: Request, credentials: Credentials) -> Lead:
    """Lead who asks for data, by a page's script or by a program that sends the code of a link.

    `SignInNeeded` without either, `Trouble` after too many wrong codes.
    """
    if credentials is None:
        return lead_of(request)
    site, address = site_of(request), address_of(request)
    key = secret_hash(credentials.credentials)
    with reading(site.store.engine) as connection:
        link = find_link(connection, key, now=site.now(), audience="desk")
        guarded = link is not None and find_key(connection, link.who) is not None
    if guarded:  # a program has no app
        why = tr("This lead has a second factor. Make a link of another name for the program.")
        raise Trouble(403, "second_factor", why)
    if link is None:
        if site.too_many_failures(address):
            raise Trouble(429, "too_fast", speaker(TEXTS, language())("trouble_too_fast"))
        site.count_failure(address)
        with writing(site.store.engine) as connection:
            add_audit(
                connection,
                "sign-in refused",
                actor="?",
                object_="desk",
                address=address,
                now=site.now(),
            )
        raise SignInNeeded
    slow_down(request, link.token_hash)
    return _lead(request, link, "")


def checked_lead(request: Request, credentials: Credentials) -> Lead:
    """Lead who asks to change something; see `checked_guest`. A program needs no token."""
    lead = lead_or_program(request, credentials)
    check_token(lead, lead.form_token if credentials else request.headers.get("x-form-token", ""))
    return lead


OnPage = Annotated[Lead, Depends(lead_of)]
AtDesk = Annotated[Lead, Depends(lead_or_program)]
CheckedLead = Annotated[Lead, Depends(checked_lead)]
