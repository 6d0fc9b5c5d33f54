"""Conversations with other servers that end, however slowly those answer.

A limit of a socket begins anew with every byte, so a server that sends one byte at a time would be
waited for without an end.
"""

import http.client
import smtplib
import socket
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

_TOO_LONG = "it took too long"


class OutOfPatience(TimeoutError):  # noqa: N818  # a kind of TimeoutError
    """A conversation took longer than all of it may take."""


class Patience:
    """Connections that are cut when a time is over; each is held by a copy, which TLS keeps."""

    def __init__(self) -> None:
        self.is_over = False
        self._held: list[socket.socket] = []
        self._lock = threading.Lock()

    def connected(self, *given: Any, **named: Any) -> socket.socket:
        """Connection to a server, as `socket.create_connection` makes it."""
        made = socket.create_connection(*given, **named)
        self._hold(made)
        return made

    def trace(self, event: str, facts: Mapping[str, Any]) -> None:
        """Hold the connections of a request of httpx that has this as its extension ``trace``."""
        if event == "connection.connect_tcp.complete":
            self._hold(facts["return_value"].get_extra_info("socket"))

    def _hold(self, made: socket.socket) -> None:
        """Cut a connection when the time is over, or at once if it is."""
        with self._lock:
            self._held.append(made.dup())
        if self.is_over:
            self.cut()

    def cut(self) -> None:
        """End every connection."""
        self.is_over = True
        with self._lock:
            for connection in self._held:
                with suppress(OSError):  # it ended by itself
                    connection.shutdown(socket.SHUT_RDWR)

    def let_go(self) -> None:
        """Give the copies back."""
        with self._lock:
            while self._held:
                self._held.pop().close()


@contextmanager
def patience(seconds: float) -> Iterator[Patience]:
    """Yield what makes connections that end after a time at the latest.

    Raises
    ------
    OutOfPatience
        The time was over, whatever the block made of what had come until then.
    """
    held = Patience()
    timer = threading.Timer(seconds, held.cut)
    timer.daemon = True
    timer.start()
    try:
        yield held
    except Exception as error:  # a connection that is cut fails in as many ways as it is read
        if held.is_over:
            raise OutOfPatience(_TOO_LONG) from error
        raise
    finally:
        timer.cancel()
        held.let_go()
    if held.is_over:
        raise OutOfPatience(_TOO_LONG)


class PatientHttp(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Open addresses over connections that end."""

    def __init__(self, held: Patience) -> None:
        super().__init__()
        self.held = held

    def do_open(self, http_class: Any, req: Any, **options: Any) -> Any:
        """Answer to a request."""

        def made(host: str, **more: Any) -> http.client.HTTPConnection:
            connection: http.client.HTTPConnection = http_class(host, **more)
            connection._create_connection = self.held.connected  # type: ignore[attr-defined]  # noqa: SLF001
            return connection

        return super().do_open(made, req, **options)


class PatientMail(smtplib.SMTP):
    """A connection to a mail server that ends."""

    def __init__(self, held: Patience, host: str, port: int, *, timeout: float) -> None:
        self.held = held
        super().__init__(host, port, timeout=timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return self.held.connected((host, port), timeout, self.source_address)
