"""Receivers who have not got the newest report of an evaluation, and how far that has come."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.delivery_sections import Receiver
from ocrjury.campaign.sections import Report
from ocrjury.errors import StateError
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.reports import newest_final
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.findings import deliveries, sendings
from ocrjury.store.sendings import ATTEMPTS, CLAIM_LASTS, UNKNOWN, next_attempt

Progress = Literal["not begun", "under way", "failed", "given_up"]


class Undelivered(NamedTuple):
    """A receiver who has not got the newest report.

    `attempts` ended, the last one for the reason `detail`; `moment` is when the next one may begin,
    or when the one that is under way began.
    """

    receiver: Receiver
    progress: Progress
    attempts: int = 0
    detail: str = ""
    moment: datetime | None = None


def list_undelivered(
    engine: Engine, evaluation: str, section: Report, *, now: datetime
) -> list[Undelivered]:
    """Receivers who have not got the newest report, given up or not; none without a report.

    Parameters
    ----------
    section
        The section ``report`` of the evaluation's campaign.
    """
    with reading(engine) as connection:
        try:
            report = newest_final(connection, evaluation)
        except StateError:
            return []
        ended, begun = (
            _by_receiver(connection, table, evaluation=evaluation, sha256=report.sha256)
            for table in (deliveries, sendings)
        )
    progress = (
        _progress(receiver, ended[_key(*receiver)], begun[_key(*receiver)], now=now)
        for receiver in section.receivers(report.cover.words)
    )
    return [row for row in progress if row is not None]


def _by_receiver(
    connection: Connection, table: sa.Table, *, evaluation: str, sha256: str
) -> defaultdict[tuple[str, str], list[sa.Row[Any]]]:
    """Lines about a report by receiver, the oldest first."""
    query = (
        sa.select(table)
        .where(table.c.evaluation == evaluation, table.c.sha256 == sha256)
        .order_by(table.c.at, table.c.attempt)
    )
    lines: defaultdict[tuple[str, str], list[sa.Row[Any]]] = defaultdict(list)
    for row in connection.execute(query):
        lines[_key(row.what, row.recipient)].append(row)
    return lines


def _key(what: str, name: str) -> tuple[str, str]:
    """One receiver, however an address is spelled."""
    return what, name.lower()


def _progress(
    receiver: Receiver,
    ended: Sequence[sa.Row[Any]],
    begun: Sequence[sa.Row[Any]],
    *,
    now: datetime,
) -> Undelivered | None:
    """Progress of the delivery to a receiver; None if it has arrived."""
    if any(row.state == "sent" for row in ended):
        return None
    settled = {(row.message_id, row.attempt) for row in ended}
    unsettled = [row for row in begun if (row.message_id, row.attempt) not in settled]
    for row in unsettled:
        if now - CLAIM_LASTS < row.at <= now + CLAIM_LASTS:
            return Undelivered(receiver, "under way", len(ended), moment=row.at)
    if unsettled:  # the next run finds the process dead, and rests no longer
        attempt, detail, moment = unsettled[-1].attempt, UNKNOWN, now
    elif ended:
        last = ended[-1]
        attempt, detail = last.attempt, str(last.detail or "")
        moment = next_attempt(attempt, last.at)
    else:
        return Undelivered(receiver, "not begun")
    # What a person tried again since then no run tries.
    if attempt >= ATTEMPTS or any(row.state == "given_up" for row in ended):
        return Undelivered(receiver, "given_up", attempt, detail)
    return Undelivered(receiver, "failed", attempt, detail, moment)


def replace_deliveries(connection: Connection, evaluation: str, section: Report) -> None:
    """Let an evaluation's reports and emails go where a corrected section ``report`` says.

    All else of its campaign stays, and so does the hash of what it was opened with.
    """
    own = evaluations.c.evaluation == evaluation
    stored = sa.select(evaluations.c.config).where(own).with_for_update()
    config = connection.execute(stored).scalar_one()
    report = {**config["report"], **section.deliveries()}
    changed = sa.update(evaluations).where(own).values(config={**config, "report": report})
    connection.execute(changed)
