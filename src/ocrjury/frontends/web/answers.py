"""Answers to requests that are refused or fail: one shape of JSON, or one page."""

from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from ocrjury.frontends.web.access.doors import DESK, MACHINE, at_of, door_of, language_of
from ocrjury.frontends.web.bodies import HALVES, RefusalBody
from ocrjury.frontends.web.rendering import desk_page, page
from ocrjury.language import said, tr
from ocrjury.pages.numbers import series

REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    403: {"model": RefusalBody, "description": "The request does not come from the page."},
    422: {"model": RefusalBody, "description": "A value is missing or wrong."},
    429: {"model": RefusalBody, "description": "Too many requests."},
    503: {"model": RefusalBody, "description": "The store is full, read-only or away."},
}
"""Refusals that any request of a program may get, for the OpenAPI document."""


class SignInNeeded(Exception):  # noqa: N818  # no error: anybody may come without a session
    """Nobody is signed in."""


class Trouble(Exception):  # noqa: N818  # as above
    """A request that is refused: status, a word for programs, a sentence for people."""

    def __init__(self, status: int, code: str, sentence: str, **more: Any) -> None:
        super().__init__(sentence)
        self.status, self.code, self.sentence, self.more = status, code, sentence, more


def refuse(request: Request, error: Exception) -> Response:
    """Answer a request that ended in `Trouble`."""
    if not isinstance(error, Trouble):
        raise error
    if request.url.path.startswith(MACHINE):
        body = {"error": {"code": error.code, "message": said(error.sentence), **error.more}}
        return JSONResponse(body, status_code=error.status)
    if door_of(request) is DESK:
        return desk_page("message", status=error.status, sentence=error.sentence)
    language = language_of(request)
    content = {"sentence": error.sentence, "at": at_of(request)}
    return page("message", language=language, status=error.status, **content)


def ask_to_sign_in(request: Request, _error: Exception) -> Response:
    """Lead to the entrance."""
    door = door_of(request)
    if request.url.path.startswith(MACHINE):
        body = {"error": {"code": "signed_out", "message": said(door.signed_out)}}
        return JSONResponse(body, status_code=401)
    return RedirectResponse(door.entrance, status_code=303)


def refuse_shape(request: Request, error: Exception) -> Response:
    """Answer a body of the wrong shape; what it held is not repeated."""
    if not isinstance(error, RequestValidationError):
        raise error
    problems = error.errors()
    halved = sorted(
        {n for each in problems if each["type"] == HALVES for n in each["ctx"]["names"]}
    )
    where = sorted({".".join(map(str, each["loc"][1:])) or "body" for each in problems})
    sentence = (
        tr(
            "There is a broken character in {names}. Delete it and send again.",
            names=series(halved),
        )
        if halved
        else tr("Not understood: {names}.", names=series(where))
    )
    return refuse(request, Trouble(422, "shape", sentence))


def refuse_path(request: Request, error: Exception) -> Response:
    """Answer for an address or a method that does not exist."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    return refuse(request, Trouble(status, "not_found", tr("There is nothing here.")))
