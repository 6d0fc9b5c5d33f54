"""Come in by the proxy's word: it has signed somebody in, and names them in a header."""

from typing import NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.guests import COOKIE, address_of, language_of, named_by_proxy, site_of
from ocrjury.frontends.web.signing_in import Fields, entrance
from ocrjury.frontends.web.site import Site
from ocrjury.pages.catalogues import speaker
from ocrjury.store.audit import add_audit
from ocrjury.store.database import writing
from ocrjury.store.sessions import add_session
from ocrjury.store.single_sign_on import link_of_work, list_open_work

router = APIRouter(include_in_schema=False)


class Wish(NamedTuple):
    """Who wants to rate in which evaluation, and from where."""

    rater: str
    evaluation: str
    address: str


@router.post("/enter/known")
def enter_known(request: Request, fields: Fields) -> Response:
    """Start a session for whom the proxy names, in an evaluation that waits for them."""
    site, rater = site_of(request), named_by_proxy(request)
    if rater is None:
        raise Trouble(404, "not_found", "There is nothing here.")
    wish = Wish(rater, fields.get("evaluation", ""), address_of(request))
    secret = _begin(site, wish)
    if secret is None:
        say = speaker("rating", language_of(request))
        return entrance(request, status=403, problem=say("enter_refused"))
    answer = RedirectResponse("/rate", status_code=303)
    answer.set_cookie(COOKIE, secret, secure=True, httponly=True, samesite="strict", path="/")
    return answer


def _begin(site: Site, wish: Wish) -> str | None:
    """Return the secret of a new session, None if nothing waits or the lead took the link away."""
    now = site.now()
    with writing(site.store.engine) as connection:
        waiting = list_open_work(connection, wish.rater)
        work = next((one for one in waiting if one.evaluation == wish.evaluation), None)
        link = None if work is None else link_of_work(connection, wish.rater, work, now=now)
        add_audit(
            connection,
            "sign-in" if link else "sign-in refused",
            actor=wish.rater,
            object_=work.evaluation if work else "?",
            address=wish.address,
            now=now,
            reason="by the proxy",
        )
        return None if link is None else add_session(connection, link, now=now)
