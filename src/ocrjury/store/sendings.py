"""Sendings that a process has begun: whoever writes the line first sends, nobody else does.

A line is written before an email or another message leaves, and the ledger of deliveries says
afterwards how that attempt ended. An attempt without an outcome is under way; once it is older than
`CLAIM_LASTS`, its process is taken to be dead, and the next one may try.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.errors import LostRaceError
from ocrjury.store.database import Connection, Engine, writing
from ocrjury.store.reports import DeliveryRow, add_delivery
from ocrjury.store.schema.findings import deliveries, sendings

ATTEMPTS = 5
"""Number of attempts to send an email before it is given up."""
CLAIM_LASTS = timedelta(minutes=10)
"""Time that a process may take to send an email; a mail server that hangs costs half a minute."""
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (5, 15, 60, 240))
"""Pauses after each failure, so that a mail server may be away for hours."""
UNKNOWN = (
    "the process that was sending it ended before it said what became of it; it may have arrived"
)


class Sending(NamedTuple):
    """A message; whoever sends it gives it one ``message_id``, ``sha256`` is of what it brings.

    ``what`` is ``invitation``, ``reminder`` or ``report`` (emails), ``publication`` or ``webhook``.
    """

    evaluation: str
    message_id: str
    what: str
    recipient: str
    sha256: str


class Claim(NamedTuple):
    """The right to send an email, until `CLAIM_LASTS` after ``at``."""

    mail: Sending
    attempt: int
    at: datetime


def claim_sending(
    engine: Engine, mail: Sending, *, now: datetime, limit: int | None = ATTEMPTS
) -> Claim | None:
    """Claim the right to send an email; None if it was sent, is being sent, rests or was given up.

    Parameters
    ----------
    now
        The present moment, not that at which a run began.
    limit
        Attempts after which an email is given up; None: a person wants it all the same.
    """
    try:
        with writing(engine) as connection:
            attempt = free_attempt(connection, mail.message_id, now=now, limit=limit)
            return None if attempt is None else begin(connection, mail, attempt=attempt, now=now)
    except LostRaceError:
        return None


def free_attempt(
    connection: Connection, message_id: str, *, now: datetime, limit: int | None = ATTEMPTS
) -> int | None:
    """Number of the attempt that may begin now; None as in `claim_sending`.

    After a failure there is a pause, unless a person wants the email (no ``limit``). An attempt
    whose process is taken to be dead gets its line in the ledger: it failed, as far as anybody
    knows. What happened at a moment to come, by a clock that was wrong, is waited for no longer.

    Raises
    ------
    LostRaceError
        If another process found it dead at the same moment.
    """
    known = (
        sa.select(deliveries.c.attempt, deliveries.c.state, deliveries.c.at)
        .where(deliveries.c.message_id == message_id)
        .order_by(deliveries.c.attempt)
    )
    rows = connection.execute(known).all()
    states = {row.attempt: row.state for row in rows}
    if "sent" in states.values() or (limit is not None and "given_up" in states.values()):
        return None
    begun = connection.execute(
        sa.select(sendings)
        .where(sendings.c.message_id == message_id)
        .order_by(sendings.c.attempt.desc())
        .limit(1)
    ).first()
    if begun is not None and begun.attempt not in states:
        if now - CLAIM_LASTS < begun.at <= now + CLAIM_LASTS:
            return None
        mail = Sending(*(getattr(begun, name) for name in Sending._fields))
        claim = Claim(mail, begun.attempt, begun.at)
        dead = _outcome(claim, state="failed", detail=UNKNOWN, now=now)
        _insert(connection, deliveries, evaluation=mail.evaluation, **dead._asdict())
        states[begun.attempt] = dead.state
        if limit is not None and dead.state == "given_up":
            return None
    elif limit is not None and rows and _rests(rows[-1], now):
        return None
    tried = max(states, default=0)
    return None if limit is not None and tried >= limit else tried + 1


def begin(connection: Connection, mail: Sending, *, attempt: int, now: datetime) -> Claim:
    """Write down that an attempt begins, which `free_attempt` allowed in the same transaction.

    Raises
    ------
    LostRaceError
        If another process began it first.
    """
    _insert(connection, sendings, **mail._asdict(), attempt=attempt, at=now)
    return Claim(mail, attempt, now)


def settle(
    engine: Engine, claim: Claim, *, state: str, detail: str | None, now: datetime
) -> DeliveryRow:
    """Write down what became of an attempt, ``sent``, ``failed`` or ``given_up``; return the line.

    The last failed one of `ATTEMPTS` gives up.

    Raises
    ------
    LostRaceError
        If another process took this one for dead, because it took longer than `CLAIM_LASTS`.
    """
    row = _outcome(claim, state=state, detail=detail, now=now)
    add_delivery(engine, claim.mail.evaluation, row)
    return row


def next_attempt(attempt: int, at: datetime) -> datetime:
    """Moment from which the next attempt may begin after one that failed."""
    return at + PAUSES[min(attempt, len(PAUSES)) - 1]


def _rests(last: sa.Row[Any], now: datetime) -> bool:
    """Return whether the pause after an attempt is not over."""
    return bool(last.at <= now + CLAIM_LASTS and now < next_attempt(last.attempt, last.at))


def _outcome(claim: Claim, *, state: str, detail: str | None, now: datetime) -> DeliveryRow:
    """Line of the ledger."""
    given_up = state == "failed" and claim.attempt >= ATTEMPTS
    return DeliveryRow(
        message_id=claim.mail.message_id,
        attempt=claim.attempt,
        what=claim.mail.what,
        recipient=claim.mail.recipient,
        sha256=claim.mail.sha256,
        state="given_up" if given_up else state,
        detail=detail,
        at=now,
    )


def _insert(connection: Connection, table: sa.Table, **values: object) -> None:
    """Insert a row that another process may insert at the same moment."""
    try:
        connection.execute(sa.insert(table).values(**values))
    except sa.exc.IntegrityError as error:
        raise LostRaceError(
            f"another process sends {values['message_id']} at this moment."
        ) from error
