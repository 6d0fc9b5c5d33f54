"""Pages for raters and leads, rendered by the one Jinja environment, and their static files."""

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import quote

from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from ocrjury import language as sentences
from ocrjury.campaign import limits
from ocrjury.field_kinds import KIND_NAMES
from ocrjury.frontends.web.desk import wording
from ocrjury.pages.catalogues import languages, speaker
from ocrjury.pages.environment import render
from ocrjury.report_choices import REPORT_KIND_NAMES

KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def page(name: str, *, language: str, status: int = 200, **values: object) -> HTMLResponse:
    """Page of ``templates/rating``, with the texts of a language."""
    html = render(
        f"rating/{name}.html.j2",
        say=speaker("rating", language),
        language=language,
        languages=languages("rating"),
        version=_version("rating"),
        limits=limits,
        **values,
    )
    return HTMLResponse(html, status_code=status)


def desk_page(name: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Page of ``templates/desk``, which loads static files of the rating page too."""
    html = render(
        f"desk/{name}.html.j2",
        languages=sentences.languages(),
        version=_version("rating"),
        limits=limits,
        own_version=_version("desk"),
        wording=wording,
        kind_names=KIND_NAMES,
        report_kind_names=REPORT_KIND_NAMES,
        **values,
    )
    return HTMLResponse(html, status_code=status)


def static_file(folder: str, name: str) -> Response:
    """File that belongs to the pages; only those in the folder have an address."""
    body = _files(folder).get(name)
    if body is None:
        raise HTTPException(404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(body, media_type=KINDS[name.rpartition(".")[2]], headers=headers)


def attached_as(name: str) -> dict[str, str]:
    """Headers of an answer that a browser keeps as a file, whatever letters its name has.

    Examples
    --------
    >>> attached_as("rubric.yaml")
    {'Content-Disposition': 'attachment; filename="rubric.yaml"'}
    >>> attached_as("청구.csv")
    {'Content-Disposition': "attachment; filename*=utf-8''%EC%B2%AD%EA%B5%AC.csv"}
    """
    coded = quote(name)
    named = f'filename="{name}"' if coded == name else f"filename*=utf-8''{coded}"
    return {"Content-Disposition": f"attachment; {named}"}


def lean(name: str, body: bytes) -> bytes:
    r"""File without what only its authors read: in scripts, indentation and lines of comment.

    Examples
    --------
    >>> lean("a.js", b"// Why.\nfunction a() {\n  return 1; // one\n}\n")
    b'function a() {\nreturn 1; // one\n}\n'
    """
    if not name.endswith(".js"):
        return body
    lines = (line.lstrip() for line in body.splitlines(keepends=True))
    return b"".join(line for line in lines if line and not line.startswith(b"//"))


def desk_version() -> str:
    """Word that changes with any static file of the desk."""
    return _version("desk")


@cache
def _version(folder: str) -> str:
    """Word that changes with any file of a folder, so that browsers may keep them for ever."""
    digest = hashlib.sha256()
    for name, body in sorted(_files(folder).items()):
        digest.update(name.encode() + body)
    return digest.hexdigest()[:12]


@cache
def _files(folder: str) -> dict[str, bytes]:
    """Every static file of a folder by its name; they are small and read once."""
    static = files("ocrjury") / "templates" / folder / "static"
    return {
        file.name: lean(file.name, file.read_bytes())
        for file in static.iterdir()
        if file.name.rpartition(".")[2] in KINDS
    }
