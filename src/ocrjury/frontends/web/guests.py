"""Who asks: the session behind a cookie, the token of its forms, the language to answer in."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request

from ocrjury.campaign.config import Campaign
from ocrjury.frontends.web.answers import LANGUAGE, TEXTS, SignInNeeded, Trouble
from ocrjury.frontends.web.site import Site
from ocrjury.pages.catalogues import Say, languages, preferred, speaker
from ocrjury.store.database import Connection, reading
from ocrjury.store.links import Link, secret_hash
from ocrjury.store.raters import list_raters
from ocrjury.store.sessions import SessionRow, find_session
from ocrjury.store.single_sign_on import find_rater

COOKIE = "__Host-ocrjury"
_FEW = 8


@dataclass(frozen=True, slots=True)
class Guest:
    """A signed-in rater, as one request knows it."""

    site: Site
    session: SessionRow
    form_token: str
    language: str
    address: str
    client: str

    @property
    def link(self) -> Link:
        """Return whose link it came with."""
        return self.session.link

    @property
    def campaign(self) -> Campaign:
        """Return the campaign that this rater rates for."""
        return self.site.campaign(self.link.evaluation)

    @property
    def say(self) -> Say:
        """Return the texts of the page in this rater's language."""
        return speaker(TEXTS, self.language)


def site_of(request: Request) -> Site:
    """Return the site that answers a request."""
    site: Site = request.app.state.site
    return site


def guest_of(request: Request) -> Guest:
    """Return who asks.

    Raises
    ------
    SignInNeeded
        Without a session that works, or if the proxy names somebody else.
    """
    site, secret = site_of(request), request.cookies.get(COOKIE, "")
    with reading(site.store.engine) as connection:
        session = _session(connection, secret, site)
    if session is None or named_by_proxy(request) not in {None, session.link.rater}:
        raise SignInNeeded
    return Guest(
        site=site,
        session=session,
        form_token=form_token(secret),
        language=language_of(request, session.link),
        address=address_of(request),
        client=client_of(request),
    )


def checked_guest(request: Request) -> Guest:
    """Return who asks to change something; the request bears the token of the page.

    Raises
    ------
    Trouble
        If it does not, or if changes come too fast.
    """
    guest = guest_of(request)
    if not hmac.compare_digest(request.headers.get("x-form-token", ""), guest.form_token):
        raise Trouble(403, "form_token", guest.say("trouble_reload"))
    if not guest.site.saves.allows(guest.session.session_hash):
        raise Trouble(429, "too_fast", guest.say("trouble_too_fast"))
    return guest


def checked_form(guest: Guest, fields: Mapping[str, str]) -> None:
    """Do the same for a form that was posted without a script."""
    if not hmac.compare_digest(fields.get("form_token", ""), guest.form_token):
        raise Trouble(403, "form_token", guest.say("trouble_reload"))


def form_token(secret: str) -> str:
    """Return what a page sends back with every change, bound to its session.

    Examples
    --------
    >>> form_token("a") == form_token("a"), form_token("a") == form_token("b")
    (True, False)
    """
    return hmac.new(secret.encode(), b"form", hashlib.sha256).hexdigest()


def language_of(request: Request, link: Link | None = None) -> str:
    """Return the language for a page: chosen, else the rater's first, else the browser's."""
    available, chosen = languages(TEXTS), request.cookies.get(LANGUAGE, "")
    wanted = [chosen]
    if chosen in available:
        return chosen
    if link is not None:
        people = list_raters(site_of(request).store.engine, [link.rater])
        wanted += [one for person in people for one in person.languages]
    accepted = request.headers.get("accept-language", "").split(",")[:_FEW]
    return preferred([*wanted, *(one.partition(";")[0] for one in accepted)], available)


def address_of(request: Request) -> str:
    """Return the address that a request came from; a proxy says it in the last entry it adds."""
    told = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    if site_of(request).proxied and told:
        return told[:64]
    return request.client.host if request.client else "?"


def named_by_proxy(request: Request) -> str | None:
    """Return the rater whom the proxy before this page has signed in, None without one."""
    site = site_of(request)
    name = request.headers.get(site.sign_in_header, "").strip() if site.sign_in_header else ""
    if not name or "\x00" in name:
        return None
    with reading(site.store.engine) as connection:
        return find_rater(connection, name[:254])


def client_of(request: Request) -> str:
    """Return the kind of machine, and no more: a telephone or a larger one."""
    return "phone" if "Mobile" in request.headers.get("user-agent", "") else "desktop"


def _session(connection: Connection, secret: str, site: Site) -> SessionRow | None:
    """Return the session of a cookie, None if it does not work."""
    if not secret:
        return None
    return find_session(connection, secret_hash(secret), now=site.now())
