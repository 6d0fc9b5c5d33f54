"""Come and go: a personal link signs in once its code is posted; a GET never does."""

from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.answers import LANGUAGE, TEXTS, Trouble
from ocrjury.frontends.web.audit_lines import TOO_MANY_CODES, count_refusal
from ocrjury.frontends.web.guests import (
    COOKIE,
    address_of,
    form_token,
    language_of,
    named_by_proxy,
    site_of,
)
from ocrjury.frontends.web.rendering import page
from ocrjury.frontends.web.site import Site
from ocrjury.pages.catalogues import languages, speaker
from ocrjury.store.audit import add_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.links import find_link, secret_hash
from ocrjury.store.sessions import add_session, end_session, used_before
from ocrjury.store.single_sign_on import list_open_work

router = APIRouter(include_in_schema=False)
MOST_FIELDS = 100


@router.get("/enter")
def show_entrance(request: Request) -> Response:
    """Return the page that takes the code out of the address and posts it."""
    return entrance(request)


def entrance(request: Request, *, status: int = 200, problem: str | None = None) -> Response:
    """Return the page at which raters come in; whom the proxy names has buttons there."""
    known = named_by_proxy(request)
    with reading(site_of(request).store.engine) as connection:
        waiting = [] if known is None else list_open_work(connection, known)
    return page(
        "enter",
        status=status,
        language=language_of(request),
        problem=problem,
        known=known,
        waiting=waiting,
    )


async def posted_lists(request: Request) -> dict[str, list[str]]:
    """Return the fields of a posted form with all their values."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise Trouble(413, "fields", "Too many fields.") from error


Lists = Annotated[dict[str, list[str]], Depends(posted_lists)]


async def posted(lists: Lists) -> dict[str, str]:
    """Return the fields of a posted form, each with its last value."""
    return {name: values[-1] for name, values in lists.items()}


Fields = Annotated[dict[str, str], Depends(posted)]


@router.post("/enter")
def enter(request: Request, fields: Fields) -> Response:
    """Start a session with the code of a link; all failures have the same sentence."""
    code = fields.get("code", "").strip().rpartition("#")[2]
    site, address = site_of(request), address_of(request)
    say = speaker(TEXTS, language_of(request))
    if site.failures.full(address) or site.all_failures.full("all"):
        count_refusal(request, TOO_MANY_CODES)
        return entrance(request, status=429, problem=say("enter_too_often"))
    secret = _begin(site, code, address)
    if secret is None:
        # Only failures count: a whole office may come in from one address.
        site.failures.count(address)
        site.all_failures.count("all")
        return entrance(request, status=403, problem=say("enter_refused"))
    answer = RedirectResponse("/rate", status_code=303)
    answer.set_cookie(COOKIE, secret, secure=True, httponly=True, samesite="strict", path="/")
    return answer


@router.post("/leave")
def leave(request: Request, fields: Fields) -> Response:
    """End the session."""
    secret = request.cookies.get(COOKIE, "")
    if fields.get("form_token") != form_token(secret):
        say = speaker(TEXTS, language_of(request))
        raise Trouble(403, "form_token", say("trouble_reload"))
    site = site_of(request)
    with writing(site.store.engine) as connection:
        end_session(connection, secret_hash(secret), now=site.now())
    answer = RedirectResponse("/enter", status_code=303)
    answer.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict", path="/")
    answer.headers["Clear-Site-Data"] = '"storage"'
    return answer


@router.post("/language")
def choose_language(request: Request, fields: Fields) -> Response:
    """Keep the language in which somebody wants to read these pages."""
    wanted = fields.get("language", "")
    back = request.headers.get("referer", "").rpartition("/")[2]
    answer = RedirectResponse("/enter" if back == "enter" else "/rate", status_code=303)
    if wanted in languages(TEXTS):
        answer.set_cookie(LANGUAGE, wanted, secure=True, samesite="strict", max_age=31_536_000)
    return answer


def _begin(site: Site, code: str, address: str) -> str | None:
    """Return the secret of a new session, None if the code opens nothing."""
    now = site.now()
    with reading(site.store.engine) as connection:
        found = find_link(connection, secret_hash(code), now=now) if code else None
        again = found is not None and used_before(connection, found)
    if found is not None and again and site.campaign(found.evaluation).rounds.page.single_use:
        found = None
    with writing(site.store.engine) as connection:
        add_audit(
            connection,
            "sign-in" if found else "sign-in refused",
            actor=found.rater if found else "?",
            object_=found.evaluation if found else "?",
            address=address,
            now=now,
        )
        return None if found is None else add_session(connection, found, now=now)
