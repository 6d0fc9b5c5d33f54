"""Lines of the audit log about refusals: each on its own, or counted and written together."""

import logging
from collections.abc import Callable

import anyio
import anyio.to_thread
from fastapi import Request
from fastapi.responses import Response

from ocrjury.frontends.web.access.doors import DESK, address_of, door_of, held_behind, site_of
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.refusal_counts import ANYBODY, Refusal, how_often, main_address
from ocrjury.frontends.web.site import Site
from ocrjury.store.audit import add_audit
from ocrjury.store.database import FAILURES, writing

LONGEST = 160
TOO_MANY_CODES = "too_many_codes"
_COUNTED = (400, 413, 429)
log = logging.getLogger(__name__)
Refuse = Callable[[Request, Exception], Response]


def noting(refuse: Refuse) -> Refuse:
    """Answer to trouble that also writes down who was refused what.

    Only people with a session are: others are sent to the entrance, where each attempt is noted.
    What comes too fast or is too long is counted, whoever sent it.
    """

    def answer(request: Request, error: Exception) -> Response:
        if isinstance(error, Trouble):
            if error.status == 403 or error.code == "unknown":
                _note(request, error)
            elif error.status in _COUNTED:
                who, where = _who(request)
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
    place = "desk" if door_of(request) is DESK else where or "page"
    address = _printable(address_of(request))
    site_of(request).refusals.count(Refusal(who or ANYBODY, place, code), address)


def _note(request: Request, error: Trouble) -> None:
    """Write down a refusal; what comes more often than somebody may save is counted."""
    site = site_of(request)
    who, where = _who(request)
    if who is None:
        return
    if not site.saves.allows(f"refused {who}"):
        _count(request, error.code, who=who, where=where)
        return
    path = _printable(str(request.scope["path"]))
    with writing(site.store.engine) as connection:
        add_audit(
            connection,
            "refused",
            actor=who,
            object_=f"{where} {request.method} {path}",
            address=address_of(request),
            reason=error.code,
            now=site.now(),
        )


def _who(request: Request) -> tuple[str | None, str]:
    """Person whose session asks, and the evaluation."""
    door = door_of(request)
    held = held_behind(request, door)
    session = held and held.session
    if door is DESK:
        return session and session.link.who, _evaluation_in(request.url.path)
    return (None, "") if session is None else (session.link.who, session.link.evaluation)


def _evaluation_in(path: str) -> str:
    """Evaluation that an address of the desk names, as far as it does.

    >>> _evaluation_in("/desk/claims-2026w47/items"), _evaluation_in("/desk")
    ('claims-2026w47', 'desk')
    """
    parts = path.removeprefix("/api").split("/")
    name = parts[2] if len(parts) > 2 else ""
    return _printable(name) or "desk"


def _printable(text: str) -> str:
    """Text that every database stores and no terminal obeys."""
    return "".join(character for character in text if character.isprintable())[:LONGEST]
