"""Reports to download: never shown inside this application, whose pages are stricter."""

import re
from typing import Final

from fastapi import APIRouter
from fastapi.responses import FileResponse, Response

from ocrjury.frontends.web.access.people import OnPage, note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.evaluation_view import standing_of
from ocrjury.store.database import writing
from ocrjury.store.documents import read_purged_at
from ocrjury.store.reports import list_reports

NAME: Final = re.compile(r"(final|interim)-([a-z]{2,3})-(\d{1,6})\.(html|pdf)")
KINDS: Final = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}
router = APIRouter(include_in_schema=False)


@router.get("/desk/{name}/reports/{file}")
def download(name: str, file: str, lead: OnPage) -> Response:
    """Send a report as a file."""
    standing_of(lead, name)
    match = NAME.fullmatch(file)
    address = None if match is None else _address(lead, name, match)
    if match is None or address is None:
        raise Trouble(404, "unknown", "There is no such report.")
    path = lead.site.store.files.path(address)
    if not path.is_file():
        raise Trouble(404, "gone", _gone(lead, name))
    with writing(lead.site.store.engine) as connection:
        note(connection, lead, "export", target=f"{name} {file}")
    return FileResponse(
        path,
        media_type=KINDS[match[4]],
        filename=f"{name}-{file}",
        content_disposition_type="attachment",
    )


def _gone(lead: OnPage, name: str) -> str:
    """Sentence on why a report has no file."""
    purged = read_purged_at(lead.site.store.engine, name)
    if purged is None:
        return "The file of this report no longer exists."
    return (
        f"This report was removed on {purged:%Y-%m-%d} with the texts of the documents in it. "
        "A later version has the same numbers."
    )


def _address(lead: OnPage, name: str, match: re.Match[str]) -> str | None:
    """Address of a report's file in the store, None where there is none."""
    for row in list_reports(lead.site.store.engine, name):
        if (row.kind, row.language, row.version) == (match[1], match[2], int(match[3])):
            return row.html_uri if match[4] == "html" else row.pdf_uri
    return None
