"""Who asks: a rater or a lead as one request knows them, what they post, and the proof of it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from ocrjury.campaign.config import Campaign
from ocrjury.errors import StoreError
from ocrjury.frontends.web.access.doors import (
    AS,
    DESK,
    RATING,
    TEXTS,
    address_of,
    client_of,
    door_of,
    form_token,
    from_proxy,
    held_behind,
    is_same,
    language_of,
    owner_of,
    site_of,
)
from ocrjury.frontends.web.answers import SignInNeeded, Trouble
from ocrjury.frontends.web.site import Site
from ocrjury.language import language, tr
from ocrjury.pages.catalogues import Say, speaker
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection, reading, writing
from ocrjury.store.links import Link, find_link, secret_hash
from ocrjury.store.second_factors import find_key
from ocrjury.store.sessions import RESOLUTION, SessionRow, touch_session
from ocrjury.store.single_sign_on import find_rater
from ocrjury.store.snapshots import snapshot

bearer = HTTPBearer(auto_error=False, description="The code of a link to the desk.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest(Person):
    """A rater; `client` is the kind of machine, `campaigns` what this request has looked up."""

    session: SessionRow
    client: str
    campaigns: dict[str, Campaign] = field(default_factory=dict, repr=False, compare=False)

    @property
    def link(self) -> Link:
        """The link with which this rater came in."""
        return self.session.link

    @property
    def campaign(self) -> Campaign:
        """The campaign that this rater rates for, the same throughout a request."""
        name = self.link.evaluation
        if name not in self.campaigns:
            self.campaigns[name] = self.site.campaign(name)
        return self.campaigns[name]

    @property
    def owner(self) -> str:
        """The name under which a browser keeps this rater's work in this evaluation."""
        return owner_of(self.link)

    @property
    def at(self) -> str:
        """How the addresses of this rater's pages in this evaluation begin."""
        return f"{AS}{self.owner}"

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which this rater's pages name moments."""
        return ZoneInfo(self.campaign.time_zone)

    @property
    def limited_by(self) -> str:
        """The session, in which changes are counted."""
        return self.session.session_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead(Person):
    """Somebody at the desk, by a link to all evaluations or some; or a page that is `watching`."""

    link: Link
    watching: bool = False

    def sees(self, evaluation: str) -> bool:
        """Whether this lead's link opens an evaluation."""
        return self.link.opens(evaluation)


def guest_of(request: Request) -> Guest:
    """Rater who asks; `SignInNeeded` without a session, or if the proxy names somebody else."""
    site = site_of(request)
    with snapshot(site.store.engine):  # one transaction for all that is read of the rater
        held = held_behind(request, RATING)
        if held is None or named_by_proxy(request) not in {None, held.session.link.who}:
            raise SignInNeeded
        _slow_down(request, (session := held.session).session_hash)
        spoken, link = language_of(request, session.link.who), session.link
        campaign = site.campaign(link.evaluation)
    request.app.state.spoken.keep(session.session_hash, spoken)
    return Guest(
        site=site,
        who=link.who,
        form_token=form_token(held.secret),
        address=address_of(request),
        language=spoken,
        session=session,
        client=client_of(request),
        campaigns={link.evaluation: campaign},
    )


def lead_of(request: Request) -> Lead:
    """Lead who asks for a page; `SignInNeeded` without a session of the desk."""
    held, site = held_behind(request, DESK), site_of(request)
    if held is None:
        raise SignInNeeded
    _slow_down(request, (session := held.session).session_hash)
    # A page that is only looked at waits for no writer.
    if site.now() - session.last_seen >= RESOLUTION and "x-watching" not in request.headers:
        # Nor for room on the disk.
        with suppress(StoreError), writing(site.store.engine) as connection:
            touch_session(connection, session, now=site.now())
    return _lead(request, session.link, form_token(held.secret))


def _lead(request: Request, link: Link, token: str) -> Lead:
    """Lead, in the language in which the desk speaks."""
    return Lead(
        site=site_of(request),
        who=link.who,
        link=link,
        form_token=token,
        address=address_of(request),
        language=language(),
        watching="x-watching" in request.headers,
    )


