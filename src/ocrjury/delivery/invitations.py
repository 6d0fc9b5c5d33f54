"""Email personal links to raters whose round is rated on the page, each rater once for a round.

The code of a link is in the email and nowhere else: the ledger and the store keep its hash, by
which a link whose email never left is told from one that somebody has.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from typing import Any

from ocrjury.campaign.registry import RaterEntry
from ocrjury.campaign.settings import Settings
from ocrjury.delivery.mail import Delivery, MailServer, hand_in, message_id, server_of
from ocrjury.delivery.round_email import RoundEmail
from ocrjury.errors import LostRaceError, StateError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.overview import raters_shut_out
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.database import Connection, writing
from ocrjury.store.invitations import make_link, replace_links, take_link_back
from ocrjury.store.link_requests import INVITATION, list_mailings
from ocrjury.store.links import list_links, secret_hash
from ocrjury.store.ratings import lock_open_round
from ocrjury.store.reports import list_deliveries
from ocrjury.store.rounds import RoundRow, list_progress
from ocrjury.store.sendings import Sending, begin, free_attempt, settle

log = logging.getLogger(__name__)

MAKER, WHAT = "flow", INVITATION


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation(RoundEmail):
    """Invitation of a rater; `link` is the rater's own, and nothing prints it but the email."""

    link: str = field(repr=False)


def compose_invitation(
    invitation: Invitation, *, server: MailServer, now: datetime, request: int = 0
) -> EmailMessage:
    """Email to one rater."""
    identity = _identity(
        invitation.evaluation,
        invitation.round,
        invitation.rater,
        recipient=invitation.recipient,
        server=server,
        request=request,
    )
    return invitation.composed(
        WHAT, identity=identity, server=server, now=now, link=invitation.link
    )


def invite_raters(case: Case, last: RoundRow, *, tick: Tick = unwatched) -> None:
    """Send a link to everybody with something to rate who never had one for this round.

    Without a mail server, an address of the page, or one of the rater, the lead hands links out.
    """
    people = raters_to_invite(case, last)
    parts = Parts(tick, len(people))
    for person in people:
        parts.begin(f"link for {person.pseudonym}")
        _invite(case, last, person)
    if waiting := raters_shut_out(case):
        log.warning(
            "%s cannot rate yet: `ocrjury raters invite %s` makes their links",
            ", ".join(waiting),
            case.name,
        )


def raters_to_invite(case: Case, last: RoundRow) -> list[RaterEntry]:
    """Raters of a round who get an email with a link."""
    if Settings.from_environment().rating_url is None or case.campaign.report.mail is None:
        return []
    wanted = _uninvited(case, last)
    return [person for person in case.raters if person.pseudonym in wanted and person.email]


def _invite(case: Case, last: RoundRow, person: RaterEntry) -> None:
    """Make a link with the claim to send it, send it, and note what became of it."""
    settings, server = Settings.from_environment(), server_of(case.campaign.report.mail)
    name, now, rater = case.name, settings.now(), person.pseudonym
    request = _requested(case, last).get(rater, 0)
    identity = _identity(
        name, last.round, rater, recipient=person.email, server=server, request=request
    )
    with writing(case.work.engine) as connection:
        _lock(connection, case, last)
        attempt = free_attempt(connection, identity, now=now)
        # Emails to others take their time: meanwhile a lead may have dropped this rater.
        left = _uninvited(case, last).get(rater)
        if attempt is None or left is None:
            return
        facts: dict[str, Any] = {"number": last.round, "created_by": MAKER, "now": now}
        secret = make_link(connection, name, rater, **facts, replaces=not request)
        mail = Sending(name, identity, WHAT, person.email, secret_hash(secret))
        claim = begin(connection, mail, attempt=attempt, now=now)
    invitation = Invitation.to(
        person,
        evaluation=name,
        campaign=case.campaign,
        row=last,
        left=left,
        link=f"{(settings.rating_url or '').rstrip('/')}/enter#{secret}",
    )
    message = compose_invitation(invitation, server=server, now=now, request=request)
    sent = hand_in(message, server, sha256=mail.sha256)
    _end_links(case, rater, sent, request=request, now=now)
    settle(case.work.engine, claim, state=sent.state, detail=sent.detail, now=now)


def _end_links(case: Case, rater: str, sent: Delivery, *, request: int, now: datetime) -> None:
    """Revoke the link of an email that never left, or those that a link sent by request replaces.

    The link that somebody has goes on to work until the new one was sent.
    """
    with writing(case.work.engine) as connection:
        if sent.state == "failed":
            take_link_back(connection, sent.sha256, now=now)
        elif request:
            replace_links(connection, case.name, rater, kept=sent.sha256, now=now)


def _identity(
    evaluation: str,
    number: int,
    rater: str,
    *,
    recipient: str,
    server: MailServer,
    request: int = 0,
) -> str:
    """Id of the email that invites a rater to a round, or of that which a request asks for."""
    what = f"{evaluation}/{number}/{rater}" + (f"/{request}" if request else "")
    return message_id(what, WHAT, recipient, domain=server.domain)


def _requested(case: Case, last: RoundRow) -> dict[str, int]:
    """Number of the request that still waits, of every rater to whom a lead wants a link mailed."""
    mailings = list_mailings(case.work.engine, case.name, last.round)
    return {rater: mailing.request.number for rater, mailing in mailings.items() if mailing.waits}


def _lock(connection: Connection, case: Case, last: RoundRow) -> None:
    """Let one process at a time go on; `LostRaceError` if the round has ended meanwhile."""
    try:
        number = lock_open_round(connection, case.name)
    except StateError as error:
        raise LostRaceError(f"round {last.round} of {case.name} has ended.") from error
    if number != last.round:
        raise LostRaceError(f"round {number} of {case.name} was opened meanwhile.")


def _uninvited(case: Case, last: RoundRow) -> Mapping[str, int]:
    """Number of open assignments of every rater to whom nobody gave a link for the round.

    A link that was revoked counts: whoever took it away wants no other to be sent. Who is to get
    another by a lead's wish is invited again.
    """
    name, engine = case.name, case.work.engine
    sent = {
        delivery.sha256 for delivery in list_deliveries(engine, name) if delivery.state == "sent"
    }
    invited = {
        link.who
        for link in list_links(engine, name)
        if link.round in {None, last.round}
        and (link.created_by != MAKER or link.token_hash in sent)
    }
    invited -= set(_requested(case, last))
    rows = list_progress(engine, name, last.round)
    return {row.rater: row.open for row in rows if row.open and row.rater not in invited}
