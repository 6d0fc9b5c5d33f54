"""Pages of this application, rendered in the reader's language by the one Jinja environment."""

import hashlib
from functools import cache
from importlib.resources import files

from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from ocrjury.pages.catalogues import languages, speaker
from ocrjury.pages.environment import render

TEXTS = "rating"
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def page(name: str, *, language: str, status: int = 200, **values: object) -> HTMLResponse:
    """Return a page of ``templates/rating``, with the texts of a language."""
    html = render(
        f"{TEXTS}/{name}.html.j2",
        say=speaker(TEXTS, language),
        language=language,
        languages=languages(TEXTS),
        version=version_of_files(),
        **values,
    )
    return HTMLResponse(html, status_code=status)


def static_file(name: str) -> Response:
    """Return a file that belongs to the pages; only those in the folder have an address."""
    found = _files().get(name)
    if found is None:
        raise HTTPException(404)
    body, kind = found
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(body, media_type=kind, headers=headers)


@cache
def version_of_files() -> str:
    """Return a word that changes with any file, so that browsers may keep them for ever."""
    digest = hashlib.sha256()
    for name, (body, _) in sorted(_files().items()):
        digest.update(name.encode() + body)
    return digest.hexdigest()[:12]


@cache
def _files() -> dict[str, tuple[bytes, str]]:
    """Return every file by its name; they are small and read once."""
    folder = files("ocrjury") / "templates" / TEXTS / "static"
    return {
        one.name: (one.read_bytes(), KINDS["." + one.name.rpartition(".")[2]])
        for one in folder.iterdir()
        if "." + one.name.rpartition(".")[2] in KINDS
    }