def lead_or_program(request: Request, credentials: Credentials) -> Lead:
    """Lead who asks for data, by a page's script or by a program that sends the code of a link.

    `SignInNeeded` without either, `Trouble` after too many wrong codes.
    """
    if credentials is None:
        return lead_of(request)
    site, address = site_of(request), address_of(request)
    key = secret_hash(credentials.credentials)
    with reading(site.store.engine) as connection:
        link = find_link(connection, key, now=site.now(), audience="desk")
        guarded = link is not None and find_key(connection, link.who) is not None
    if guarded:  # a program has no app
        why = tr("This lead has a second factor. Make a link of another name for the program.")
        raise Trouble(403, "second_factor", why)
    if link is None:
        if site.too_many_failures(address):
            raise Trouble(429, "too_fast", speaker(TEXTS, language())("trouble_too_fast"))
        site.count_failure(address)
        with writing(site.store.engine) as connection:
            add_audit(
                connection,
                "sign-in refused",
                actor="?",
                object_="desk",
                address=address,
                now=site.now(),
            )
        raise SignInNeeded
    _slow_down(request, link.token_hash)
    return _lead(request, link, "")


def checked_guest(request: Request) -> Guest:
    """Rater who asks to change something; `Trouble` without the page's token, or too fast."""
    guest = guest_of(request)
    _check(guest, request.headers.get("x-form-token", ""))
    return guest


def checked_lead(request: Request, credentials: Credentials) -> Lead:
    """Lead who asks to change something; see `checked_guest`. A program needs no token."""
    lead = lead_or_program(request, credentials)
    _check(lead, lead.form_token if credentials else request.headers.get("x-form-token", ""))
    return lead


def check_form(person: Person, fields: Mapping[str, str]) -> None:
    """Check the same for a form that a page posted."""
    _check(person, fields.get("form_token", ""))


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


def named_by_proxy(request: Request) -> str | None:
    """Rater whom the proxy before this site has signed in, None without one."""
    site = site_of(request)
    if site.sign_in_header is None or not from_proxy(request):
        return None
    named = request.headers.getlist(site.sign_in_header)
    if len(named) > 1:  # one of them is not the proxy's
        raise Trouble(400, "doubled_header", tr("Two headers name who signs in."))
    name = named[0].strip() if named else ""
    if not name or "\x00" in name:
        return None
    with reading(site.store.engine) as connection:
        return find_rater(connection, name[:254])


def _slow_down(request: Request, who: str) -> None:
    """Refuse a request that comes too fast after others; looking leaves lines in the audit log."""
    if not site_of(request).requests.allows(who):
        raise Trouble(429, "too_fast", speaker(TEXTS, language_of(request))("trouble_too_fast"))


def _check(person: Person, token: str) -> None:
    """Refuse a change that comes from no page of this session, or too fast."""
    if not is_same(token, person.form_token):
        raise Trouble(403, "form_token", person.say("trouble_reload"))
    if not person.site.saves.allows(person.limited_by):
        raise Trouble(429, "too_fast", person.say("trouble_too_fast"))


Visitor = Annotated[Guest, Depends(guest_of)]
Checked = Annotated[Guest, Depends(checked_guest)]
OnPage = Annotated[Lead, Depends(lead_of)]
AtDesk = Annotated[Lead, Depends(lead_or_program)]
CheckedLead = Annotated[Lead, Depends(checked_lead)]


async def _posted(request: Request) -> dict[str, list[str]]:
    """Fields of a posted form with all their values."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(body, keep_blank_values=True, max_num_fields=door_of(request).most_fields)
    except ValueError as error:
        raise Trouble(413, "fields", tr("Too many fields.")) from error


Lists = Annotated[dict[str, list[str]], Depends(_posted)]


async def _last_values(lists: Lists) -> dict[str, str]:
    """Fields of a posted form, each with its last value."""
    return last_values(lists)


Fields = Annotated[dict[str, str], Depends(_last_values)]


def last_values(lists: dict[str, list[str]]) -> dict[str, str]:
    """Fields with several values, each with its last one."""
    return {name: values[-1] for name, values in lists.items()}
