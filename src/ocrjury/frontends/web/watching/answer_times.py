"""The layer of the application that measures how long answers take."""

import time
from typing import Final

from ocrjury.frontends.web.shield import App, Message, Receive, Send
from ocrjury.frontends.web.watching.measures import Measures

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER: Final = "other"


class AnswerTimes:
    """An ASGI layer that measures every answer."""

    def __init__(self, app: App, measures: Measures) -> None:
        self.app = app
        self.measures = measures

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, and note its route, its status and its time."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            route = getattr(scope.get("route"), "path", OTHER)
            method = scope["method"] if scope["method"] in METHODS else OTHER
            self.measures.answers.labels(method, route, str(status)).inc()
            self.measures.seconds.labels(route).observe(time.perf_counter() - began)
