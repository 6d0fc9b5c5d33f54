"""Requests of leads to email links again, and the outcome of each."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.config import Configuration
from ocrjury.errors import StateError
from ocrjury.language import phrase
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection, Engine
from ocrjury.store.decisions import SIGNAL
from ocrjury.store.outbox import add_signal
from ocrjury.store.raters import list_raters
from ocrjury.store.rows import columns_of, list_rows
from ocrjury.store.schema.findings import deliveries, link_requests

INVITATION = "invitation"


class LinkRequest(NamedTuple):
    """A request that a rater's link of a round is mailed again, by number from 1."""

    round: int
    rater: str
    number: int
    actor: str
    at: datetime


class Mailing(NamedTuple):
    """A request and the last attempt since; `state` is ``asked`` before the first."""

    request: LinkRequest
    state: str
    at: datetime
    detail: str | None

    @property
    def waits(self) -> bool:
        """Whether another attempt follows."""
        return self.state in {"asked", "failed"}


def latest_link_requests(
    source: Engine | Connection, evaluation: str, number: int
) -> dict[str, LinkRequest]:
    """Newest request of every rater of a round who has one."""
    query = (
        sa.select(*columns_of(link_requests, LinkRequest))
        .where(link_requests.c.evaluation == evaluation, link_requests.c.round == number)
        .order_by(link_requests.c.number)
    )
    return {row.rater: row for row in list_rows(source, LinkRequest, query)}


def list_mailings(source: Engine | Connection, evaluation: str, number: int) -> dict[str, Mailing]:
    """Outcome of the newest request of every rater of a round, by rater."""
    requests = latest_link_requests(source, evaluation, number)
    if not requests:
        return {}
    people = list_raters(source, requests, evaluation=evaluation)
    emails = {person.pseudonym: person.email for person in people}
    return {
        rater: _mailing(source, evaluation, request, email=emails.get(rater, ""))
        for rater, request in requests.items()
    }


def ask_for_link(
    connection: Connection,
    evaluation: str,
    rater: str,
    *,
    number: int,
    config: Configuration,
    actor: str,
    address: str,
    now: datetime,
) -> None:
    """Ask that a rater's link is mailed again, and announce it in the same transaction.

    Raises
    ------
    StateError
        If the campaign has no mail server, the rater no address, or a request still waits.
    """
    if config.report.mail is None:
        raise StateError(
            phrase("This campaign names no mail server (report.mail): no email can be sent.")
        )
    people = list_raters(connection, [rater], evaluation=evaluation)
    if not any(person.email for person in people):
        raise StateError(
            phrase("{rater} has no email address in the registry of raters.", rater=rater)
        )
    before = list_mailings(connection, evaluation, number).get(rater)
    if before is not None and before.waits:
        raise StateError(phrase("An email to {rater} is asked for already.", rater=rater))
    next_ = 1 if before is None else before.request.number + 1
    row = LinkRequest(number, rater, next_, actor, now)
    connection.execute(sa.insert(link_requests).values(evaluation=evaluation, **row._asdict()))
    object_ = f"{evaluation} {rater}"
    add_audit(connection, "mail link", actor=actor, object_=object_, address=address, now=now)
    about = f"link.{number}.{rater}.{next_}"
    facts: dict[str, int | str] = {"link_round": number, "rater": rater}
    add_signal(connection, evaluation, name=SIGNAL, about=about, now=now, facts=facts)


def _mailing(
    source: Engine | Connection, evaluation: str, request: LinkRequest, *, email: str
) -> Mailing:
    """The last attempt since a request; its detail names nobody's address."""

    class Attempt(NamedTuple):
        state: str
        at: datetime
        detail: str | None

    query = (
        sa.select(deliveries.c.state, deliveries.c.at, deliveries.c.detail)
        .where(
            deliveries.c.evaluation == evaluation,
            deliveries.c.what == INVITATION,
            deliveries.c.recipient == email,
            deliveries.c.at > request.at,
        )
        .order_by(deliveries.c.at.desc(), deliveries.c.attempt.desc())
        .limit(1)
    )
    last = next(iter(list_rows(source, Attempt, query)), None)
    if last is None:
        return Mailing(request, "asked", request.at, None)
    detail = last.detail and last.detail.replace(email, request.rater)
    return Mailing(request, last.state, last.at, detail)
