"""The two ways in: raters come to the rating page, leads to the desk, each by their own links."""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Final, NamedTuple

from fastapi import Request

from ocrjury import language
from ocrjury.frontends.web.proxy import forwarded_address
from ocrjury.frontends.web.site import Site
from ocrjury.language import phrase
from ocrjury.pages import catalogues
from ocrjury.pages.catalogues import preferred
from ocrjury.store.database import reading
from ocrjury.store.links import Link, secret_hash
from ocrjury.store.raters import list_raters
from ocrjury.store.schema.people import Audience
from ocrjury.store.sessions import SessionRow, find_session

TEXTS: Final = "rating"
LANGUAGE: Final = "ocrjury-language"
MACHINE: Final = ("/api/", "/openapi.json")
"""Prefixes of the addresses for programs."""
AS: Final = "/as/"
"""Prefix of the addresses of a rater in an evaluation."""
MOST_HELD: Final = 20
"""Sessions in a browser that are looked up."""
_FEW = 8


@dataclass(frozen=True, slots=True)
class Door:
    """A way in.

    Attributes
    ----------
    cookie
        The cookie that holds the session's secret; of a rater, how the names of such cookies begin.
    entrance
        Address of the page that takes the code of a link.
    signed_out
        The sentence for programs without a session.
    most_fields
        How many fields a form may have; a lead may tick every rater.
    """

    audience: Audience
    cookie: str
    entrance: str
    signed_out: str
    most_fields: int


RATING: Final = Door("rating", "__Host-ocrjury-rating", "/enter", "Sign in again.", 100)
DESK: Final = Door(
    "desk", "__Host-ocrjury-desk", "/desk/enter", phrase("Sign in at the desk."), 500
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


class Held(NamedTuple):
    """A session that works, and the cookie in which this browser holds its secret."""

    cookie: str
    secret: str
    session: SessionRow

    @property
    def owner(self) -> str:
        """Name of the rater in the evaluation; see `owner_of`."""
        return owner_of(self.session.link)


def owner_of(link: Link) -> str:
    """Name of a rater in an evaluation, for addresses, cookies, and work kept in a browser."""
    return lasting_name(link.evaluation, link.who)


def at_of(request: Request) -> str:
    """Prefix of the addresses of a rater in an evaluation, empty where a request names none."""
    owner = request.scope.get("owner")
    return f"{AS}{owner}" if owner else ""


def cookie_of(door: Door, owner: str) -> str:
    """Name of the cookie of a session; a browser holds one for every rater and evaluation."""
    return door.cookie if door is DESK else f"{door.cookie}-{owner}"


def held_sessions(request: Request, door: Door) -> list[Held]:
    """All sessions that a browser holds and that work: a lead's is one."""
    start = f"{door.cookie}-"
    names = [name for name in request.cookies if name == door.cookie or name.startswith(start)]
    held = [_held(request, door, name) for name in names[-MOST_HELD:]]
    return [session for session in held if session is not None]


def held_behind(request: Request, door: Door) -> Held | None:
    """Session that the address of a request belongs to; without one, the only one that is held."""
    owner = str(request.scope.get("owner", ""))
    if owner or door is DESK:
        session = _held(request, door, cookie_of(door, owner))
        return None if session is None or (owner and session.owner != owner) else session
    held = held_sessions(request, door)
    return held[0] if len(held) == 1 else None


def _held(request: Request, door: Door, cookie: str) -> Held | None:
    """Session of a cookie, None if it does not work."""
    site, secret = site_of(request), request.cookies.get(cookie, "")
    if not secret:
        return None
    key = secret_hash(secret)
    with reading(site.store.engine) as connection:
        session = find_session(connection, key, now=site.now(), audience=door.audience)
    return None if session is None else Held(cookie, secret, session)


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
    """Return whether a token was sent back, compared in constant time."""
    return hmac.compare_digest(sent.encode(), token.encode())


def address_of(request: Request) -> str:
    """Address that a request came from; a trusted proxy names it in the last entry it adds."""
    peer = request.client.host if request.client else "?"
    return (forwarded_address(request.headers) if from_proxy(request) else None) or peer


def client_of(request: Request) -> str:
    """Kind of machine that asks, and no more: a telephone or a larger one."""
    return "phone" if "Mobile" in request.headers.get("user-agent", "") else "desktop"


def from_proxy(request: Request) -> bool:
    """Return whether the proxy before this site sent a request."""
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
