"""Come and go: a session starts once the code of a link is posted, or by a proxy's word.

A GET signs nobody in: programs that check links in emails open them too.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.access.doors import (
    AS,
    DESK,
    LANGUAGE,
    RATING,
    TEXTS,
    Door,
    Held,
    address_of,
    at_of,
    client_of,
    cookie_of,
    door_of,
    form_token,
    held_behind,
    held_sessions,
    is_same,
    language_of,
    languages_behind,
    owner_of,
    site_of,
)
from ocrjury.frontends.web.access.forms import Fields
from ocrjury.frontends.web.access.guests import named_by_proxy
from ocrjury.frontends.web.access.second_factor import ask_digits
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.audit_lines import TOO_MANY_CODES, count_refusal
from ocrjury.frontends.web.rendering import desk_page, page
from ocrjury.language import phrase
from ocrjury.pages.catalogues import speaker
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection, reading, writing
from ocrjury.store.links import Link, claim_link, find_link, secret_hash
from ocrjury.store.queue import count_queue
from ocrjury.store.sessions import add_session, end_session
from ocrjury.store.single_sign_on import link_of_work, list_open_work

AT_DESK: Final = {
    "enter_refused": phrase(
        "This code does not open the desk. It may have expired or been replaced; "
        "`ocrjury desk link` makes a new one."
    ),
    "enter_too_often": phrase("Too many attempts. Wait a few minutes and try again."),
}
ANSWERS: Final = {
    "/decisions": "",
    "/links": "/raters",
    "/exclusions": "/remarks",
    "/rubric/cases": "/remarks",
    "/rubric/undo": "/rubric",
}
"""Pages of an evaluation that show its forms, by where these are sent."""
router = APIRouter(include_in_schema=False)


@router.get("/enter")
@router.get("/desk/enter")
def show_entrance(request: Request) -> Response:
    """Show the page that takes the code out of the address and posts it."""
    return _entrance(request)


@router.post("/enter")
@router.post("/desk/enter")
def enter(request: Request, fields: Fields) -> Response:
    """Start a session with the code of a link; all failures have the same sentence."""
    code = fields.get("code", "").strip().rpartition("#")[2]
    link, held = _link_of(request, code), held_sessions(request, door_of(request))
    if link is None:
        return _refuse_code(request)
    if held and not _means_it(fields, held, new=link):
        return _ask_first(request, code, held, new=link.who)
    if door_of(request) is DESK and (refusal := ask_digits(request, link, fields)) is not None:
        return refusal
    secret = _admit(request, link, held)
    return _refuse_code(request) if secret is None else _let_in(door_of(request), link, secret)


@router.post("/enter/known")
def enter_known(request: Request, fields: Fields) -> Response:
    """Start a session for the rater whom the proxy names, in an evaluation that waits for them."""
    site, rater = site_of(request), named_by_proxy(request)
    if rater is None:
        raise Trouble(404, "not_found", "There is nothing here.")
    evaluation = fields.get("evaluation", "")
    with writing(site.store.engine) as connection:
        waiting = {work.evaluation: work for work in list_open_work(connection, rater)}
        work = waiting.get(evaluation)
        # None too if the lead took the link away.
        link = link_of_work(connection, rater, work, now=site.now()) if work else None
        target = evaluation if work else "?"
        secret = _start(
            connection, request, link, actor=rater, target=target, reason="by the proxy"
        )
    if link is None or secret is None:
        return _entrance(request, status=403, problem="enter_refused")
    return _let_in(RATING, link, secret)


@router.post("/leave")
@router.post("/desk/leave")
def leave(request: Request, fields: Fields) -> Response:
    """End the session; those of other evaluations in the same browser go on."""
    site, door = site_of(request), door_of(request)
    answer, held = RedirectResponse(door.entrance, status_code=303), held_behind(request, door)
    if held is None:  # it is over
        return answer
    if not is_same(fields.get("form_token", ""), form_token(held.secret)):
        raise Trouble(403, "form_token", speaker(TEXTS, language_of(request))("trouble_reload"))
    with writing(site.store.engine) as connection:
        end_session(connection, held.session.session_hash, now=site.now())
    answer.delete_cookie(held.cookie, secure=True, httponly=True, samesite="strict", path="/")
    return answer


@router.post("/language")
@router.post("/desk/language")
def choose_language(request: Request, fields: Fields) -> Response:
    """Keep the language in which somebody wants to read the pages."""
    wanted, door = fields.get("language", ""), door_of(request)
    before = request.headers.get("referer", "")
    if door is DESK:
        back = _page_at_desk(before)
    else:
        back = "/enter" if before.rpartition("/")[2] == "enter" else f"{at_of(request)}/rate"
    answer = RedirectResponse(back, status_code=303)
    if wanted in languages_behind(door):
        answer.set_cookie(LANGUAGE, wanted, secure=True, samesite="strict", max_age=31_536_000)
    return answer


def _page_at_desk(address: str) -> str:
    """Page of the desk to go back to; what answered a form is none.

    >>> _page_at_desk("https://example.org/desk/claims/items?page=2")
    '/desk/claims/items?page=2'
    >>> _page_at_desk("https://example.org/desk/claims/links"), _page_at_desk("https://a.org/x")
    ('/desk/claims/raters', '/desk')
    >>> _page_at_desk("https://example.org/desk/claims/rubric/cases")
    '/desk/claims/remarks'
    """
    parts = urlsplit(address)
    if not f"{parts.path}/".startswith("/desk/"):
        return "/desk"
    evaluation = "/".join(parts.path.split("/")[:3])
    form = parts.path.removeprefix(evaluation)
    if form in ANSWERS:
        return evaluation + ANSWERS[form]
    return parts._replace(scheme="", netloc="", fragment="").geturl()


def _entrance(request: Request, *, status: int = 200, problem: str | None = None) -> Response:
    """Page at which people come in; raters whom the proxy names have buttons there."""
    if door_of(request) is DESK:
        return desk_page("enter", status=status, problem=AT_DESK.get(problem or ""))
    known, language = named_by_proxy(request), language_of(request)
    held = [
        session
        for session in held_sessions(request, RATING)
        if known is None or session.session.link.who == known
    ]
    here = {session.session.link.evaluation for session in held}
    with reading(site_of(request).store.engine) as connection:
        waiting = [] if known is None else list_open_work(connection, known)
        places = [_entered(connection, request, session) for session in held]
    return page(
        "enter",
        status=status,
        language=language,
        problem=None if problem is None else speaker(TEXTS, language)(problem),
        known=known,
        waiting=[work for work in waiting if work.evaluation not in here],
        places=places,
    )


class Entered(NamedTuple):
    """An evaluation that a browser is signed in to: its address, and what is open there."""

    address: str
    title: str
    who: str
    open: int


def _entered(connection: Connection, request: Request, held: Held) -> Entered:
    """Evaluation of a session."""
    link = held.session.link
    return Entered(
        f"{AS}{held.owner}/rate",
        site_of(request).campaign(link.evaluation).title,
        link.who,
        count_queue(connection, link).open,
    )


def _means_it(fields: Mapping[str, str], held: Sequence[Held], *, new: Link) -> bool:
    """Return whether somebody who is signed in may go on with a link: theirs, or confirmed.

    The link may be a trick: what is rated or decided next would be in the name of whoever sent it.
    """
    answer = fields.get("instead", "")
    return any(
        session.session.link.who == new.who or is_same(answer, form_token(session.secret))
        for session in held
    )


def _ask_first(request: Request, code: str, held: Sequence[Held], *, new: str) -> Response:
    """Page that asks whether somebody who is signed in means to be somebody else."""
    instead = form_token(held[0].secret)
    old = ", ".join(sorted({session.session.link.who for session in held}))
    if door_of(request) is DESK:
        return desk_page("instead", code=code, old=old, new=new, instead=instead)
    language = language_of(request)
    return page("instead", language=language, code=code, old=old, new=new, instead=instead)


def _admit(request: Request, link: Link, held: Sequence[Held]) -> str | None:
    """Start a session with a link and end the one in its place; None if it was for one use."""
    site, now = site_of(request), site_of(request).now()
    at_desk = door_of(request) is DESK
    once = not at_desk and site.single_use(link.evaluation)
    with writing(site.store.engine) as connection:
        first = claim_link(connection, link, now=now)
        if once and not first:
            return None
        for session in held:
            if at_desk or session.owner == owner_of(link):
                end_session(connection, session.session.session_hash, now=now)
        target = "desk" if at_desk else link.evaluation
        return _start(connection, request, link, actor=link.who, target=target)


def _refuse_code(request: Request) -> Response:
    """Answer to a code that opens nothing; only these count, as an office has one address."""
    site, address = site_of(request), address_of(request)
    if site.too_many_failures(address):
        count_refusal(request, TOO_MANY_CODES)
        return _entrance(request, status=429, problem="enter_too_often")
    target = "desk" if door_of(request) is DESK else "?"
    with writing(site.store.engine) as connection:
        _start(connection, request, None, actor="?", target=target)
    site.count_failure(address)
    return _entrance(request, status=403, problem="enter_refused")


def _link_of(request: Request, code: str) -> Link | None:
    """Link that a code opens, None if it opens nothing, or nothing any more."""
    site, door = site_of(request), door_of(request)
    with reading(site.store.engine) as connection:
        return find_link(connection, secret_hash(code), now=site.now(), audience=door.audience)


def _start(
    connection: Connection,
    request: Request,
    link: Link | None,
    *,
    actor: str,
    target: str,
    reason: str | None = None,
) -> str | None:
    """Start a session, or note that there is none; returns its secret."""
    now = site_of(request).now()
    add_audit(
        connection,
        "sign-in" if link else "sign-in refused",
        actor=actor,
        object_=target,
        address=address_of(request),
        now=now,
        reason=reason,
    )
    if link is None:
        return None
    address, client = address_of(request), client_of(request)
    return add_session(connection, link, now=now, address=address, client=client)


def _let_in(door: Door, link: Link, secret: str) -> Response:
    """Way in, with the cookie of a new session."""
    owner = owner_of(link)
    inside, cookie = "/desk" if door is DESK else f"{AS}{owner}/rate", cookie_of(door, owner)
    answer = RedirectResponse(inside, status_code=303)
    answer.set_cookie(cookie, secret, secure=True, httponly=True, samesite="strict", path="/")
    return answer
