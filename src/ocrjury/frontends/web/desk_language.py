"""The language in which the desk speaks: that of whoever asks."""

from starlette.requests import Request

from ocrjury.frontends.web.access.doors import DESK, door_of, language_of
from ocrjury.frontends.web.shield import App, Message, Receive, Send
from ocrjury.language import speaking


class DeskLanguage:
    """An ASGI layer: at the desk, pages, data and refusals are in the language of the request.

    The rating page has texts of its own, which its pages choose themselves.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request in its language; threads that work on it speak that too."""
        if scope["type"] != "http" or door_of(Request(scope)) is not DESK:
            await self.app(scope, receive, send)
            return
        with speaking(language_of(Request(scope))):
            await self.app(scope, receive, send)
