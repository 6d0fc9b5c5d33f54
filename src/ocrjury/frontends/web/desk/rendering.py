"""Pages of the desk, and the files that they load."""

import hashlib
from functools import cache
from importlib.resources import files

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from ocrjury.frontends.web import rendering as of_raters
from ocrjury.frontends.web.answers import MACHINE
from ocrjury.frontends.web.desk.leads import DeskTrouble
from ocrjury.pages.environment import render

FOLDER = "desk"


def page(name: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Return a page of ``templates/desk``."""
    html = render(
        f"{FOLDER}/{name}.html.j2",
        version=of_raters.version_of_files(),
        own_version=version_of_files(),
        **values,
    )
    return HTMLResponse(html, status_code=status)


def static_file(name: str) -> Response:
    """Return a file that belongs to the pages of the desk."""
    body = _files().get(name)
    if body is None:
        raise HTTPException(404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    kind = of_raters.KINDS[f".{name.rpartition('.')[2]}"]
    return Response(body, media_type=kind, headers=headers)


def refuse(request: Request, error: Exception) -> Response:
    """Return the answer to a request that ended in `DeskTrouble`."""
    if not isinstance(error, DeskTrouble):
        raise error
    if request.url.path.startswith(MACHINE):
        body = {"error": {"code": error.code, "message": error.sentence}}
        return JSONResponse(body, status_code=error.status)
    return page("message", status=error.status, sentence=error.sentence)


def ask_to_sign_in(request: Request, _error: Exception) -> Response:
    """Return the way to the entrance of the desk."""
    if request.url.path.startswith(MACHINE):
        body = {"error": {"code": "signed_out", "message": "Sign in at the desk."}}
        return JSONResponse(body, status_code=401)
    return RedirectResponse("/desk/enter", status_code=303)


@cache
def version_of_files() -> str:
    """Return a word that changes with any file."""
    digest = hashlib.sha256()
    for name, body in sorted(_files().items()):
        digest.update(name.encode() + body)
    return digest.hexdigest()[:12]


@cache
def _files() -> dict[str, bytes]:
    """Return every file by its name."""
    folder = files("ocrjury") / "templates" / FOLDER / "static"
    return {
        one.name: one.read_bytes()
        for one in folder.iterdir()
        if f".{one.name.rpartition('.')[2]}" in of_raters.KINDS
    }
