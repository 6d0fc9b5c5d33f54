"""Come to the desk and leave it; a GET signs nobody in."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.audit_lines import TOO_MANY_CODES, count_refusal
from ocrjury.frontends.web.desk.form_fields import Fields, last_values
from ocrjury.frontends.web.desk.leads import COOKIE, OnPage, check_form
from ocrjury.frontends.web.desk.rendering import page, static_file
from ocrjury.frontends.web.guests import address_of, site_of
from ocrjury.frontends.web.site import Site
from ocrjury.store.audit import add_audit
from ocrjury.store.database import writing
from ocrjury.store.desk_links import add_desk_session, find_desk_link
from ocrjury.store.links import secret_hash
from ocrjury.store.sessions import end_session

REFUSED = (
    "This code does not open the desk. It may have expired or been replaced; "
    "`ocrjury desk link` makes a new one."
)
TOO_OFTEN = "Too many attempts. Wait a few minutes and try again."
router = APIRouter(include_in_schema=False)


@router.get("/desk/enter")
def show_entrance() -> Response:
    """Return the page that takes the code out of the address and posts it."""
    return page("enter", problem=None)


@router.post("/desk/enter")
def enter(request: Request, fields: Fields) -> Response:
    """Start a session with the code of a link; all failures have the same sentence."""
    code = last_values(fields).get("code", "").strip().rpartition("#")[2]
    site, address = site_of(request), address_of(request)
    if site.failures.full(address) or site.all_failures.full("all"):
        count_refusal(request, TOO_MANY_CODES)
        return page("enter", status=429, problem=TOO_OFTEN)
    secret = _begin(site, code, address)
    if secret is None:
        site.failures.count(address)
        site.all_failures.count("all")
        return page("enter", status=403, problem=REFUSED)
    answer = RedirectResponse("/desk", status_code=303)
    answer.set_cookie(COOKIE, secret, secure=True, httponly=True, samesite="strict", path="/")
    return answer


@router.post("/desk/leave")
def leave(request: Request, fields: Fields, lead: OnPage) -> Response:
    """End the session."""
    check_form(lead, last_values(fields))
    secret = request.cookies.get(COOKIE, "")
    with writing(lead.site.store.engine) as connection:
        end_session(connection, secret_hash(secret), now=lead.site.now())
    answer = RedirectResponse("/desk/enter", status_code=303)
    answer.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict", path="/")
    return answer


@router.get("/desk/static/{version}/{name}")
def show_file(version: str, name: str) -> Response:  # noqa: ARG001  # it makes the address new
    """Return a style sheet or a script."""
    return static_file(name)


def _begin(site: Site, code: str, address: str) -> str | None:
    """Return the secret of a new session, None if the code opens nothing."""
    now = site.now()
    with writing(site.store.engine) as connection:
        link = find_desk_link(connection, secret_hash(code), now=now) if code else None
        add_audit(
            connection,
            "sign-in" if link else "sign-in refused",
            actor=link.who if link else "?",
            object_="desk",
            address=address,
            now=now,
        )
        return None if link is None else add_desk_session(connection, link, now=now)
