"""The second factor of leads: digits of an app, asked for once the code of a link is right."""

from collections.abc import Mapping

from fastapi import Request
from fastapi.responses import Response

from ocrjury.frontends.web.access.doors import address_of, site_of
from ocrjury.frontends.web.rendering import desk_page
from ocrjury.language import tr
from ocrjury.store.audit import add_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.links import Link
from ocrjury.store.one_time_codes import step_of
from ocrjury.store.second_factors import find_key, use_step


def ask_digits(request: Request, link: Link, fields: Mapping[str, str]) -> Response | None:
    """Page that asks a lead for digits; None if these are right, or none are needed."""
    site = site_of(request)
    with reading(site.store.engine) as connection:
        key = find_key(connection, link.who)
    if key is None:
        return None
    digits = fields.get("digits", "")
    if not digits:
        return _page(fields)
    # By link, of which everybody may ask for a new one: nobody guesses a million codes.
    if not site.digits.allows(link.token_hash):
        return _page(fields, status=429, problem=tr("Too many attempts. Make a new link, or wait."))
    step = step_of(key, digits, now=site.now())
    with writing(site.store.engine) as connection:
        if step is not None and use_step(connection, link.who, step):
            return None
        add_audit(
            connection,
            "sign-in refused",
            actor=link.who,
            object_="desk",
            address=address_of(request),
            reason="second factor",
            now=site.now(),
        )
    wrong = tr("These digits are not right, or were used before. Wait for the next ones.")
    return _page(fields, status=403, problem=wrong)


def _page(fields: Mapping[str, str], *, status: int = 200, problem: str | None = None) -> Response:
    """Page with a field for the digits; the code of the link goes along."""
    sent = {name: fields.get(name, "") for name in ("code", "instead")}
    return desk_page("second", status=status, problem=problem, sent=sent)
