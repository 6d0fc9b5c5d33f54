"""Checks that every request passes first, and the headers that every answer carries."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse

from ocrjury.frontends.web.audit_lines import count_refusal
from ocrjury.frontends.web.site import Site
from ocrjury.language import tr

LARGEST_BODY = 20_000
LARGEST_FORM = 120_000
"""A form spells a Korean character in nine bytes; that of a boundary case has up to 10,000."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # With no-referrer, browsers send "Origin: null" with forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "X-Frame-Options": "DENY",
}
YEAR = "max-age=31536000"
"""Period for which a browser asks by HTTPS alone for a page that it got by HTTPS once."""
WATCHED = ("/health", "/ready", "/metrics")
"""Addresses that answer under any host; see `ocrjury.frontends.web.watching.probes`."""
_FORMS = ("/desk/", "/panel/", "/rate/", "/again/")
"""Prefixes of the addresses of forms in which people write."""
_HARMLESS = ("GET", "HEAD", "OPTIONS")
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Refused = tuple[int, str, str]
"""Status, a sentence, and a word for the audit log."""
App = Callable[[Message, Receive, Send], Awaitable[None]]


class Shield:
    """An ASGI layer: own hosts, own origin, small bodies; headers that keep browsers strict."""

    def __init__(self, app: App, site: Site) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with a word."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = _headers(self.site, cacheable=scope["path"].startswith("/static/"))
        secured = _secured(send, headers)
        pairs = (
            (key.decode("latin-1"), value.decode("latin-1")) for key, value in scope["headers"]
        )
        refusal = self._refusal(scope, {key.lower(): value for key, value in pairs})
        if refusal is not None:
            status, sentence, code = refusal
            count_refusal(Request(scope), code)
            await PlainTextResponse(sentence, status_code=status)(scope, receive, secured)
            return
        began = False

        async def sending(message: Message) -> None:
            nonlocal began
            began = True
            await secured(message)

        try:
            await self.app(scope, _limited(receive, largest=_largest(scope)), sending)
        except Exception:
            if not began:  # otherwise Starlette would answer, without our headers
                sentence = tr("Something went wrong here. Tell whoever leads the evaluation.")
                await PlainTextResponse(sentence, status_code=500)(scope, receive, secured)
            raise

    def _refusal(self, scope: Message, headers: dict[str, str]) -> Refused | None:
        """Answer to a request that nobody should send."""
        if scope["path"] not in WATCHED and headers.get("host") not in self.site.hosts:
            return 421, tr("This host is not served here."), "another_host"
        if "\x00" in scope["path"] or b"%00" in scope["query_string"]:  # no text of PostgreSQL
            return 404, tr("Not found."), "null_character"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > _largest(scope):
            return 413, tr("Too long."), "too_long"
        return None if scope["method"] in _HARMLESS else self._foreign(headers)

    def _foreign(self, headers: dict[str, str]) -> Refused | None:
        """Answer to a change that another site asks for."""
        if "content-length" not in headers:
            return 411, tr("A length is needed."), "no_length"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, tr("Another site sent this."), "another_site"
        origin = headers.get("origin")
        if origin is not None and _host_of(origin) not in self.site.hosts:
            return 403, tr("Another site sent this."), "another_site"
        return None


def _host_of(origin: str) -> str:
    """Host and port of an origin, empty if it is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _headers(site: Site, *, cacheable: bool) -> dict[str, str]:
    """Headers of an answer."""
    stays = {"Strict-Transport-Security": YEAR} if site.address.startswith("https://") else {}
    return HEADERS | stays | ({} if cacheable else {"Cache-Control": "no-store"})


def _secured(send: Send, wanted: dict[str, str]) -> Send:
    """Wrap a way to send so that it adds the headers."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            own = {name.lower() for name, _ in headers}
            added = [(name.encode(), value.encode()) for name, value in wanted.items()]
            message["headers"] = headers + [pair for pair in added if pair[0].lower() not in own]
        await send(message)

    return sending


def _largest(scope: Message) -> int:
    """Bytes that the body of a request may have."""
    return LARGEST_FORM if scope["path"].startswith(_FORMS) else LARGEST_BODY


def _limited(receive: Receive, *, largest: int) -> Receive:
    """Wrap a way to receive so that it stops at the largest body, whatever length was announced."""
    size = 0

    async def receiving() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        return message if size <= largest else {"type": "http.disconnect"}

    return receiving
