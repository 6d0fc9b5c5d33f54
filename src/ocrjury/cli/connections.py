"""Connections to `ocrjury serve`, none of which may keep a place that others need.

uvicorn waits for ever for the rest of a request, and turns everybody away once enough are waiting.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 200
"""Connections at a time."""
REQUEST_SECONDS, ANSWER_SECONDS = 20.0, 300.0
"""Time limits of a request, head and body, and of its answer."""


class BoundedConnection(H11Protocol):
    """A connection that ends if its request or its answer takes too long.

    If there are as many as may be, a new one takes the place of the one that has been without a
    whole request for longest.
    """

    _end: asyncio.TimerHandle | None = None
    _waiting = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for a request, in the place of another connection if there is none left."""
        if len(self.connections) >= MOST:
            self._make_room()
        super().connection_made(transport)
        self._limit(REQUEST_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._see()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._see()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop to watch the time."""
        self._stop()
        super().connection_lost(exc)

    def _see(self) -> None:
        """Begin to watch the time anew if a request has come, or has been answered."""
        waiting = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if waiting != self._waiting:
            self._waiting = waiting
            self._limit(REQUEST_SECONDS if waiting else ANSWER_SECONDS)

    def _limit(self, seconds: float) -> None:
        """End this connection after some time."""
        self._stop()
        if not self.transport.is_closing():
            self._end = self.loop.call_later(seconds, self.transport.abort)

    def _stop(self) -> None:
        """Let the time run."""
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def _make_room(self) -> None:
        """End the connection that has been without a whole request for longest, if there is one."""
        others = [each for each in self.connections if isinstance(each, BoundedConnection)]
        ends = {each: each._end.when() for each in others if each._waiting and each._end}  # noqa: SLF001  # its own kind
        if ends:
            oldest = min(ends, key=ends.__getitem__)
            self.connections.discard(oldest)
            oldest.transport.abort()
