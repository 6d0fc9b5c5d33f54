"""Webhooks as hints: somebody says that something happened, and a poll looks what it was.

Nothing that a hint says is read. It has to bear a secret that lives as long as the listener, and
Label Studio is asked to send no text with it.
"""

import logging
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from urllib.parse import urlsplit

from ocrjury.errors import InputError
from ocrjury.frontends.labelstudio.server import Server

log = logging.getLogger(__name__)

HEADER = "X-Ocrjury-Hint"
ACTIONS = ("ANNOTATION_CREATED", "ANNOTATION_UPDATED")
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Hints:
    """Hints that a listener has received; every hint has to bear the `secret`."""

    address: str
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    heard: Event = field(default_factory=Event, repr=False)

    def wait(self, seconds: float) -> bool:
        """Wait up to so many seconds for a hint, and return whether there was one."""
        heard = self.heard.wait(seconds)
        self.heard.clear()
        return heard


@contextmanager
def listening(address: str) -> Iterator[Hints]:
    """Yield what comes in at an address of this machine, such as ``http://127.0.0.1:8090``.

    `InputError` if it is no such address, or something else listens there.
    """
    hints = Hints(address)
    try:
        listener = _listener(hints)
    except (OSError, ValueError) as error:
        raise InputError(
            f"Nobody can listen for hints at {address} ({error}). Give an address of this machine "
            "with a free port, such as http://127.0.0.1:8090."
        ) from error
    thread = Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield hints
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join(_PATIENCE)
        if thread.is_alive():
            log.warning("the listener at %s did not stop within %g seconds", address, _PATIENCE)


def ask_for_hints(server: Server, projects: Sequence[int], hints: Hints) -> list[int]:
    """Numbers of the webhooks that Label Studio was given, one for each project."""
    return [
        int(
            server.request(
                "POST",
                "/api/webhooks/",
                body={
                    "project": project,
                    "url": hints.address,
                    "send_payload": False,
                    "send_for_all_actions": False,
                    "headers": {HEADER: hints.secret},
                    "actions": list(ACTIONS),
                },
            )["id"]
        )
        for project in projects
    ]


def want_no_more_hints(server: Server, webhooks: Sequence[int]) -> None:
    """Take webhooks back."""
    for webhook in webhooks:
        server.request("DELETE", f"/api/webhooks/{webhook}/")


def _listener(hints: Hints) -> ThreadingHTTPServer:
    """HTTP server that listens at an address of this machine."""
    parts = urlsplit(hints.address)
    if parts.scheme != "http" or not parts.hostname or not parts.port:
        raise ValueError("it needs http, a host and a port")
    handler = type("Handler", (_Handler,), {"hints": hints, "timeout": _PATIENCE})
    return ThreadingHTTPServer((parts.hostname, parts.port), handler)


class _Handler(BaseHTTPRequestHandler):
    """Answers every POST with the secret by nothing at all."""

    hints: Hints

    def do_POST(self) -> None:
        """Take a hint; what it says is not even read."""
        secret = self.headers.get(HEADER, "").encode()
        allowed = secrets.compare_digest(secret, self.hints.secret.encode())
        self.send_response(204 if allowed else 403)
        self.end_headers()
        if allowed:
            self.hints.heard.set()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base's name
        """Say nothing."""
