"""Lines of the audit log that the page writes: who looked at what, and who was refused."""

from collections.abc import Callable

from fastapi import Request
from fastapi.responses import Response

from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.guests import COOKIE, Guest, address_of, site_of
from ocrjury.frontends.web.site import Site
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection, reading, writing
from ocrjury.store.desk_links import find_desk_session
from ocrjury.store.links import secret_hash
from ocrjury.store.sessions import find_session

DESK_COOKIE = "__Host-ocrjury-desk"
LONGEST = 160
Refuse = Callable[[Request, Exception], Response]


def note_view(
    connection: Connection,
    guest: Guest,
    assignment: str,
    *,
    action: str = "view",
    reason: str | None = None,
) -> None:
    """Write down that a rater looks at an item once more, or at more of it."""
    add_audit(
        connection,
        action,
        actor=guest.link.rater,
        object_=assignment,
        address=guest.address,
        reason=reason,
        now=guest.site.now(),
    )


def noting(refuse: Refuse) -> Refuse:
    """Return an answer to trouble that also writes down who was refused what.

    Only people with a session are: others are sent to the entrance, where each attempt is noted.
    """

    def answer(request: Request, error: Exception) -> Response:
        if isinstance(error, Trouble) and (error.status == 403 or error.code == "unknown"):
            _note(request, error)
        return refuse(request, error)

    return answer


def _note(request: Request, error: Trouble) -> None:
    """Write down a refusal, not more often than somebody may save."""
    site = site_of(request)
    who, where = _who(request, site)
    if who is None or not site.saves.allows(f"refused {who}"):
        return
    asked = "".join(sign for sign in request.url.path if sign.isprintable())[:LONGEST]
    with writing(site.store.engine) as connection:
        add_audit(
            connection,
            "refused",
            actor=who,
            object_=f"{where} {request.method} {asked}",
            address=address_of(request),
            reason=error.code,
            now=site.now(),
        )


def _who(request: Request, site: Site) -> tuple[str | None, str]:
    """Return whose session asks, and the evaluation of a rater's."""
    now, at_desk = site.now(), request.url.path.startswith(("/desk", "/api/evaluations"))
    secret = request.cookies.get(DESK_COOKIE if at_desk else COOKIE, "")
    with reading(site.store.engine) as connection:
        if at_desk:
            lead = find_desk_session(connection, secret_hash(secret), now=now) if secret else None
            return (None if lead is None else lead.who), _evaluation_in(request.url.path)
        session = find_session(connection, secret_hash(secret), now=now) if secret else None
    return (None, "") if session is None else (session.link.rater, session.link.evaluation)


def _evaluation_in(path: str) -> str:
    """Return the evaluation that an address of the desk names, as far as it does.

    >>> _evaluation_in("/desk/claims-2026w47/items"), _evaluation_in("/desk")
    ('claims-2026w47', 'desk')
    """
    parts = path.removeprefix("/api").split("/")
    name = parts[2] if len(parts) > 2 else ""
    return "".join(sign for sign in name if sign.isprintable())[:LONGEST] or "desk"
