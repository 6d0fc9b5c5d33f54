"""Messages of the library to Prefect, over plain HTTP: events, and runs to start."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.signals.deployments import StartedRun, start_deployment
    from ocrjury.signals.events import Signal, event_body, post_signals, send_signals

__all__ = [
    "Signal",
    "StartedRun",
    "event_body",
    "post_signals",
    "send_signals",
    "start_deployment",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
