"""Signals of the store become Prefect events.

A signal is written in the transaction of the rating or decision that it announces, and posted
later. Nothing depends on its arrival: the sweep of all unfinished evaluations is the backstop.
"""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

import httpx

from ocrjury.signals.server import exchange

if TYPE_CHECKING:
    from ocrjury.store.database import Engine

_TIMEOUT = 3.0
"""Seconds that a server which does not answer may cost."""
log = logging.getLogger(__name__)


class Announcement(Protocol):
    """Content of an event; the store's unsent signals have the same attributes."""

    @property
    def signal(self) -> str:
        """Name of the event itself, unique for ever."""

    @property
    def evaluation(self) -> str:
        """The evaluation that it is about."""

    @property
    def name(self) -> str:
        """Name of the event, such as ``ocrjury.round.complete``."""

    @property
    def payload(self) -> dict[str, Any]:
        """Facts that a trigger may read: evaluation and round."""


@dataclass(frozen=True, slots=True)
class Signal:
    """One announcement: `signal` names it for ever, `name` is the event's name."""

    signal: str
    evaluation: str
    name: str
    payload: dict[str, Any] = field(default_factory=dict)


def event_body(signal: Announcement, *, occurred: datetime) -> dict[str, Any]:
    """Event of a signal as Prefect's API takes it.

    Parameters
    ----------
    occurred
        Moment of posting. The moment of writing would be wrong: Prefect sets its clock for
        overdue heartbeats by the events that it receives.

    Notes
    -----
    The same signal always has the same event id, so that a signal posted twice is one event.

    Examples
    --------
    >>> signal = Signal("claims-2026w47.1.ocrjury.round.complete", "claims-2026w47", "x")
    >>> body = event_body(signal, occurred=datetime(2026, 11, 20, tzinfo=UTC))
    >>> body["resource"]["prefect.resource.id"]
    'ocrjury.evaluation.claims-2026w47'
    """
    return {
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"ocrjury:{signal.signal}")),
        "occurred": occurred.isoformat(),
        "event": signal.name,
        "resource": {
            "prefect.resource.id": f"ocrjury.evaluation.{signal.evaluation}",
            "prefect.resource.name": signal.evaluation,
        },
        "related": [],
        "payload": signal.payload,
    }


def post_signals(
    signals: Sequence[Announcement],
    *,
    api: str,
    key: str | None = None,
    now: datetime | None = None,
) -> list[str]:
    """Post signals to Prefect in one request; return the ids of those it took.

    Parameters
    ----------
    api
        Address of the API, such as ``http://127.0.0.1:4200/api``.
    key
        API key, or ``user:password``, of a server that asks for one.
    now
        Moment of posting; the present if not given.

    Returns
    -------
    list of str
        All ids, or none: a server that is away or refuses is logged, and loses nothing.
    """
    if not signals:
        return []
    occurred = now or datetime.now(UTC)
    bodies = [event_body(signal, occurred=occurred) for signal in signals]
    try:
        exchange(
            "POST", f"{api.rstrip('/')}/events", key=key, timeout=_TIMEOUT, json=bodies
        ).raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        log.warning(
            "Prefect took none of %d signals (%s); the next run tries again.", len(signals), error
        )
        return []
    return [signal.signal for signal in signals]


def send_signals(
    engine: "Engine",
    *,
    api: str,
    key: str | None = None,
    now: datetime | None = None,
) -> list[str]:
    """Post what the store has not announced yet; return the ids of the signals that were taken."""
    # A process that only starts deployments never opens a database.
    from ocrjury.store.outbox import list_unsent, mark_sent  # noqa: PLC0415

    moment = now or datetime.now(UTC)
    taken = post_signals(list_unsent(engine), api=api, key=key, now=moment)
    if taken:
        mark_sent(engine, taken, now=moment)
    return taken
