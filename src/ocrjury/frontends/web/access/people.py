"""Person behind a request: their identity, their rights, and their lines in the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request

from ocrjury.frontends.web.access.doors import TEXTS, is_same, language_of, site_of
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.site import Site
from ocrjury.pages.catalogues import Say, speaker
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who is signed in, as one request knows them.

    `form_token` is what forms of this session send back; empty for a program, which has no pages.
    """

    site: Site
    who: str
    form_token: str
    address: str
    language: str = "en"

    @property
    def say(self) -> Say:
        """The texts of the rating page in this person's language."""
        return speaker(TEXTS, self.language)

    @property
    def limited_by(self) -> str:
        """The name under which this person's changes are counted."""
        return f"desk {self.who}"


def check_token(person: Person, token: str) -> None:
    """Refuse a change that comes from no page of this session, or too fast."""
    if not is_same(token, person.form_token):
        raise Trouble(403, "form_token", person.say("trouble_reload"))
    if not person.site.saves.allows(person.limited_by):
        raise Trouble(429, "too_fast", person.say("trouble_too_fast"))


def check_form(person: Person, fields: Mapping[str, str]) -> None:
    """Refuse a form that comes from no page of this session, or too fast."""
    check_token(person, fields.get("form_token", ""))


def slow_down(request: Request, who: str) -> None:
    """Refuse a request that comes too fast after others; looking leaves lines in the audit log."""
    if not site_of(request).requests.allows(who):
        raise Trouble(429, "too_fast", speaker(TEXTS, language_of(request))("trouble_too_fast"))


def note(
    connection: Connection, person: Person, action: str, *, target: str, reason: str | None = None
) -> None:
    """Write down in the audit log what somebody did to an assignment, an evaluation or a file."""
    add_audit(
        connection,
        action,
        actor=person.who,
        object_=target,
        address=person.address,
        reason=reason,
        now=person.site.now(),
    )
