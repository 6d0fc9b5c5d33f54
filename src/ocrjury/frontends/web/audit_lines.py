"""Lines of the audit log that the page writes: who looked at what, and who was refused."""

import logging
from collections.abc import Callable

import anyio
import anyio.to_thread
from fastapi import Request
from fastapi.responses import Response

from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.guests import COOKIE, Guest, address_of, site_of
from ocrjury.frontends.web.refusal_counts import ANYBODY, Refusal, how_often, main_address
from ocrjury.frontends.web.site import Site
from ocrjury.store.audit import add_audit
from ocrjury.store.database import FAILURES, Connection, reading, writing
from ocrjury.store.desk_links import find_desk_session
from ocrjury.store.links import secret_hash
from ocrjury.store.sessions import find_session

DESK_COOKIE = "__Host-ocrjury-desk"
LONGEST = 160
TOO_MANY_CODES = "too_many_codes"
_COUNTED = (413, 429)
log = logging.getLogger(__name__)
Refuse = Callable[[Request, Exception], Response]


def note(
    connection: Connection, guest: Guest, action: str, *, target: str, reason: str | None = None
) -> None:
    """Write down what a rater did to an assignment or an evaluation."""
    add_audit(
        connection,
        action,
        actor=guest.link.rater,
        object_=target,
        address=guest.address,
        reason=reason,
        now=guest.site.now(),
    )


def noting(refuse: Refuse) -> Refuse:
    """Return an answer to trouble that also writes down who was refused what.

    Only people with a session are: others are sent to the entrance, where each attempt is noted.
    What comes too fast or is too long is counted, whoever sent it.
    """

    def answer(request: Request, error: Exception) -> Response:
        if isinstance(error, Trouble):
            if error.status == 403 or error.code == "unknown":
                _note(request, error)
            elif error.status in _COUNTED:
                who, where = _who(request, site_of(request))
                _count(request, error.code, who=who, where=where)
        return refuse(request, error)

    return answer


def count_refusal(request: Request, code: str) -> None:
    """Count a refusal of somebody unknown; see `ocrjury.frontends.web.refusal_counts`."""
    _count(request, code, who=None, where="")


def write_refusals(site: Site) -> None:
    """Write down what was counted, a line for each kind; it is kept if the database is away."""
    counted = site.refusals.take()
    if not counted:
        return
    try:
        with writing(site.store.engine) as connection:
            for refusal, seen in counted:
                add_audit(
                    connection,
                    "refused",
                    actor=refusal.actor,
                    object_=refusal.where,
                    address=main_address(seen),
                    reason=f"{refusal.code}, {how_often(seen)}",
                    now=site.now(),
                )
    except FAILURES as error:
        site.refusals.give_back(counted)
        log.warning("refusals are not written down yet: %s", type(error).__name__)


async def keep_writing(site: Site) -> None:
    """Write down what was counted every so often, until cancelled."""
    while True:
        await anyio.sleep(site.refusals.seconds)
        await anyio.to_thread.run_sync(write_refusals, site)


def _count(request: Request, code: str, *, who: str | None, where: str) -> None:
    """Count a refusal; a lead's is at the desk, whatever evaluation the address names."""
    place = "desk" if _at_desk(request) else where or "page"
    address = _printable(address_of(request))
    site_of(request).refusals.count(Refusal(who or ANYBODY, place, code), address)


def _at_desk(request: Request) -> bool:
    """Return whether an address is one of the desk."""
    # Not request.url, which is made with the host that the request names.
    return str(request.scope["path"]).startswith(("/desk", "/api/evaluations"))


def _note(request: Request, error: Trouble) -> None:
    """Write down a refusal; what comes more often than somebody may save is counted."""
    site = site_of(request)
    who, where = _who(request, site)
    if who is None:
        return
    if not site.saves.allows(f"refused {who}"):
        _count(request, error.code, who=who, where=where)
        return
    asked = _printable(request.url.path)
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
    now, at_desk = site.now(), _at_desk(request)
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
    return _printable(name) or "desk"


def _printable(text: str) -> str:
    """Return a text that every database takes and no terminal obeys."""
    return "".join(sign for sign in text if sign.isprintable())[:LONGEST]
