"""Email personal links to raters whose round is rated on the page, each rater once for a round.

The code of a link is in the email and nowhere else: the ledger and the store keep its hash, by
which a link whose email never left is told from one that somebody has.
"""

import logging
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ocrjury.campaign.registry import RaterEntry
from ocrjury.campaign.settings import Settings
from ocrjury.delivery import MailServer
from ocrjury.delivery.invitations import Invitation, compose_invitation, invitation_id
from ocrjury.delivery.mail import hand_in, server_of
from ocrjury.errors import LostRaceError, StateError
from ocrjury.evaluation.case import Case
from ocrjury.store.database import Connection, writing
from ocrjury.store.invitations import make_link, take_link_back
from ocrjury.store.links import list_links, secret_hash
from ocrjury.store.ratings import lock_open_round
from ocrjury.store.reports import list_deliveries
from ocrjury.store.rounds import RoundRow, list_progress
from ocrjury.store.sendings import Mail, begin, free_attempt, settle
from ocrjury.store.single_sign_on import list_shut_out

log = logging.getLogger(__name__)

MAKER, WHAT = "flow", "invitation"


class Office(NamedTuple):
    """What emails are sent with: the server, and the address of the page."""

    server: MailServer
    page: str

    @property
    def domain(self) -> str:
        """Domain part of message ids."""
        return self.server.sender.rpartition("@")[2]


def invite_raters(case: Case, last: RoundRow) -> None:
    """Send a link to everybody with something to rate who never had one for this round.

    Without a mail server, an address of the page, or one of the rater, the lead hands links out.
    """
    name, engine = case.name, case.work.engine
    settings = Settings.from_environment()
    page = settings.rating_url
    if page is not None and case.campaign.report.mail is not None:
        office = Office(server_of(case.campaign.report.mail), page.rstrip("/"))
        wanted = _busy(case, last) - _settled(case, last)
        for person in case.raters:
            if person.pseudonym in wanted and person.email:
                _invite(case, last, person, office=office)
    sign_on = settings.sign_in_header is not None
    waiting = list_shut_out(engine, name, last.round, now=case.work.now, sign_on=sign_on)
    if waiting:
        log.warning(
            "%s cannot rate yet: `ocrjury raters invite %s` makes their links",
            ", ".join(waiting),
            name,
        )


def _invite(case: Case, last: RoundRow, person: RaterEntry, *, office: Office) -> None:
    """Make a link with the claim to send it, send it, and note what became of it."""
    name, now, rater = case.name, Settings.from_environment().now(), person.pseudonym
    identity = invitation_id(name, last.round, rater, recipient=person.email, domain=office.domain)
    with writing(case.work.engine) as connection:
        _lock(connection, case, last)
        attempt = free_attempt(connection, identity, now=now)
        # Emails to others take their time: meanwhile a lead may have dropped this rater.
        if attempt is None or rater not in _busy(case, last) - _settled(case, last):
            return
        secret = make_link(connection, name, rater, number=last.round, created_by=MAKER, now=now)
        mail = Mail(name, identity, WHAT, person.email, secret_hash(secret))
        claim = begin(connection, mail, attempt=attempt, now=now)
    letter = _letter(case, last, person, link=f"{office.page}/enter#{secret}")
    message = compose_invitation(letter, server=office.server, now=now)
    sent = hand_in(message, office.server, sha256=mail.sha256)
    if sent.state == "failed":
        with writing(case.work.engine) as connection:
            take_link_back(connection, sent.sha256, now=now)
    settle(case.work.engine, claim, state=sent.state, detail=sent.detail, now=now)


def _lock(connection: Connection, case: Case, last: RoundRow) -> None:
    """Let one process at a time go on; `LostRaceError` if the round has ended meanwhile."""
    try:
        number = lock_open_round(connection, case.name)
    except StateError as error:
        raise LostRaceError(f"round {last.round} of {case.name} has ended.") from error
    if number != last.round:
        raise LostRaceError(f"round {number} of {case.name} was opened meanwhile.")


def _busy(case: Case, last: RoundRow) -> set[str]:
    """Raters with something to rate in the round."""
    rows = list_progress(case.work.engine, case.name, last.round)
    return {progress.rater for progress in rows if progress.open}


def _settled(case: Case, last: RoundRow) -> set[str]:
    """Raters to whom somebody gave a link for the round.

    A link that was revoked counts: whoever took it away wants no other to be sent.
    """
    name, engine = case.name, case.work.engine
    sent = {
        delivery.sha256 for delivery in list_deliveries(engine, name) if delivery.state == "sent"
    }
    return {
        link.who
        for link in list_links(engine, name)
        if link.round in {None, last.round}
        and (link.created_by != MAKER or link.token_hash in sent)
    }


def _letter(case: Case, last: RoundRow, person: RaterEntry, *, link: str) -> Invitation:
    """Invitation with its wording."""
    rater = person.pseudonym
    left = sum(
        assignment.rater == rater and assignment.round == last.round and assignment.state == "open"
        for assignment in case.assignments
    )
    each = person.minutes_per_item or case.campaign.raters.minutes_per_item
    return Invitation(
        evaluation=case.name,
        title=case.campaign.title,
        round=last.round,
        rater=rater,
        recipient=person.email,
        link=link,
        open=left,
        minutes=max(round(left * each), 1),
        deadline=last.deadline.astimezone(ZoneInfo(case.campaign.time_zone)),
        languages=(*person.languages, case.campaign.language),
    )
