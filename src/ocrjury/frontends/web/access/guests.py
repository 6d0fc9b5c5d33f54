"""A rater as one request knows them: by a session, and by the proxy that names who signed in."""

from dataclasses import dataclass, field
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import Depends, Request

from ocrjury.campaign.config import Campaign
from ocrjury.frontends.web.access.doors import (
    AS,
    RATING,
    address_of,
    client_of,
    form_token,
    from_proxy,
    held_behind,
    language_of,
    owner_of,
    site_of,
)
from ocrjury.frontends.web.access.people import Person, check_token, slow_down
from ocrjury.frontends.web.answers import SignInNeeded, Trouble
from ocrjury.language import tr
from ocrjury.store.database import reading
from ocrjury.store.links import Link
from ocrjury.store.sessions import SessionRow
from ocrjury.store.single_sign_on import find_rater
from ocrjury.store.snapshots import snapshot


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
        """Prefix of the addresses of this rater's pages in this evaluation."""
        return f"{AS}{self.owner}"

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which this rater's pages name moments."""
        return ZoneInfo(self.campaign.time_zone)

    @property
    def limited_by(self) -> str:
        """The session, in which changes are counted."""
        return self.session.session_hash


def guest_of(request: Request) -> Guest:
    """Rater who asks; `SignInNeeded` without a session, or if the proxy names somebody else."""
    site = site_of(request)
    with snapshot(site.store.engine):  # one transaction for all that is read of the rater
        held = held_behind(request, RATING)
        if held is None or named_by_proxy(request) not in {None, held.session.link.who}:
            raise SignInNeeded
        slow_down(request, (session := held.session).session_hash)
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


def checked_guest(request: Request) -> Guest:
    """Rater who asks to change something; `Trouble` without the page's token, or too fast."""
    guest = guest_of(request)
    check_token(guest, request.headers.get("x-form-token", ""))
    return guest


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


Visitor = Annotated[Guest, Depends(guest_of)]
Checked = Annotated[Guest, Depends(checked_guest)]
