"""Answers while the store is full, read-only or away: 503, and what people typed."""

import logging
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any, Final
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.responses import JSONResponse, Response
from starlette.requests import ClientDisconnect

from ocrjury.errors import Ailment, StoreError
from ocrjury.frontends.web.access.doors import (
    DESK,
    MACHINE,
    RATING,
    TEXTS,
    at_of,
    door_of,
    language_of,
)
from ocrjury.frontends.web.rendering import desk_page, page
from ocrjury.frontends.web.site import Site
from ocrjury.language import phrase, said
from ocrjury.pages.catalogues import speaker
from ocrjury.store.links import secret_hash

AGAIN: Final = {"Retry-After": "30"}
FOR_LEADS: Final[Mapping[Ailment, str]] = {
    "full": phrase(
        "The store is full: make room on its disk, then try again. What was stored is safe."
    ),
    "read-only": phrase(
        "The store can only be read: mount its disk for writing, then try again. What was stored "
        "is safe."
    ),
    "away": phrase(
        "The store cannot be reached: mount its disk or start its server, then try again. What was "
        "stored is safe."
    ),
    "busy": phrase("The store was busy for too long. Try again."),
    "damaged": phrase("The store is damaged: restore the last backup."),
}
FOR_RATERS: Final[Mapping[Ailment, str]] = {
    "full": "store_full",
    "read-only": "store_read_only",
    "away": "store_away",
    "busy": "store_busy",
    "damaged": "store_away",
}
"""Keys of the rating page's texts."""
_FORM: Final = "application/x-www-form-urlencoded"
log = logging.getLogger(__name__)


class SpokenLately:
    """Languages of sessions that were answered lately, since nobody can look them up now.

    Examples
    --------
    >>> spoken = SpokenLately(most=1)
    >>> spoken.keep("a", "ko")
    >>> spoken.keep("b", "zh")
    >>> spoken.of("a"), spoken.of("b")
    (None, 'zh')
    """

    def __init__(self, *, most: int = 10_000) -> None:
        self.most = most
        self._languages: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def keep(self, session: str, language: str) -> None:
        """Remember the language of a session."""
        with self._lock:
            self._languages[session] = language
            self._languages.move_to_end(session)
            while len(self._languages) > self.most:
                self._languages.popitem(last=False)

    def of(self, session: str) -> str | None:
        """Language of a session, None if it is not known."""
        with self._lock:
            return self._languages.get(session)


async def tell_of_store(request: Request, error: Exception) -> Response:
    """Answer a request that the store's trouble ended; a form comes back with what was typed."""
    if not isinstance(error, StoreError):
        raise error
    _log(request.app.state.site, error)
    sentence = _sentence(request, error.ailment)
    if request.url.path.startswith(MACHINE):
        body = {"error": {"code": f"store_{error.ailment}", "message": said(sentence)}}
        return JSONResponse(body, status_code=503, headers=AGAIN)
    kept: dict[str, Any] = {"sentence": sentence, "fields": await _typed(request)}
    query = f"?{request.url.query}" if request.url.query else ""
    address = at_of(request) + request.url.path + query
    if door_of(request) is DESK:
        answer = desk_page("kept", status=503, to=address, **kept)
    else:
        answer = page("kept", language=_language(request), status=503, to=address, **kept)
    answer.headers.update(AGAIN)
    return answer


def _log(site: Site, error: StoreError) -> None:
    """Say it in the log, once a minute however many ask."""
    if site.troubles.allows(error.ailment):
        log.error("%s Requests that need it are answered with 503.", error)


def _sentence(request: Request, ailment: Ailment) -> str:
    if door_of(request) is DESK:
        return FOR_LEADS[ailment]
    return speaker(TEXTS, _language(request))(FOR_RATERS[ailment])


def _language(request: Request) -> str:
    """Language of the rater's last page, else the browser's; the store is not asked."""
    spoken: SpokenLately = request.app.state.spoken
    secrets = [cookie for name, cookie in request.cookies.items() if name.startswith(RATING.cookie)]
    known = [spoken.of(secret_hash(secret)) for secret in secrets]
    return next(filter(None, known), None) or language_of(request)


async def _typed(request: Request) -> list[tuple[str, str]] | None:
    """Fields of the form that was posted, None if none was."""
    if request.method != "POST" or not request.headers.get("content-type", "").startswith(_FORM):
        return None
    try:
        text = (await request.body()).decode("utf-8", "replace")
        return parse_qsl(text, keep_blank_values=True, max_num_fields=door_of(request).most_fields)
    except (ClientDisconnect, ValueError):
        return None
