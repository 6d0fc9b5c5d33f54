"""The two ways in: raters come to the rating page, leads to the desk, each by their own links."""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Final

from fastapi import Request

from ocrjury import language
from ocrjury.frontends.web.proxy import forwarded_address
from ocrjury.frontends.web.site import Site
from ocrjury.language import phrase
from ocrjury.pages import catalogues
from ocrjury.pages.catalogues import preferred
from ocrjury.store.database import reading
from ocrjury.store.links import Audience, secret_hash
from ocrjury.store.raters import list_raters
from ocrjury.store.sessions import SessionRow, find_session

TEXTS: Final = "rating"
LANGUAGE: Final = "ocrjury-language"
MACHINE: Final = ("/api/", "/openapi.json")
"""How addresses for programs begin."""
_FEW = 8


@dataclass(frozen=True, slots=True)
class Door:
    """A way in.

    Attributes
    ----------
    cookie
        The cookie that holds the session's secret.
    entrance, inside
        Addresses of the page that takes the code of a link, and of what is behind it.
    signed_out
        The sentence for programs without a session.
    most_fields
        How many fields a form may have; a lead may tick every rater.
    """

    audience: Audience
    cookie: str
    entrance: str
    inside: str
    signed_out: str
    most_fields: int


RATING: Final = Door("rating", "__Host-ocrjury", "/enter", "/rate", "Sign in again.", 100)
DESK: Final = Door(
    "desk", "__Host-ocrjury-desk", "/desk/enter", "/desk", phrase("Sign in at the desk."), 500
)


def door_of(request: Request) -> Door:
    """Door that an address lies behind."""
    # Not request.url, which is made with the host that the request names.
    path = str(request.scope["path"])
    return DESK if path.startswith(("/desk", "/api/evaluations", "/openapi.json")) else RATING


def site_of(request: Request) -> Site:
    """Site that answers a request."""
    site: Site = request.app.state.site
    return site


def session_behind(request: Request, door: Door) -> SessionRow | None:
    """Session of a request's cookie, None if it does not work."""
    site, secret = site_of(request), request.cookies.get(door.cookie, "")
    if not secret:
        return None
    with reading(site.store.engine) as connection:
        return find_session(connection, secret_hash(secret), now=site.now(), audience=door.audience)


def form_token(secret: str) -> str:
    """Token that a page sends back with every change, bound to its session.

    Examples
    --------
    >>> form_token("a") == form_token("a"), form_token("a") == form_token("b")
    (True, False)
    """
    return hmac.new(secret.encode(), b"form", hashlib.sha256).hexdigest()


def lasting_name(*parts: str) -> str:
    """Name by which a browser keeps work, whatever the session is; it says nothing about it.

    Examples
    --------
    >>> lasting_name("claims", "R01") == lasting_name("claims", "R01") != lasting_name("claims")
    True
    """
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def is_same(sent: str, token: str) -> bool:
    """Whether a token was sent back, compared in constant time."""
    return hmac.compare_digest(sent.encode(), token.encode())


def address_of(request: Request) -> str:
    """Address that a request came from; a trusted proxy names it in the last entry it adds."""
    peer = request.client.host if request.client else "?"
    return (forwarded_address(request.headers) if from_proxy(request) else None) or peer


def client_of(request: Request) -> str:
    """Kind of machine that asks, and no more: a telephone or a larger one."""
    return "phone" if "Mobile" in request.headers.get("user-agent", "") else "desktop"


def from_proxy(request: Request) -> bool:
    """Whether the proxy before this site sent a request."""
    peer = request.client.host if request.client else None
    return site_of(request).proxy.sent(peer, request.headers)


def languages_behind(door: Door) -> list[str]:
    """Languages of the pages behind a door."""
    return language.languages() if door is DESK else catalogues.languages(TEXTS)


def language_of(request: Request, rater: str | None = None) -> str:
    """Language for a page: chosen, else the rater's first, else the browser's."""
    available = languages_behind(door_of(request))
    chosen = request.cookies.get(LANGUAGE, "")
    if chosen in available:
        return chosen
    wanted = []
    if rater is not None:
        people = list_raters(site_of(request).store.engine, [rater])
        wanted = [spoken for person in people for spoken in person.languages]
    accepted = request.headers.get("accept-language", "").split(",")[:_FEW]
    return preferred([*wanted, *(entry.partition(";")[0] for entry in accepted)], available)
