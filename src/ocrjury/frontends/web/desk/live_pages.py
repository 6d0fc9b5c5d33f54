"""Pages of the desk that follow what happens: a word that changes when a page would, who looks."""

import hashlib
from typing import Annotated, Final

from fastapi import Header
from fastapi.responses import Response

from ocrjury.frontends.web.access.leads import Lead
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.rendering import desk_version
from ocrjury.store.database import writing
from ocrjury.store.pulse import read_pulse

MINUTES: Final = 5
"""After so long a page is sent anew though nothing happened: it also tells of the time."""
Known = Annotated[str, Header(alias="If-None-Match", max_length=100)]


def pulse_of(lead: Lead, evaluation: str | None = None) -> str:
    """Word that changes when the list, or a page of an evaluation, would show something else."""
    numbers = read_pulse(lead.site.store.engine, evaluation)
    spell = int(lead.site.now().timestamp() // (60 * MINUTES))
    shown = (lead.language, lead.form_token, lead.link.scope, desk_version())
    stuck = tuple(lead.site.stuck()) if evaluation is None else ()
    parts = (numbers, spell, *shown, stuck)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def unchanged(pulse: str) -> Response:
    """Answer to a page that shows what is still so."""
    return Response(status_code=304, headers={"ETag": pulse})


def look(lead: Lead, action: str, *, evaluation: str) -> None:
    """Note who looks at what; of a page that asks for itself anew, once in five minutes."""
    looks = f"{lead.who} {action} {evaluation}"
    if lead.watching and lead.site.looks.full(looks):
        return
    lead.site.looks.count(looks)
    with writing(lead.site.store.engine) as connection:
        note(connection, lead, action, target=evaluation)
