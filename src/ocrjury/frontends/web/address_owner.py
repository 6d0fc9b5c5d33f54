"""Sender of a request: a browser may hold sessions of several evaluations, or of two raters."""

import re
from typing import Final

from ocrjury.frontends.web.access.doors import AS
from ocrjury.frontends.web.shield import App, Message, Receive, Send

OWNED: Final = re.compile(rf"{AS}([0-9a-f]{{20}})(/.*)", re.DOTALL)


class AddressOwner:
    """An ASGI layer: takes the rater off the start of an address, and keeps it as ``owner``.

    A cookie that begins with ``__Host-`` is sent with every address, so that the address alone can
    say to which of the sessions in a browser a tab belongs.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request as if its address did not begin with a rater."""
        owned = OWNED.fullmatch(scope.get("path", ""))
        if owned is not None:
            scope = {**scope, "owner": owned[1], "path": owned[2]}
        await self.app(scope, receive, send)
